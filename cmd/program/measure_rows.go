package program

import (
	"context"
	"os"
	"runtime"
	"time"

	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/workers"
)

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
		if took := time.Since(begin); took > d/2 && before.Rows > 0 {
			more := info.BytesPerRow()*float64(info.Rows) - before.BytesPerRow()*float64(before.Rows)
			return rate(info.Rows, took), more / float64(info.Rows-before.Rows), nil
		}
		before = info
	}
}

// makeTemporary makes a dataset, sums it up and removes it.
func makeTemporary(ctx context.Context, t *content, games uint64) (info datasets.Info, err error) {
	dir, err := os.MkdirTemp("", "selfplay-bench-")
	if err != nil {
		return info, err
	}
	defer os.RemoveAll(dir)
	j := &job{content: t, out: dir, games: games, workers: runtime.GOMAXPROCS(0)}
	if _, err := j.make(ctx, progress.Silent()); err != nil {
		return info, err
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		return info, err
	}
	return ds.Info()
}
