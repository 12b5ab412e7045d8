package main

import (
	"context"
	"os"
	"runtime"
	"time"

	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/workers"
)

// rowsPerSecond makes temporary datasets, each twice as large as the one before, until one
// takes at least d/2. Each dataset has at least one shard per processor.
func rowsPerSecond(ctx context.Context, s workers.Series, boardType string, d time.Duration) (rows, bytesPerRow float64, err error) {
	t := newContent(s)
	t.plan.BoardType = boardType
	t.plan.Validation = datasets.DefaultValidation
	processors := runtime.GOMAXPROCS(0)
	for games := 64 * processors; ; games *= 2 {
		t.plan.ShardGames = min(games/processors, datasets.DefaultShardGames)
		begin := time.Now()
		rows, bytes, err := makeTemporary(ctx, t, uint64(games))
		if err != nil {
			return 0, 0, err
		}
		if took := time.Since(begin); took > d/2 {
			return rate(rows, took), float64(bytes) / float64(rows), nil
		}
	}
}

// makeTemporary makes a dataset of t, counts its rows and the bytes of its position files,
// and removes it.
func makeTemporary(ctx context.Context, t *content, games uint64) (rows uint64, bytes int64, err error) {
	dir, err := os.MkdirTemp("", "selfplay-bench-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	j := &job{content: t, out: dir, games: games, workers: runtime.GOMAXPROCS(0)}
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
