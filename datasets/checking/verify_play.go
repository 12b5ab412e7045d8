package checking

import (
	"context"
	"errors"
	"io/fs"
	"runtime"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// playAgain plays the games of the sample again and compares their records: those of intact
// committed shards, and those that a run would take over from journals.
func (v *verifier) playAgain(ctx context.Context) error {
	if v.Level < VerifyRegenerate {
		return nil
	}
	sources, err := v.gameSources()
	if err != nil {
		return err
	}
	if v.Playing != nil {
		v.Playing(v.countGames(sources))
	}
	g, groupCtx := goroutine.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, s := range sources {
		g.Go(func() error { return v.playSource(groupCtx, s) })
	}
	if err := g.Wait(); ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}

// gameSources returns the committed shards without a problem, and the journals of the
// shards that are not committed with all games.
func (v *verifier) gameSources() (list []gameSource, err error) {
	broken, committed := map[int]bool{}, map[int]bool{}
	for _, p := range v.report.Problems {
		broken[p.Shard] = true
	}
	for _, name := range v.list(plan.CommitsFolder) {
		s, ok := plan.ShardOfRecord(name)
		if !ok {
			continue
		}
		committed[s] = true
		c, err := record.Read(v.d, v.h, s)
		if err == nil && !broken[s] { // another record has a problem, or is gone by now
			list = append(list, gameSource{shard: s, first: c.FirstGame, games: c.Games})
		}
	}
	journals, err := v.journals(func(s int) bool { return committed[s] && !v.isMissing(s) || broken[s] })
	return append(list, journals...), err
}

// countGames returns the number of games to play.
func (v *verifier) countGames(sources []gameSource) (n uint64) {
	for _, s := range sources {
		if s.journal != "" {
			stored, _ := v.journaledGames(s) // playSource reports the error
			n += uint64(len(stored.games))
			continue
		}
		if v.Sample == 0 || v.Sample == engine.One {
			n += s.games
			continue
		}
		for game := s.first; game < s.first+s.games; game++ {
			if inSample(game, v.Sample) {
				n++
			}
		}
	}
	return n
}

// playSource plays the games of a source again. It reports the first one that comes out
// differently.
func (v *verifier) playSource(ctx context.Context, s gameSource) error {
	stored, err := v.storedGames(s)
	if errors.Is(err, fs.ErrNotExist) { // a run has committed the shard
		return nil
	}
	if err != nil {
		v.problem(ProblemGames, s.shard, stored.path, err)
		return nil
	}
	defer stored.close()
	if len(stored.games) == 0 {
		return nil
	}
	played, differs := uint64(0), error(nil)
	err = v.Play(ctx, stored.games, nil, func(r *engine.Record) error {
		if differs = stored.compare(r); differs == nil {
			played++
		}
		return differs
	})
	v.addRegenerated(played)
	switch {
	case differs == nil && err != nil:
		return &fault.ShardError{Op: "play again", Shard: s.shard, Err: err}
	case differs != nil && !stored.extended():
		v.problem(ProblemGames, s.shard, stored.path, differs)
	}
	return nil
}

func (v *verifier) addRegenerated(games uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.report.Regenerated += games
}
