package program

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/networks"
	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

func benchCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:  "bench",
		Usage: "measure speed, and print a fingerprint that is the same on every machine",
		Description: `Examples:
selfplay bench
selfplay bench --game chess --player ab:depth=2 --seconds 30 --json
`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "game", Category: groupGame, Value: games[0].Name, Usage: "`NAME` of the game"},
			&cli.StringFlag{Name: "variant", Category: groupGame, DefaultText: "the game's first", Usage: "`NAME` of the variant of its rules: " + variantList(games)},
			engineFlag(games),
			&cli.StringFlag{Name: "player", Category: groupPlayers, Value: "random", Usage: "`PLAYER` of both sides"},
			&cli.Float64Flag{Name: "seconds", Category: groupOutput, Value: 10, Usage: "measure for about `N` seconds in all"},
			jsonFlag(),
		}, modelFlags()...),
		Action: runBench,
	}
}

// figures are what bench prints. Bytes per row are those of the position files, as in the
// summary of a run.
type figures struct {
	Game            string  `json:"game"`
	PliesPerS       float64 `json:"plies_per_s"`          // play alone, one worker
	ListsPerS       float64 `json:"lists_per_s"`          // full lists of legal moves, one goroutine
	PerftNodesPerS  float64 `json:"perft_nodes_per_s"`    // from the start, one goroutine; the last ply is counted, not played
	RowsPerSList    float64 `json:"rows_per_s_list"`      // a whole dataset, all workers, list boards
	RowsPerSPacked  float64 `json:"rows_per_s_packed"`    // the same with packed boards
	BytesPerRowList float64 `json:"bytes_per_row_list"`   // with list boards
	BytesPerRowPack float64 `json:"bytes_per_row_packed"` // with packed boards
	Fingerprint     string  `json:"fingerprint"`          // of fixed games
}

// timedMeasures is the number of measurements that share --seconds equally.
const timedMeasures = 5

func runBench(c *cli.Context) error {
	if err := noArgs(c); err != nil {
		return err
	}
	set, err := modelsFrom(c)
	if err != nil {
		return err
	}
	defer set.Close()
	s, err := benchSeries(c, set)
	if err != nil {
		return err
	}
	seconds := c.Float64("seconds")
	if !(seconds > 0 && seconds <= 86400) {
		return usagef("seconds %v: want more than 0 and at most 86400", seconds)
	}
	f, err := measure(c.Context, s, time.Duration(seconds/timedMeasures*float64(time.Second)))
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return encode.NewJSON(c.App.Writer).Encode(f)
	}
	return f.print(c.App.Writer)
}

// benchSeries returns the games to measure. Their seed is fixed.
func benchSeries(c *cli.Context, set *modelSet) (s workers.Series, err error) {
	if s.Game, s.Variant, err = gameFrom(c); err != nil {
		return s, err
	}
	find := set.WithoutEngines(s.Game, s.Variant, networks.Finder())
	player, err := ownPlayer(c, &s.Game.Game, c.String("player"), find)
	if err != nil {
		return s, err
	}
	if err := set.RefuseUnused(); err != nil {
		return s, err
	}
	s.Players = [2]workers.PlayerSpec{player, player}
	if err := checkTables(s.Memory(0), lowerHash); err != nil {
		return s, err
	}
	s.Seed, s.MaxPlies = 1, s.Game.MaxPlies
	s.Opening = defaultOpening(&s)
	return s, nil
}

// print writes the figures as a table.
func (f *figures) print(w io.Writer) error {
	perSecond := func(n float64) string { return human.Number(uint64(n)) }
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range [][2]string{
		{"game", f.Game},
		{"plies/s, play alone, one worker", perSecond(f.PliesPerS)},
		{"lists of legal moves/s", perSecond(f.ListsPerS)},
		{"perft nodes/s", perSecond(f.PerftNodesPerS)},
		{"rows/s of a dataset, list boards", perSecond(f.RowsPerSList)},
		{"rows/s of a dataset, packed boards", perSecond(f.RowsPerSPacked)},
		{"bytes per row, list boards", fmt.Sprintf("%.2f", f.BytesPerRowList)},
		{"bytes per row, packed boards", fmt.Sprintf("%.2f", f.BytesPerRowPack)},
		{"fingerprint", f.Fingerprint},
	} {
		fmt.Fprintf(t, "%s\t%s\n", line[0], line[1])
	}
	return t.Flush()
}

// measure takes all figures, each in about d.
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
	if f.RowsPerSList, f.BytesPerRowList, err = rowsPerSecond(ctx, s, plan.List, d); err != nil {
		return f, err
	}
	f.RowsPerSPacked, f.BytesPerRowPack, err = rowsPerSecond(ctx, s, plan.Packed, d)
	return f, err
}

// fingerprint hashes 64 games with the results of their searches. Two builds that play or
// search differently have different fingerprints. Its bytes are not those of a journal, in which fields may be added:
// fingerprints of two releases can be compared.
func fingerprint(ctx context.Context, s workers.Series) (string, error) {
	pool := workers.Start(s, 0)
	defer pool.Close()
	sum := sha256.New()
	err := pool.Play(ctx, workers.Games(0, 64), nil, func(r *engine.Record) error {
		plies := uint64(len(r.Actions))
		for _, v := range []any{r.Game, plies, r.Actions, r.MoveRanks, r.Outcome.Result, r.Outcome.Reason,
			r.Best, r.Scores, r.Nodes, r.PolicySize, r.PolicyAction, r.PolicyWeight} {
			if err := binary.Write(sum, binary.LittleEndian, v); err != nil {
				return err
			}
		}
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)[:8]), err
}

// pliesPerSecond measures play alone, by one worker on one processor. On several
// processors, each short game would also pay for waking a sleeping one.
func pliesPerSecond(ctx context.Context, s workers.Series, d time.Duration) (float64, error) {
	gamesPerCheck := uint64(16) // games between two readings of the clock
	if s.Searches() {
		gamesPerCheck = 1
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	pool := workers.Start(s, 1)
	defer pool.Close()
	begin := time.Now()
	for first := uint64(0); time.Since(begin) < d; first += gamesPerCheck {
		if err := pool.Play(ctx, workers.Games(first, gamesPerCheck), nil, func(*engine.Record) error { return nil }); err != nil {
			return 0, err
		}
	}
	_, plies := pool.Progress()
	return rateOf(plies, time.Since(begin)), nil
}

// listsPerSecond plays each game twice, with and without a list of the legal moves at each
// ply. The difference in time is the cost of the lists.
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
			_, ok = pos.DoRandom(src)
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
	return rateOf(listed, cost), nil
}

// nodesPerSecond counts from the start, at the greatest depth that the time allows.
func nodesPerSecond(ctx context.Context, s workers.Series, d time.Duration) (float64, error) {
	pos := s.Game.New(s.Variant)
	branching := time.Duration(len(pos.Moves(nil)))
	depth, begin := 1, time.Now()
	var nodes uint64
	for spent := time.Duration(0); spent < d; spent = time.Since(begin) {
		last := time.Now()
		n, err := countMoves(ctx, pos, depth)
		if err != nil {
			return 0, err
		}
		nodes += n
		took := time.Since(last)
		if took*branching < d && depth < maxDepth {
			depth, nodes, begin = depth+1, 0, time.Now()
		}
	}
	return rateOf(nodes, time.Since(begin)), nil
}

// rateOf returns n per second.
func rateOf(n uint64, d time.Duration) float64 {
	return float64(n) / max(d, time.Microsecond).Seconds()
}

// rowsPerSecond makes temporary datasets, each twice as large as the one before, until the second or a later
// one takes at least d/2. Each has a shard per processor at least, and the first one a game: a game of a
// player that searches may take seconds. Bytes are those that the last one has more than the one before, so
// the metadata of its files, which no larger dataset has twice, do not count.
func rowsPerSecond(ctx context.Context, s workers.Series, boardType string, d time.Duration) (rows, bytesPerRow float64, err error) {
	t := newContent(s)
	t.plan.BoardType = boardType
	t.plan.Validation = plan.DefaultValidation
	processors := runtime.GOMAXPROCS(0)
	var before datasets.Info
	for games := processors; ; games *= 2 {
		t.plan.ShardGames = min(games/processors, plan.DefaultShardGames)
		begin := time.Now()
		info, err := makeTemporary(ctx, t, uint64(games))
		if err != nil {
			return 0, 0, err
		}
		took := time.Since(begin)
		if took > d/2 && before.Rows > 0 {
			more := info.BytesPerRow()*float64(info.Rows) - before.BytesPerRow()*float64(before.Rows)
			return rateOf(info.Rows, took), more / float64(info.Rows-before.Rows), nil
		}
		before = info
	}
}

// makeTemporary makes a dataset, sums it up and removes it.
func makeTemporary(ctx context.Context, t *runContent, games uint64) (info datasets.Info, err error) {
	dir, err := os.MkdirTemp("", "selfplay-bench-")
	if err != nil {
		return info, err
	}
	defer os.RemoveAll(dir)
	j := &runJob{runContent: t, out: dir, games: games, workers: runtime.GOMAXPROCS(0)}
	if _, err := j.make(ctx, silentMeter()); err != nil {
		return info, err
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		return info, err
	}
	return ds.Info()
}
