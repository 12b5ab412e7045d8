package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/program"
	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

func benchCommand() *cli.Command {
	return &cli.Command{
		Name:  "bench",
		Usage: "measure this machine, and check that it plays as any other",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "game", Value: encode.Games()[0].Name, Usage: "`NAME` of the game"},
			&cli.StringFlag{Name: "variant", Usage: "`NAME` of the variant"},
			&cli.Float64Flag{Name: "seconds", Value: 10, Usage: "about how long to measure, in all"},
			&cli.StringFlag{Name: "player", Value: "random", Usage: "`PLAYER` of both sides"},
			&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
		},
		Action: runBench,
	}
}

// figures are what bench prints.
type figures struct {
	Game            string  `json:"game"`
	PliesPerS       float64 `json:"plies_per_s"`          // play alone, one worker
	ListsPerS       float64 `json:"lists_per_s"`          // full lists of legal moves, one goroutine
	PerftNodesPerS  float64 `json:"perft_nodes_per_s"`    // from the start, the last ply counted, one goroutine
	RowsPerSList    float64 `json:"rows_per_s_list"`      // end to end, all workers
	RowsPerSPacked  float64 `json:"rows_per_s_packed"`    // the same with packed boards
	BytesPerRowList float64 `json:"bytes_per_row_list"`   // of the positions' files
	BytesPerRowPack float64 `json:"bytes_per_row_packed"` // the same with packed boards
	Fingerprint     string  `json:"fingerprint"`          // of fixed games; equal on every machine
}

// measures is how many figures take time; each has an equal share of it.
const measures = 5

func runBench(c *cli.Context) error {
	if err := program.NoArgs(c); err != nil {
		return err
	}
	s, err := benchSeries(c)
	if err != nil {
		return err
	}
	seconds := c.Float64("seconds")
	if !(seconds > 0 && seconds <= 86400) {
		return program.Usage("seconds %v: want more than 0 and at most 86400", seconds)
	}
	f, err := measure(c.Context, s, time.Duration(seconds/measures*float64(time.Second)))
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return program.JSON(c.App.Writer).Encode(f)
	}
	return f.print(c.App.Writer)
}

// benchSeries returns the games that are measured, always from the same seed.
func benchSeries(c *cli.Context) (s workers.Series, err error) {
	if s.Game, s.Variant, err = chosenGame(c); err != nil {
		return s, err
	}
	player, err := workers.ParsePlayer(c.String("player"))
	if err != nil {
		return s, program.Usage("%v", err)
	}
	s.Players = [2]workers.PlayerSpec{player, player}
	s.Seed, s.MaxPlies = 1, s.Game.MaxPlies
	return s, nil
}

// measure takes every figure, each for about d.
func measure(ctx context.Context, s workers.Series, d time.Duration) (f figures, err error) {
	f.Game = s.Game.Name
	if f.Fingerprint, err = fingerprint(ctx, s); err != nil {
		return f, err
	}
	if f.PliesPerS, err = pliesPerSecond(ctx, s, d); err != nil {
		return f, err
	}
	if f.ListsPerS, err = listsPerSecond(ctx, s, d); err != nil {
		return f, err
	}
	if f.PerftNodesPerS, err = nodesPerSecond(ctx, s, d); err != nil {
		return f, err
	}
	if f.RowsPerSList, f.BytesPerRowList, err = rowsPerSecond(ctx, s, datasets.List, d); err != nil {
		return f, err
	}
	f.RowsPerSPacked, f.BytesPerRowPack, err = rowsPerSecond(ctx, s, datasets.Packed, d)
	return f, err
}

// fingerprint hashes 64 games. It differs between two builds that do not play
// the same.
func fingerprint(ctx context.Context, s workers.Series) (string, error) {
	pool := workers.Start(s, 0)
	defer pool.Close()
	sum := sha256.New()
	err := pool.Play(ctx, 0, 64, func(r *engine.Record) error {
		plies := uint64(len(r.Actions))
		for _, v := range []any{r.Game, plies, r.Actions, r.Ranks, r.Outcome.Result, r.Outcome.Reason} {
			if err := binary.Write(sum, binary.LittleEndian, v); err != nil {
				return err
			}
		}
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)[:8]), err
}

func pliesPerSecond(ctx context.Context, s workers.Series, d time.Duration) (float64, error) {
	const games = 16 // between two looks at the clock
	pool := workers.Start(s, 1)
	defer pool.Close()
	begin := time.Now()
	for first := uint64(0); time.Since(begin) < d; first += games {
		if err := pool.Play(ctx, first, games, func(*engine.Record) error { return nil }); err != nil {
			return 0, err
		}
	}
	_, plies := pool.Progress()
	return rate(plies, time.Since(begin)), nil
}

// listsPerSecond plays every game twice, with and without a list at each ply;
// the difference is what lists cost.
func listsPerSecond(ctx context.Context, s workers.Series, d time.Duration) (float64, error) {
	pos := s.Game.New(s.Variant)
	var list []engine.Move
	play := func(game uint64, lists bool) (plies uint64, took time.Duration) {
		src := rand.NewPCG(s.Seed, game)
		pos.Reset()
		begin := time.Now()
		for ok := true; ok && plies < uint64(s.MaxPlies); plies++ {
			if lists {
				list = pos.Moves(list[:0])
			}
			_, ok = pos.Random(src)
		}
		return plies, time.Since(begin)
	}
	var listed uint64
	var spent, cost time.Duration
	for game := uint64(0); spent < d; game++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		_, without := play(game, false)
		n, with := play(game, true)
		listed += n
		cost += with - without
		spent += with + without
	}
	return rate(listed, cost), nil
}

// nodesPerSecond counts from the start as deep as the time allows.
func nodesPerSecond(ctx context.Context, s workers.Series, d time.Duration) (float64, error) {
	pos := s.Game.New(s.Variant)
	branching := time.Duration(len(pos.Moves(nil)))
	depth, begin := 1, time.Now()
	var nodes uint64
	for spent := time.Duration(0); spent < d; spent = time.Since(begin) {
		last := time.Now()
		n, err := count(ctx, pos, depth)
		if err != nil {
			return 0, err
		}
		nodes += n
		if took := time.Since(last); took*branching < d && depth < maxDepth {
			depth, nodes, begin = depth+1, 0, time.Now()
		}
	}
	return rate(nodes, time.Since(begin)), nil
}

// rowsPerSecond makes datasets that are thrown away, each twice as large as the
// one before, until one takes long enough to be measured.
func rowsPerSecond(ctx context.Context, s workers.Series, boardType string, d time.Duration) (rows, bytesPerRow float64, err error) {
	t := newTask(s, &s.Game.Layouts[0])
	t.plan.BoardType = boardType
	t.plan.Validation = datasets.DefaultValidation
	t.plan = t.plan.WithDefaults()
	for games := uint64(t.plan.ShardGames); ; games *= 2 {
		begin := time.Now()
		rows, bytes, err := makeThrowaway(ctx, t, games)
		if err != nil {
			return 0, 0, err
		}
		if took := time.Since(begin); took > d/2 {
			return rate(rows, took), float64(bytes) / float64(rows), nil
		}
	}
}

// makeThrowaway makes a dataset of t in a directory that is then removed.
func makeThrowaway(ctx context.Context, t *task, games uint64) (rows uint64, bytes int64, err error) {
	dir, err := os.MkdirTemp("", "selfplay-bench-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	e := &errand{task: t, out: dir, games: games, workers: runtime.GOMAXPROCS(0)}
	silent := newProgress(e, slog.New(slog.DiscardHandler), io.Discard, true)
	if _, err := e.make(ctx, silent); err != nil {
		return 0, 0, err
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		return 0, 0, err
	}
	commits, err := ds.Commits()
	for _, c := range commits {
		rows += c.Rows
		bytes += c.Files[0].Bytes
	}
	return rows, bytes, err
}

// rate returns n a second.
func rate(n uint64, d time.Duration) float64 {
	return float64(n) / max(d, time.Microsecond).Seconds()
}

// print writes the figures as a table.
func (f *figures) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range [][2]string{
		{"game", f.Game},
		{"plies/s, play alone, one worker", number(uint64(f.PliesPerS))},
		{"lists of legal moves/s", number(uint64(f.ListsPerS))},
		{"perft nodes/s", number(uint64(f.PerftNodesPerS))},
		{"rows/s end to end, list boards", number(uint64(f.RowsPerSList))},
		{"rows/s end to end, packed boards", number(uint64(f.RowsPerSPacked))},
		{"bytes a row, list boards", fmt.Sprintf("%.2f", f.BytesPerRowList)},
		{"bytes a row, packed boards", fmt.Sprintf("%.2f", f.BytesPerRowPack)},
		{"fingerprint", f.Fingerprint},
	} {
		fmt.Fprintf(t, "%s\t%s\n", line[0], line[1])
	}
	return t.Flush()
}
