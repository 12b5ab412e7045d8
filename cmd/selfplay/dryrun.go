package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/workers"
)

// trialTime is how long a dry run plays, unless one game takes longer.
const trialTime = 2 * time.Second

// tryOut says what the run would make and, by a short trial, what it would take. It
// writes nothing.
func (j *job) tryOut(ctx context.Context, w io.Writer) error {
	plan, hash, err := datasets.CompletePlan(j.plan, j.shape.Description())
	if err != nil {
		return err
	}
	there, err := commitsOf(j.out, plan, hash)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(plan, "", "  ")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", text); err != nil {
		return err
	}
	e := estimate{job: j, hash: hash}
	if e.games, e.shards = plan.Remaining(j.part, there, j.games); e.games == 0 {
		_, err := fmt.Fprintf(w, "plan   %s\ngames  none: all that were asked for are there\n", hash)
		return err
	}
	if err := e.try(ctx); err != nil {
		return err
	}
	return e.print(w)
}

// commitsOf returns what is there already of a dataset in out, and refuses one of
// another plan as a run does.
func commitsOf(out string, plan datasets.Plan, hash string) ([]*datasets.Commit, error) {
	ds, err := datasets.Open(out)
	switch {
	case errors.Is(err, datasets.ErrNotDataset): // there is none yet
		return nil, nil
	case err != nil:
		return nil, err
	case ds.PlanHash() != hash:
		return nil, &datasets.PlanError{Dir: out, Differences: ds.Plan().Diff(plan)}
	}
	return ds.Commits()
}

// estimate is what a run would take.
type estimate struct {
	*job
	hash   string
	games  uint64 // that it would play
	shards int    // that these are in
	trial  datasets.Estimate
	held   float64 // bytes that players and their games hold
	before float64 // bytes of memory that the process had before it played
}

// try plays.
func (e *estimate) try(ctx context.Context) (err error) {
	live, sys := memory()
	pool := workers.Start(e.series, e.workers)
	defer pool.Close()
	e.trial, err = datasets.EstimateRun(ctx, e.plan, e.games, trialTime, e.options(pool.Play))
	after, _ := memory()
	e.held, e.before = max(0, after-live), sys
	return err
}

// memory returns how many bytes are in use, and how many the process has.
func memory() (live, sys float64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc), float64(m.Sys)
}

// print scales the trial up to the games of the run.
func (e *estimate) print(w io.Writer) error {
	t, played := &e.trial, float64(max(1, e.trial.Games))
	scale, perGame := float64(e.games)/played, float64(t.Rows)/played
	rows := min(perGame*float64(e.plan.ShardGames), colfile.PositionGroupRows)
	memory := e.before + e.held + float64(e.options(nil).Open)*float64(t.RowBytes)*rows*2 // rows, and pages made of them
	disk := scale * float64(t.Bytes)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "plan\t%s\n", e.hash)
	fmt.Fprintf(table, "games\t%s in %d shards of %s\n", number(e.games), e.shards, number(uint64(e.plan.ShardGames)))
	fmt.Fprintf(table, "rows\tabout %s, %.1f a game of %.1f plies\n", number(uint64(scale*float64(t.Rows))), perGame, float64(t.Plies)/played)
	fmt.Fprintf(table, "time\tabout %v with %d workers\n", time.Duration(scale*float64(t.Elapsed)).Round(time.Second), e.workers)
	fmt.Fprintf(table, "disk\tabout %s%s\n", sizeText(disk), tooMuch(e.out, disk))
	fmt.Fprintf(table, "memory\tabout %s\n", sizeText(memory))
	fmt.Fprintf(table, "trial\t%s games in %v; nothing was written\n", number(t.Games), t.Elapsed.Round(time.Millisecond))
	return table.Flush()
}

// tooMuch says so if the disk of out, or of where it would be made, has less room than
// that.
func tooMuch(out string, bytes float64) string {
	dir := filepath.Clean(out)
	for _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir); _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	if free, _, ok := disk.Space(dir); ok && float64(free) < bytes {
		return fmt.Sprintf(", more than the %s that are free there", sizeText(float64(free)))
	}
	return ""
}
