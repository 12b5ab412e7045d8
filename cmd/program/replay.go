package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

func replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "play one game of a dataset again from its seed and print its record as JSON",
		ArgsUsage: "DIR",
		UsageText: "--game-index N [flags] DIR",
		Description: `Examples:
selfplay replay --game-index 7 data/demo
selfplay replay --game-index 7 --book book.txt data/opened
`,
		Flags: slices.Concat(storeFlags(), modelFlags(), []cli.Flag{
			countFlag("game-index", 0, groupGame, "`N` of the game, from 0; the dataset need not have it yet"),
			&cli.StringFlag{Name: "book", Category: groupOpenings, Usage: "`FILE` of the opening book, if the plan has one"},
		}),
		Action: runReplay,
	}
}

func runReplay(c *cli.Context) error {
	dir, err := dirArg(c)
	if err != nil {
		return err
	}
	if err := requireFlags(c, "game-index"); err != nil {
		return err
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		return explainDamage(c, dir, err)
	}
	set, err := modelsFrom(c)
	if err != nil {
		return err
	}
	defer set.Close()
	series, err := seriesOfPlan(c.Context, catalogOf(c), dir, ds.Plan(), c.String("book"), set)
	if err != nil {
		return err
	}
	if err := checkTables(series.Memory(1), largerMachine); err != nil {
		return err
	}
	return replay(c.Context, series, c.Uint64("game-index"), ds.PlanHash(), c.App.Writer)
}

// playedGame says which game was played again, with the members that begin the JSON of both ends of it.
type playedGame struct {
	Game     uint64    `json:"game"`
	Seed     uint64    `json:"seed,string"`
	PlanHash string    `json:"plan_hash"`
	Players  [2]string `json:"players"`
	Start    string    `json:"start"`
}

// replayed is the JSON form of a record.
type replayed struct {
	playedGame
	OpeningPlies uint16   `json:"opening_plies"`
	Plies        int      `json:"plies"`
	Result       string   `json:"result"`
	Reason       string   `json:"reason"`
	Turns        []string `json:"turns"` // as people write them
	Moves        []string `json:"moves"` // as programs do, one a ply
	Actions      []uint16 `json:"actions"`
	Ranks        numbers  `json:"move_ranks"`
	Best         []uint16 `json:"best_actions,omitempty"` // this and the rest only if a player searched
	Scores       []int16  `json:"scores,omitempty"`
	Nodes        []uint32 `json:"nodes,omitempty"`
	PolicySize   []uint16 `json:"policy_size,omitempty"`
	PolicyAction []uint16 `json:"policy_action,omitempty"`
	PolicyWeight []uint16 `json:"policy_weight,omitempty"`
}

// numbers are bytes that JSON writes as numbers; it writes []uint8 as base64.
type numbers []int

func numbersOf(list []uint8) numbers {
	out := make(numbers, len(list))
	for i, v := range list {
		out[i] = int(v)
	}
	return out
}

// replay plays game n and prints its record. If the game panics, it prints the failure
// instead.
func replay(ctx context.Context, s workers.Series, n uint64, hash string, w io.Writer) error {
	pool := workers.Start(s, 1)
	defer pool.Close()
	err := pool.Play(ctx, []uint64{n}, nil, func(r *engine.Record) error {
		return encode.NewJSON(w).Encode(replayed{
			playedGame: playedGame{r.Game, s.Seed, hash, r.Players, r.Start}, OpeningPlies: r.OpeningPlies,
			Plies: len(r.Actions), Result: s.Game.Results()[r.Outcome.Result], Reason: s.Game.ReasonName(r.Outcome.Reason),
			Turns: turnsOf(&s.Game, s.Variant, r), Moves: movesOf(s.Game, s.Variant, r), Actions: r.Actions, Ranks: numbersOf(r.MoveRanks),
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

// gameFailure is the record of a game that panicked. Seed and game number are enough to replay
// it; the rest says where to look.
type gameFailure struct {
	playedGame
	Moves   []string `json:"moves"` // before the panic
	Actions []uint16 `json:"actions"`
	Panic   string   `json:"panic"`
	Stack   string   `json:"stack"`
}

func newFailure(s *workers.Series, fault *workers.PanicError) gameFailure {
	f := gameFailure{
		playedGame: playedGame{Game: fault.Game, Seed: fault.Seed}, Panic: fmt.Sprint(fault.Value), Stack: string(fault.Stack), Moves: []string{}, Actions: []uint16{},
	}
	r := fault.Record
	if r != nil {
		f.Players, f.Start, f.Actions, f.Moves = r.Players, r.Start, append(f.Actions, r.Actions...), movesOf(s.Game, s.Variant, r)
	}
	return f
}

// turnsOf returns the turns of a record as players write them.
func turnsOf(g *encode.Game, variant string, r *engine.Record) []string {
	turns := []string{}
	_ = g.Turns(g.New(variant), r, func(t encode.Turn) { turns = append(turns, t.Text) }) // the game was played by the rules
	return turns
}

// movesOf returns the moves of a record as text. If a move panics, as in the game, or breaks
// the rules, it returns the moves before it.
func movesOf(g encode.Game, variant string, r *engine.Record) (moves []string) {
	moves = []string{}
	defer func() { _ = recover() }()
	pos := g.New(variant)
	_ = g.Replay(pos, r, func(_ int, m engine.Move) { moves = append(moves, pos.FormatMove(m)) })
	return moves
}
