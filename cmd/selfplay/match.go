package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

func matchCommand() *cli.Command {
	return &cli.Command{
		Name:  "match",
		Usage: "let two players play each other and say who is stronger",
		Flags: append(append(gameFlags(),
			&cli.StringFlag{Name: "a", Usage: "`PLAYER` whose wins are counted"},
			&cli.StringFlag{Name: "b", Usage: "`PLAYER` against it"},
			&cli.Uint64Flag{Name: "games", Value: 100, Usage: "`N` games, an even number: each opening is played with both colours"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that all randomness comes from"},
			&cli.IntFlag{Name: "max-plies", Usage: "cut games off after `N` decisions, as draws; the game's own limit if not given"},
			&cli.IntFlag{Name: "workers", Usage: "play `W` games at once; as many as there are processors if not given"},
			&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
		), playFlags()...),
		Action: runMatch,
	}
}

// tally counts games as player A sees them. A game that was cut off is a draw.
type tally struct {
	Wins   uint64 `json:"wins"`
	Losses uint64 `json:"losses"`
	Draws  uint64 `json:"draws"`
}

// matchResult is what match prints.
type matchResult struct {
	Game string `json:"game"`
	A    string `json:"a"`
	B    string `json:"b"`
	tally
	Elo     float64 `json:"elo"` // of A over B
	EloLow  float64 `json:"elo_low"`
	EloHigh float64 `json:"elo_high"` // 95 % confidence
}

func runMatch(c *cli.Context) error {
	if err := app.NoArgs(c); err != nil {
		return err
	}
	s, err := matchSeries(c)
	if err != nil {
		return err
	}
	games := c.Uint64("games")
	if games < 2 || games%2 != 0 || games > 1<<32 {
		return app.Usage("games %d: want an even number from 2", games)
	}
	threads := runtime.GOMAXPROCS(0)
	if c.IsSet("workers") {
		threads = c.Int("workers")
	}
	if threads < 1 || threads > maxWorkers {
		return app.Usage("workers %d: want 1 to %d", threads, maxWorkers)
	}
	t, err := playMatch(c.Context, s, games/2, threads)
	if err != nil {
		return err
	}
	r := matchResult{Game: s.Game.Name, A: s.Players[0].String(), B: s.Players[1].String(), tally: t}
	r.Elo, r.EloLow, r.EloHigh = t.elo()
	if c.Bool("json") {
		return encode.NewJSON(c.App.Writer).Encode(r)
	}
	return r.print(c.App.Writer)
}

// matchSeries returns the games in which A moves first.
func matchSeries(c *cli.Context) (s workers.Series, err error) {
	if s.Game, s.Variant, err = chosenGame(c); err != nil {
		return s, err
	}
	for side, flag := range [2]string{"a", "b"} {
		text, err := app.Required(c, flag)
		if err != nil {
			return s, err
		}
		if s.Players[side], err = workers.ParsePlayer(&s.Game.Game, text); err != nil {
			return s, app.Usage("%v", err)
		}
	}
	s.Seed = c.Uint64("seed")
	if s.MaxPlies, err = chosenMaxPlies(c, &s.Game.Game); err != nil {
		return s, err
	}
	_, err = choosePlay(c, &s)
	return s, err
}

// playMatch plays pairs of games, so many games at once. Game i of both halves begins
// from the same dice, so with the same opening.
func playMatch(ctx context.Context, s workers.Series, pairs uint64, threads int) (sum tally, err error) {
	swapped := s
	swapped.Players[0], swapped.Players[1] = s.Players[1], s.Players[0]
	var halves [2]tally
	g, ctx := errgroup.WithContext(ctx) // an error in one half ends the other
	g.SetLimit(min(threads, len(halves)))
	for i, half := range [2]workers.Series{s, swapped} {
		g.Go(func() error {
			pool := workers.Start(half, max(1, (threads+i)/2))
			defer pool.Close()
			return pool.Play(ctx, workers.Games(0, pairs), nil, func(r *engine.Record) error {
				halves[i].count(r.Outcome, engine.Side(i))
				return nil
			})
		})
	}
	err = g.Wait()
	for _, h := range halves {
		sum.Wins += h.Wins
		sum.Losses += h.Losses
		sum.Draws += h.Draws
	}
	return sum, err
}

// count adds a game in which A had a side.
func (t *tally) count(o engine.Outcome, a engine.Side) {
	switch o.For(a) {
	case 1:
		t.Wins++
	case -1:
		t.Losses++
	default:
		t.Draws++
	}
}

// elo returns by how much A is stronger, with 95 % confidence. Half a win is added
// to each side, so that it is finite. The games are taken as independent, though the two
// of an opening are not: where openings favour a side, the true interval is narrower.
func (t tally) elo() (elo, low, high float64) {
	wins, losses, draws := float64(t.Wins)+0.5, float64(t.Losses)+0.5, float64(t.Draws)
	n := wins + losses + draws
	mean := (wins + draws/2) / n
	variance := (wins*sq(1-mean) + draws*sq(0.5-mean) + losses*sq(mean)) / n
	margin := 1.96 * math.Sqrt(variance/n)
	edge := 0.25 / n
	return difference(mean), difference(max(mean-margin, edge)), difference(min(mean+margin, 1-edge))
}

func sq(x float64) float64 { return x * x }

// difference returns the Elo difference that an expected score stands for.
func difference(score float64) float64 { return 400 * math.Log10(score/(1-score)) }

func (r *matchResult) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s against %s: %d wins, %d losses, %d draws\nElo %+.0f (%+.0f to %+.0f)\n",
		r.A, r.B, r.Wins, r.Losses, r.Draws, r.Elo, r.EloLow, r.EloHigh)
	return err
}
