package checking

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"runtime"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
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
		c, err := record.Read(v.d, v.file, s)
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
		differs = stored.compare(r)
		if differs == nil {
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

// storedGames are the games of one source that are in the sample.
type storedGames struct {
	path     string
	games    []uint64                                  // in ascending order
	record   func(game uint64) (*engine.Record, error) // called in this order; valid until the next call
	extended func() bool                               // a run has replaced the file meanwhile
	close    func()
}

// storedGames opens a source. The result has a path also if there is an error.
func (v *verifier) storedGames(s gameSource) (storedGames, error) {
	if s.journal != "" {
		return v.journaledGames(s)
	}
	c, err := record.Read(v.d, v.file, s.shard)
	if err != nil {
		return storedGames{path: plan.CommitName(s.shard)}, err
	}
	next, stop := iter.Pull2(datasets.New(v.d, v.file).Games(c.Parts()...))
	return storedGames{
		path:     c.Files[plan.GamesFile].Name,
		games:    slices.DeleteFunc(plan.Numbers(c.FirstGame, c.Games), v.isLeftOut),
		record:   func(game uint64) (*engine.Record, error) { return skipTo(next, game) },
		extended: func() bool { return v.extended(c) },
		close:    stop,
	}, nil
}

// journaledGames returns the finished games of a journal.
func (v *verifier) journaledGames(s gameSource) (storedGames, error) {
	stored, err := journal.ReadFile(v.d, s.journal, v.file.Hash, s.shard, s.first, s.first+s.games)
	if errors.Is(err, fault.ErrNondeterminism) {
		err = fault.Corrupt("%w", err)
	}
	return storedGames{
		path:     s.journal,
		games:    slices.DeleteFunc(slices.Sorted(maps.Keys(stored.Finished)), v.isLeftOut),
		record:   func(game uint64) (*engine.Record, error) { return stored.Finished[game], nil },
		extended: func() bool { return false }, // the games were read before they were played
		close:    func() {},
	}, err
}

// isLeftOut reports whether a game is not in the sample.
func (v *verifier) isLeftOut(game uint64) bool { return !inSample(game, v.Sample) }

// skipTo returns the record of a game, which follows after others.
func skipTo(next func() (*engine.Record, error, bool), game uint64) (*engine.Record, error) {
	for {
		r, err, ok := next()
		switch {
		case err != nil:
			return nil, err
		case !ok || r.Game > game:
			return nil, fault.Corrupt("game %d is missing", game)
		case r.Game == game:
			return r, nil
		}
	}
}

// compare compares a game that was played again with the stored one. A difference is
// ErrCorrupt.
func (s *storedGames) compare(played *engine.Record) error {
	stored, err := s.record(played.Game)
	if err != nil {
		return err
	}
	a, b := encode.NewTable(gamerow.Columns()), encode.NewTable(gamerow.Columns())
	gamerow.Append(a, stored)
	gamerow.Append(b, played)
	for col, c := range a.Columns {
		if x, y := a.Cell(col, 0), b.Cell(col, 0); !bytes.Equal(x, y) {
			return fault.Corrupt("game %d: playing it again gives another %s%s", played.Game, c.Name, firstDifference(c, x, y))
		}
	}
	return nil
}

// firstDifference says where two different cells of a list differ first.
func firstDifference(c encode.Column, x, y []byte) string {
	if c.Len != encode.Var || c.Kind == encode.String {
		return ""
	}
	i := 0
	for i < min(len(x), len(y)) && x[i] == y[i] {
		i++
	}
	return fmt.Sprintf(", first at index %d", i/c.Kind.Size())
}

// gameSource is a file that holds finished games.
type gameSource struct {
	shard   int
	journal string // path of a journal; empty for a committed shard
	first   uint64 // number of the first game that may be in it
	games   uint64 // number of games that may be in it
}

// isMissing reports whether a shard has not all games of the target, or had not when the records were read.
func (v *verifier) isMissing(s int) bool { return slices.Contains(v.report.Missing, s) }

// journals returns the journals of the shards that are not committed with all games, but for those to skip.
func (v *verifier) journals(skip func(shard int) bool) (list []gameSource, err error) {
	if !v.isRead(plan.CommitsFolder) { // a journal may be that of a committed shard
		return nil, nil
	}
	paths, err := journal.Paths(v.d)
	for _, name := range paths {
		if s, ok := journal.ShardOf(path.Base(name)); ok && !skip(s) && s < plan.MaxShards {
			first, most := v.file.Plan.GamesOf(s, ^uint64(0))
			list = append(list, gameSource{s, name, first, most})
		}
	}
	return list, err
}

// replayJournals replays the games in the journals of unfinished shards by the rules. Nothing is searched.
func (v *verifier) replayJournals(ctx context.Context) error {
	if v.Level < VerifyDeep {
		return nil
	}
	committed := map[int]bool{}
	for _, name := range v.list(plan.CommitsFolder) {
		if s, ok := plan.ShardOfRecord(name); ok {
			committed[s] = true
		}
	}
	sources, err := v.journals(func(s int) bool { return committed[s] && !v.isMissing(s) })
	for _, s := range sources {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := v.replayJournal(s); err != nil {
			v.problem(ProblemGames, s.shard, s.journal, err)
		}
	}
	return err
}

// replayJournal replays the games of a journal.
func (v *verifier) replayJournal(s gameSource) (err error) {
	defer fault.RecoverCorrupt(&err)
	games, err := journal.ReadFile(v.d, s.journal, v.file.Hash, s.shard, s.first, s.first+s.games)
	if err != nil {
		return err
	}
	rows, t, dropped := v.Rows(), encode.NewTable(v.file.Description.Columns), make([]uint64, len(v.file.Plan.Filter))
	for _, game := range slices.Sorted(maps.Keys(games.Finished)) {
		if err := replayRecord(rows, games.Finished[game], t, dropped); err != nil {
			return err
		}
	}
	for _, game := range slices.Sorted(maps.Keys(games.UnderWay)) {
		if err := replayRecord(rows, asFarAsSearched(&games.UnderWay[game].Record), t, dropped); err != nil {
			return err
		}
	}
	return nil
}

func replayRecord(rows datasets.RowFunc, r *engine.Record, t *encode.Table, dropped []uint64) error {
	t.Reset()
	if err := rows(r, t, dropped); err != nil {
		return fault.Corrupt("game %d: %w", r.Game, err)
	}
	return nil
}

// asFarAsSearched returns the part of a game under way that was searched, as a game that was cut off there: a
// game that is rescored has all its moves from the start.
func asFarAsSearched(r *engine.Record) *engine.Record {
	cut := *r
	n := len(r.Nodes)
	cut.Actions, cut.MoveRanks = r.Actions[:n], r.MoveRanks[:n]
	if len(r.OldNodes) > 0 {
		cut.OldBest, cut.OldScores, cut.OldNodes = r.OldBest[:n], r.OldScores[:n], r.OldNodes[:n]
	}
	cut.Outcome = engine.Outcome{Result: engine.NoResult, Reason: engine.PlyLimit}
	return &cut
}
