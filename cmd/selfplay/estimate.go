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

// estimate is what a run would take.
type estimate struct {
	*job
	hash    string // of the plan
	games   uint64 // to play
	shards  int    // to make
	trial   trial
	players float64 // bytes of memory that players and their games hold
	base    float64 // bytes of memory of the process before the trial
}

// try plays the trial.
func (e *estimate) try(ctx context.Context) error {
	live, sys := memory()
	pool := workers.Start(e.series, e.workers)
	defer pool.Close()
	o := e.options(pool.Play)
	o.OpenShards = int(min(uint64(o.OpenShards), e.games))
	begin, t := time.Now(), &e.trial
	for n := uint64(1); n > 0; n = t.next(n, e.plan, e.games) {
		round, err := datasets.EstimateRun(ctx, e.plan, t.Games, n, o)
		if err != nil {
			return err
		}
		t.Add(round)
		t.last, t.rounds, t.timing = round, t.rounds+1, pool.Timing()
		t.elapsed, t.took = time.Since(begin), time.Since(begin)-t.elapsed
	}
	after, _ := memory()
	e.players, e.base = max(0, after-live), sys
	return nil
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
	rowsPerGame := float64(t.Rows) / played
	rows, disk := float64(e.games)*rowsPerGame, e.bytes()
	took := time.Duration(float64(e.games) * float64(t.perGame(e.workers)))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "plan\t%s\n", e.hash)
	fmt.Fprintf(table, "games\t%s in %s of %s\n", app.Number(e.games), app.Count(e.shards, "shard"), app.Number(e.plan.ShardGames))
	fmt.Fprintf(table, "rows\tabout %s%s, %.1f per game of %.1f plies\n", app.Number(uint64(rows)), within(t.rowSpread()), rowsPerGame, float64(t.Plies)/played)
	fmt.Fprintf(table, "time\tabout %v%s with %s\n", took.Round(time.Second), within(t.timeSpread()), app.Count(e.workers, "worker"))
	fmt.Fprintf(table, "disk\tabout %s%s%s\n", app.Size(disk), within(t.rowSpread()), spaceWarning(e.out, disk))
	fmt.Fprintf(table, "memory\tabout %s\n", app.Size(e.memory(rowsPerGame)))
	fmt.Fprintf(table, "trial\t%s in %v; ± is a 95 %% interval; nothing was written\n", app.Count(t.Games, "game"), t.elapsed.Round(time.Millisecond))
	return table.Flush()
}

// bytes returns the size of the files of the run. Bytes per row are those of the last round.
func (e *estimate) bytes() float64 {
	t := &e.trial
	perGame := float64(t.last.Bytes) / float64(max(1, t.last.Games))
	if t.last.Rows > 0 {
		perGame *= float64(t.Rows) / float64(t.Games) / (float64(t.last.Rows) / float64(t.last.Games))
	}
	return float64(e.games) * perGame
}

// memory returns the bytes that the run holds: the process, the players, and for each open
// shard the rows of a row group, once as columns and once as encoded pages.
func (e *estimate) memory(rowsPerGame float64) float64 {
	const copies = 2
	group := min(rowsPerGame*float64(e.plan.ShardGames), colfile.PositionGroupRows)
	return e.base + e.players + float64(e.options(nil).OpenShards)*float64(e.trial.RowBytes)*group*copies
}
