package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

func replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "play one game of a dataset's plan again, from its seed, and print its record as a line of JSON",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.Uint64Flag{Name: "game-index", Usage: "`N` of the game, from 0, whether it is in the dataset yet or not"},
			&cli.StringFlag{Name: "book", Usage: "the `FILE` of the openings, if the plan has one"},
		},
		Action: runReplay,
	}
}

func runReplay(c *cli.Context) error {
	dir, err := app.Dir(c)
	if err != nil {
		return err
	}
	if !c.IsSet("game-index") {
		return app.Usage("flag --game-index is missing")
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		return app.Damaged(c, dir, err)
	}
	if from, ok := madeFrom(ds.Plan()); ok {
		return app.Usage("read %s: its games come from other datasets: replay them there: plan %s", dir, from)
	}
	series, err := seriesOf(ds.Plan(), c.String("book"))
	if err != nil {
		return app.Usage("read %s: %v", dir, err)
	}
	return replay(c.Context, series, c.Uint64("game-index"), ds.PlanHash(), c.App.Writer)
}

// madeFrom returns the hashes of the plans whose games export dedup has put together.
func madeFrom(p datasets.Plan) (plans string, ok bool) {
	var list []string
	for _, text := range p.Play {
		if from, ok := strings.CutPrefix(text, "from="); ok {
			hash, _, _ := strings.Cut(from, ":")
			list = append(list, hash)
		}
	}
	return strings.Join(list, ", "), list != nil
}

// seriesOf is the way back from a plan to what is played. It refuses a plan that this
// program would play otherwise.
func seriesOf(p datasets.Plan, bookPath string) (s workers.Series, err error) {
	shape, err := rows.Of(p)
	if err != nil {
		return s, err
	}
	s = workers.Series{Game: shape.Game, Variant: p.Variant, Seed: p.Seed, MaxPlies: p.MaxPlies}
	for side, player := range p.Players {
		if s.Players[side], err = workers.ParsePlayer(&s.Game.Game, player.Spec); err != nil {
			return s, err
		}
		if v := s.Players[side].Version(); v != player.Version {
			return s, fmt.Errorf("version %d of player %s, this program has %d: %w", player.Version, player.Spec, v, datasets.ErrUnsupported)
		}
	}
	var book []string
	if bookPath != "" {
		if book, err = readBook(bookPath, &s); err != nil {
			return s, err
		}
	}
	return s, s.Restore(p.Play, book)
}

// replayed is a record as it is printed.
type replayed struct {
	Game         uint64    `json:"game"`
	Seed         uint64    `json:"seed"`
	PlanHash     string    `json:"plan_hash"`
	Players      [2]string `json:"players"`
	Start        string    `json:"start"`
	OpeningPlies uint16    `json:"opening_plies"`
	Plies        int       `json:"plies"`
	Result       string    `json:"result"`
	Reason       string    `json:"reason"`
	Moves        []string  `json:"moves"`
	Actions      []uint16  `json:"actions"`
	Ranks        numbers   `json:"move_ranks"`
	Best         []uint16  `json:"best_actions,omitempty"` // these if somebody searched
	Scores       []int16   `json:"scores,omitempty"`
	Nodes        []uint32  `json:"nodes,omitempty"`
	PolicySize   []uint16  `json:"policy_size,omitempty"`
	PolicyAction []uint16  `json:"policy_action,omitempty"`
	PolicyWeight []uint16  `json:"policy_weight,omitempty"`
}

// numbers are bytes that JSON writes as numbers.
type numbers []int

func numbersOf(list []uint8) numbers {
	out := make(numbers, len(list))
	for i, v := range list {
		out[i] = int(v)
	}
	return out
}

// replay plays game n and prints its record, or how far it came before it panicked.
func replay(ctx context.Context, s workers.Series, n uint64, hash string, w io.Writer) error {
	pool := workers.Start(s, 1)
	defer pool.Close()
	err := pool.Play(ctx, []uint64{n}, nil, func(r *engine.Record) error {
		return encode.NewJSON(w).Encode(replayed{
			Game: r.Game, Seed: s.Seed, PlanHash: hash, Players: r.Players, Start: r.Start, OpeningPlies: r.OpeningPlies,
			Plies: len(r.Actions), Result: s.Game.Results()[r.Outcome.Result], Reason: r.Outcome.Reason.String(),
			Moves: movesOf(s.Game, s.Variant, r), Actions: r.Actions, Ranks: numbersOf(r.MoveRanks),
			Best: r.Best, Scores: r.Scores, Nodes: r.Nodes,
			PolicySize: r.PolicySize, PolicyAction: r.PolicyAction, PolicyWeight: r.PolicyWeight,
		})
	})
	var fault *workers.PanicError
	if errors.As(err, &fault) {
		f := newFailure(&s, fault)
		f.PlanHash = hash
		err = errors.Join(err, encode.NewJSON(w).Encode(f))
	}
	return err
}
