package program

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/models"
	"selfplay/cmd/internal/networks"
	"selfplay/cmd/internal/progress"
	"selfplay/cmd/internal/uci"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

func matchCommand(games encode.Catalog) *cli.Command {
	count := app.CountFlag("games", 100, app.Game, "play at most `N` games, an even number: each opening is played twice, with sides swapped")
	return &cli.Command{
		Name:      "match",
		Usage:     "play two players against each other and print their Elo difference",
		UsageText: "--game NAME --a PLAYER --b PLAYER [flags]",
		Description: `Both games of an opening make a pair. The 95 % interval comes from the scores of pairs, which an
opening that favours a side does not widen. With --sprt the match ends as soon as the pairs, in
order, prove one of two Elo differences.

In chess a player may be a UCI engine: uci:path=FILE,nodes=N or uci:path=FILE,depth=N, with
option.NAME=VALUE to set its options.

Examples:
selfplay match --game chess --a ab:depth=2 --b greedy --games 200
selfplay match --game chess --a ab:depth=3 --b uci:path=stockfish,nodes=1000,option.Hash=1
selfplay match --game cotulenh --a mcts:sims=200 --b ab:depth=2 --games 10k --sprt 0,20 --json
`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "a", Category: app.Players, Usage: "`PLAYER` whose wins are counted, such as ab:depth=2"},
			&cli.StringFlag{Name: "b", Category: app.Players, Usage: "`PLAYER` of the other side"},
			count,
		}, gameFlags(games), []cli.Flag{
			seedFlag(), maxPliesFlag(),
			&cli.StringFlag{Name: "sprt", Category: app.Game, Usage: "stop when `ELO0,ELO1` is decided: A is stronger by ELO1 or more, or by ELO0 or less, each with an error of 5 %"},
			workersFlag(), app.JSONFlag(), logEveryFlag(),
		}, models.Flags(), playFlags()),
		Action: runMatch,
	}
}

// maxMatchGames bounds --games.
const maxMatchGames = 1 << 30

func runMatch(c *cli.Context) (err error) {
	if err := app.NoArgs(c); err != nil {
		return err
	}
	set, err := models.From(c)
	if err != nil {
		return err
	}
	defer set.Close()
	s, err := matchSeries(c, set)
	if err != nil {
		return err
	}
	games := c.Uint64("games")
	if games < 2 || games%2 != 0 || games > maxMatchGames {
		return app.Usage("games %d: want an even number from 2 to %d", games, maxMatchGames)
	}
	threads, err := workersFrom(c, &s, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	if err := app.CheckTables(s.Memory(threads), app.FewerWorkers); err != nil {
		return err
	}
	r := matchResult{Game: s.Game.Name, A: s.Players[0].String(), B: s.Players[1].String()}
	if text := c.String("sprt"); text != "" {
		if r.SPRT, err = parseSPRT(text); err != nil {
			return app.Usage("sprt %v", err)
		}
	}
	p := progress.New("playing", games, app.Log(c), c.App.ErrWriter, app.Quiet(c))
	p.LogEvery(c.Duration(logEvery))
	if err := r.play(c.Context, s, games, threads, p); err != nil {
		return err
	}
	if c.Bool("json") {
		return encode.NewRoundedJSON(c.App.Writer).Encode(r)
	}
	return r.print(c.App.Writer)
}

// matchSeries returns the games of a match. A moves first in the first game of a pair.
func matchSeries(c *cli.Context, set *models.Set) (s workers.Series, err error) {
	if err := app.RequireFlags(c, "game", "a", "b"); err != nil {
		return s, err
	}
	if s.Game, s.Variant, err = gameFrom(c); err != nil {
		return s, err
	}
	for i, flag := range [2]string{"a", "b"} {
		if s.Players[i], err = matchPlayer(c, &s, set, c.String(flag)); err != nil {
			return s, err
		}
	}
	if err := set.RefuseUnused(); err != nil {
		return s, err
	}
	s.Pairs, s.Clock = true, threadTime
	s.Seed = c.Uint64("seed")
	if s.MaxPlies, err = maxPliesFrom(c, &s.Game.Game); err != nil {
		return s, err
	}
	return s, readPlay(c, &s)
}

// matchPlayer parses a player of a match: also a UCI engine, whose processes end with the context of the command.
func matchPlayer(c *cli.Context, s *workers.Series, set *models.Set, text string) (workers.PlayerSpec, error) {
	if !uci.IsEngine(text) {
		return ownPlayer(c, &s.Game.Game, text, workers.Sources{Networks: networks.Finder(), Models: set.For(s.Game, s.Variant)})
	}
	spec, err := uci.Player(c.Context, s.Game, text, set.EngineOptions(s.Variant))
	if err != nil {
		return spec, app.Usage("%v", err)
	}
	return spec, nil
}

// errDecided stops a match whose SPRT has ended.
var errDecided = errors.New("the SPRT has ended")

// matchBatch is the number of games that a pool is asked for at a time. It bounds memory.
const matchBatch = 1 << 16

// play plays games in pairs and sets the result. The SPRT looks at the pairs in order, so
// the result does not depend on the number of workers.
func (r *matchResult) play(ctx context.Context, s workers.Series, games uint64, threads int, p *progress.Progress) error {
	pool := workers.Start(s, threads)
	defer pool.Close()
	defer p.Watch(pool)()
	var err error
	for first := uint64(0); first < games && err == nil; first += matchBatch {
		err = pool.Play(ctx, workers.Games(first, min(matchBatch, games-first)), nil, r.counter())
	}
	if err != nil && !errors.Is(err, errDecided) {
		return err
	}
	r.setStatistics()
	r.setCosts(pool.Costs())
	r.setModelCosts(&s, pool.Costs(), pool.Models())
	return nil
}

// counter returns a sink that counts pairs of games, until the SPRT ends.
func (r *matchResult) counter() func(*engine.Record) error {
	var first score
	return func(rec *engine.Record) error {
		side := engine.Side(rec.Game % 2) // of A
		if side == engine.First {
			first = scoreOf(rec.Outcome, side)
			return nil
		}
		r.add(first, scoreOf(rec.Outcome, side))
		if r.SPRT != nil && r.SPRT.update(&r.tally) {
			return errDecided
		}
		return nil
	}
}
