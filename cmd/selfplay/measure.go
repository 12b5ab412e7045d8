package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"runtime"
	"time"

	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/engine"
	"selfplay/workers"
)

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

// fingerprint hashes 64 games, and of searched ones what was thought. It differs between
// two builds that do not play the same.
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

// pliesPerSecond measures play alone, by one worker on one processor: with more,
// each of the short games would also pay for waking a sleeping one.
func pliesPerSecond(ctx context.Context, s workers.Series, d time.Duration) (float64, error) {
	const games = 16 // between two looks at the clock
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	pool := workers.Start(s, 1)
	defer pool.Close()
	begin := time.Now()
	for first := uint64(0); time.Since(begin) < d; first += games {
		if err := pool.Play(ctx, workers.Games(first, games), nil, func(*engine.Record) error { return nil }); err != nil {
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
// one before, until one takes long enough to be measured. Each has a shard or
// more for every processor.
func rowsPerSecond(ctx context.Context, s workers.Series, boardType string, d time.Duration) (rows, bytesPerRow float64, err error) {
	t := newTask(s)
	t.plan.BoardType = boardType
	t.plan.Validation = datasets.DefaultValidation
	processors := runtime.GOMAXPROCS(0)
	for games := 64 * processors; ; games *= 2 {
		t.plan.ShardGames = min(games/processors, datasets.DefaultShardGames)
		begin := time.Now()
		rows, bytes, err := makeThrowaway(ctx, t, uint64(games))
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
	j := &job{task: t, out: dir, games: games, workers: runtime.GOMAXPROCS(0)}
	if _, err := j.make(ctx, progress.Silent()); err != nil {
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
