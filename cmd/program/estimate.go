package program

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"text/tabwriter"
	"time"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets/colfile"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/status"
	"selfplay/workers"
)

// estimate is what a run would take.
type estimate struct {
	*job
	plan    plan.Plan // that of the job, complete
	hash    string    // of the plan
	games   uint64    // to play
	shards  int       // to make
	trial   trial
	run     status.Run // the trial as its progress counted it
	players float64    // bytes of memory that players and their games hold
	base    float64    // bytes of memory of the process before the trial
}

// try plays the trial. p shows how far it is.
func (e *estimate) try(ctx context.Context, p *progress.Progress) error {
	live, sys := memory()
	pool := workers.Start(e.series, e.workers)
	defer pool.Close()
	p.Start()
	defer p.Watch(pool)()
	o := e.options(pool.Play)
	o.Rows = p.CountRows(o.Rows)
	o.OpenShards = int(min(uint64(o.OpenShards), e.games))
	begin, t := time.Now(), &e.trial
	for n := uint64(1); n > 0; n = t.next(n, e.plan, e.games) {
		round, err := making.EstimateRun(ctx, e.plan, t.Games, n, o)
		if err != nil {
			return err
		}
		t.Add(round)
		t.last, t.rounds, t.timing = round, t.rounds+1, pool.Timing()
		t.elapsed, t.took = time.Since(begin), time.Since(begin)-t.elapsed
	}
	after, _ := memory()
	e.players, e.base, e.run = max(0, after-live), sys, p.Look()
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

// estimateSummary is the JSON of a dry run. A spread is the half width of the 95 % interval,
// as a share of the number; it is null if the trial had too few games.
type estimateSummary struct {
	Plan        plan.Plan `json:"plan"`
	PlanHash    string    `json:"plan_hash"`
	Games       uint64    `json:"games"`      // to play
	Train       uint64    `json:"train"`      // games of the whole dataset that belong to this split
	Validation  uint64    `json:"validation"` // the same
	Shards      int       `json:"shards"`
	Rows        float64   `json:"rows"`
	RowsSpread  *float64  `json:"rows_spread"`
	Bytes       float64   `json:"bytes"` // has the spread of the rows
	TimeS       float64   `json:"time_s"`
	TimeSpread  *float64  `json:"time_spread"`
	MemoryBytes float64   `json:"memory_bytes"`
	Nodes       float64   `json:"nodes_per_decision"` // that was searched; 0 without any
	TrialGames  uint64    `json:"trial_games"`
	TrialS      float64   `json:"trial_s"`
}

// summary scales the trial to the games of the run. Without a trial, the run has no games.
func (e *estimate) summary() estimateSummary {
	t, s := &e.trial, estimateSummary{Plan: e.plan, PlanHash: e.hash, Games: e.games, Shards: e.shards}
	s.Validation = e.plan.Splits().Count(0, e.job.games)
	s.Train = e.job.games - s.Validation
	if t.Games == 0 {
		return s
	}
	s.Rows = float64(e.games) * t.rowsPerGame()
	s.Bytes, s.MemoryBytes = e.bytes(), e.memory()
	s.TimeS = float64(e.games) * t.perGame(e.workers).Seconds()
	s.Nodes = e.run.MeanNodes()
	s.TrialGames, s.TrialS = t.Games, t.elapsed.Seconds()
	s.RowsSpread, s.TimeSpread = known(t.rowSpread()), known(t.timeSpread())
	return s
}

// known returns nil for NaN, which JSON does not have.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// print prints the estimate for people.
func (e *estimate) print(w io.Writer) error {
	if e.games == 0 {
		_, err := fmt.Fprintf(w, "plan   %s\ngames  none: the dataset has all games of this command\n", e.hash)
		return err
	}
	t, s := &e.trial, e.summary()
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "plan\t%s\n", s.PlanHash)
	fmt.Fprintf(table, "games\t%s in %s of %s\n", human.Number(s.Games), human.Count(s.Shards, "shard"), human.Number(e.plan.ShardGames))
	fmt.Fprintf(table, "split\t%s and %s\n", human.Count(s.Train, "training game"), human.Count(s.Validation, "validation game"))
	fmt.Fprintf(table, "rows\tabout %s%s, %.1f per game of %.1f plies\n", human.Number(uint64(s.Rows)), within(t.rowSpread()),
		t.rowsPerGame(), float64(t.Plies)/float64(t.Games))
	if e.run.Searches > 0 {
		fmt.Fprintf(table, "searches\t%s\n", searchText(&e.run))
	}
	fmt.Fprintf(table, "time\tabout %v%s with %s\n", (time.Duration(s.TimeS * float64(time.Second))).Round(time.Second),
		within(t.timeSpread()), human.Count(e.workers, "worker"))
	fmt.Fprintf(table, "disk\tabout %s%s%s\n", human.Size(s.Bytes), within(t.rowSpread()), spaceWarning(e.out, s.Bytes))
	fmt.Fprintf(table, "memory\tabout %s\n", human.Size(s.MemoryBytes))
	fmt.Fprintf(table, "trial\t%s in %v; ± is a 95 %% interval; nothing was written\n", human.Count(t.Games, "game"), t.elapsed.Round(time.Millisecond))
	return table.Flush()
}

// bytes returns the size of the files of the run. Bytes per row are those of the last round.
func (e *estimate) bytes() float64 {
	t := &e.trial
	perGame := float64(t.last.Bytes) / float64(t.last.Games)
	if t.last.Rows > 0 {
		perGame = t.rowsPerGame() * float64(t.last.Bytes) / float64(t.last.Rows)
	}
	return float64(e.games) * perGame
}

// memory returns the bytes that the run holds: the process, the players, and for each open
// shard the rows of a row group, once as columns and once as encoded pages.
func (e *estimate) memory() float64 {
	const copies = 2
	group := min(e.trial.rowsPerGame()*float64(e.plan.ShardGames), colfile.PositionGroupRows)
	return e.base + e.players + float64(e.options(nil).OpenShards)*float64(e.trial.RowBytes)*group*copies
}
