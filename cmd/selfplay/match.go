package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

func matchCommand() *cli.Command {
	games := app.CountFlag("games", 100, app.Game, "play `N` games, an even number: each opening is played twice, with sides swapped")
	return &cli.Command{
		Name:      "match",
		Usage:     "play two players against each other and print their Elo difference",
		UsageText: "--game NAME --a PLAYER --b PLAYER [flags]",
		Description: `Both games of an opening make a pair. The 95 % interval comes from the scores of pairs, which an
opening that favours a side does not widen.

Examples:
selfplay match --game chess --a ab:depth=2 --b greedy --games 200
selfplay match --game cotulenh --a mcts:sims=200 --b ab:depth=2 --games 1k --json
`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "a", Category: app.Players, Usage: "`PLAYER` whose wins are counted, as ab:depth=2"},
			&cli.StringFlag{Name: "b", Category: app.Players, Usage: "`PLAYER` of the other side"},
			games,
		}, gameFlags(), []cli.Flag{seedFlag(), maxPliesFlag(), workersFlag(), app.JSONFlag()}, playFlags()),
		Action: runMatch,
	}
}

// matchResult is what match prints. Elo is that of A over B, with its 95 % interval.
type matchResult struct {
	Game string `json:"game"`
	A    string `json:"a"`
	B    string `json:"b"`
	tally
	Elo     float64 `json:"elo"`
	EloLow  float64 `json:"elo_low"`
	EloHigh float64 `json:"elo_high"`
}

// maxMatchGames bounds --games: a match takes a byte of memory per game.
const maxMatchGames = 1 << 30

func runMatch(c *cli.Context) error {
	if err := app.NoArgs(c); err != nil {
		return err
	}
	s, err := matchSeries(c)
	if err != nil {
		return err
	}
	games := c.Uint64("games")
	if games < 2 || games%2 != 0 || games > maxMatchGames {
		return app.Usage("games %d: want an even number from 2 to %d", games, maxMatchGames)
	}
	threads, err := workersFrom(c, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	p := progress.New("playing", games, app.Log(c), c.App.ErrWriter, app.Quiet(c))
	t, err := playMatch(c.Context, s, games/2, threads, p)
	if err != nil {
		return err
	}
	r := matchResult{Game: s.Game.Name, A: s.Players[0].String(), B: s.Players[1].String(), tally: t}
	r.Elo, r.EloLow, r.EloHigh = t.elo()
	if c.Bool("json") {
		return encode.NewRoundedJSON(c.App.Writer).Encode(r)
	}
	return r.print(c.App.Writer)
}

// matchSeries returns the games in which A moves first.
func matchSeries(c *cli.Context) (s workers.Series, err error) {
	if err := app.RequireFlags(c, "game", "a", "b"); err != nil {
		return s, err
	}
	if s.Game, s.Variant, err = gameFrom(c); err != nil {
		return s, err
	}
	for side, flag := range [2]string{"a", "b"} {
		if s.Players[side], err = workers.ParsePlayer(&s.Game.Game, c.String(flag)); err != nil {
			return s, app.Usage("%v", err)
		}
	}
	s.Seed = c.Uint64("seed")
	if s.MaxPlies, err = maxPliesFrom(c, &s.Game.Game); err != nil {
		return s, err
	}
	return s, readPlay(c, &s)
}

// playMatch plays pairs of games with the given number of workers. Game i of both halves
// draws from the same seed, so both have the same opening; A moves first in the first half.
func playMatch(ctx context.Context, s workers.Series, pairs uint64, threads int, p *progress.Progress) (tally, error) {
	swapped := s
	swapped.Players[0], swapped.Players[1] = s.Players[1], s.Players[0]
	halves := [2][]score{make([]score, pairs), make([]score, pairs)}
	var pools poolPair
	for i, half := range [2]workers.Series{s, swapped} {
		pools[i] = workers.Start(half, max(1, (threads+i)/2))
		defer pools[i].Close()
	}
	defer p.Watch(pools)()
	g, ctx := goroutine.WithContext(ctx) // an error in one half stops the other
	g.SetLimit(min(threads, len(halves)))
	for i, pool := range pools {
		g.Go(func() error {
			return pool.Play(ctx, workers.Games(0, pairs), nil, func(r *engine.Record) error {
				halves[i][r.Game] = scoreOf(r.Outcome, engine.Side(i))
				return nil
			})
		})
	}
	if err := g.Wait(); err != nil {
		return tally{}, err
	}
	return tallyOf(halves), nil
}

// poolPair plays both halves of a match.
type poolPair [2]*workers.Pool

// Progress returns the games and plies of both.
func (p poolPair) Progress() (games, plies uint64) {
	for _, pool := range p {
		g, n := pool.Progress()
		games, plies = games+g, plies+n
	}
	return games, plies
}

func (r *matchResult) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s against %s: %s, %s, %s\nElo %+.0f (%+.0f to %+.0f, 95 %% confidence, %s)\n",
		r.A, r.B, app.Count(r.Wins, "win"), app.Count(r.Losses, "loss"), app.Count(r.Draws, "draw"),
		r.Elo, r.EloLow, r.EloHigh, app.Count(r.Pairs, "pair"))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "pairs by points of %s: 0: %s, 0.5: %s, 1: %s, 1.5: %s, 2: %s\n", r.A,
		app.Number(r.Penta[0]), app.Number(r.Penta[1]), app.Number(r.Penta[2]), app.Number(r.Penta[3]), app.Number(r.Penta[4]))
	return err
}
