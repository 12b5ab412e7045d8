package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/workers"
)

// trialTime is how long a dry run plays; it finishes at least one game.
const trialTime = 2 * time.Second

// estimate is what a run would take.
type estimate struct {
	*job
	hash    string // of the plan
	games   uint64 // to play
	shards  int    // to make
	trial   datasets.Estimate
	players float64 // bytes of memory that players and their games hold
	base    float64 // bytes of memory of the process before the trial
}

// try plays the trial.
func (e *estimate) try(ctx context.Context) (err error) {
	live, sys := memory()
	pool := workers.Start(e.series, e.workers)
	defer pool.Close()
	e.trial, err = datasets.EstimateRun(ctx, e.plan, e.games, trialTime, e.options(pool.Play))
	after, _ := memory()
	e.players, e.base = max(0, after-live), sys
	return err
}

// memory returns the bytes of live objects and the bytes that the process has from the
// system.
func memory() (live, sys float64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc), float64(m.Sys)
}

// print scales the trial to the games of the run.
func (e *estimate) print(w io.Writer) error {
	t, played := &e.trial, float64(max(1, e.trial.Games))
	scale, rowsPerGame := float64(e.games)/played, float64(t.Rows)/played
	disk := scale * float64(t.Bytes)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "plan\t%s\n", e.hash)
	fmt.Fprintf(table, "games\t%s in %s of %s\n", app.Number(e.games), app.Count(e.shards, "shard"), app.Number(e.plan.ShardGames))
	fmt.Fprintf(table, "rows\tabout %s, %.1f per game of %.1f plies\n", app.Number(uint64(scale*float64(t.Rows))), rowsPerGame, float64(t.Plies)/played)
	fmt.Fprintf(table, "time\tabout %v with %s\n", time.Duration(scale*float64(t.Elapsed)).Round(time.Second), app.Count(e.workers, "worker"))
	fmt.Fprintf(table, "disk\tabout %s%s\n", app.Size(disk), spaceWarning(e.out, disk))
	fmt.Fprintf(table, "memory\tabout %s\n", app.Size(e.memory(rowsPerGame)))
	fmt.Fprintf(table, "trial\t%s in %v; nothing was written\n", app.Count(t.Games, "game"), t.Elapsed.Round(time.Millisecond))
	return table.Flush()
}

// memory returns the bytes that the run holds: the process, the players, and for each open
// shard the rows of a row group, once as columns and once as encoded pages.
func (e *estimate) memory(rowsPerGame float64) float64 {
	const copies = 2
	group := min(rowsPerGame*float64(e.plan.ShardGames), colfile.PositionGroupRows)
	return e.base + e.players + float64(e.options(nil).OpenShards)*float64(e.trial.RowBytes)*group*copies
}
