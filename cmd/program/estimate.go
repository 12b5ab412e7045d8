package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/encode"
	"selfplay/workers"
)

// dryRun prints what the run would take, from a short trial, and with --plan its plan. If the
// dataset exists, the estimate covers only the missing games. It keeps nothing.
func (j *runJob) dryRun(c *cli.Context) error {
	completed, hash, err := plan.Complete(j.plan, j.shape.Description())
	if err != nil {
		return err
	}
	commits, err := commitsOf(j.out, completed, hash)
	if err != nil {
		return j.models.Explain(err)
	}
	e := estimate{runJob: j, plan: completed, hash: hash}
	e.games, e.shards = making.Remaining(completed, j.task, commits, j.games)
	if e.games > 0 {
		p := newMeter("trying", 0, logOf(c), c.App.ErrWriter, isQuiet(c), "why", "--dry-run")
		if err := e.try(c.Context, p); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		return encode.NewRoundedJSON(c.App.Writer).Encode(e.summary())
	}
	if err := e.print(c.App.Writer); err != nil || !c.Bool("plan") {
		return err
	}
	return printPlan(c.App.Writer, completed)
}

func printPlan(w io.Writer, p plan.Plan) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "\n%s\n", text)
	}
	return err
}

// commitsOf returns the commits of the dataset in out, none if it does not exist. It
// refuses a dataset with another plan, as a run does.
func commitsOf(out string, p plan.Plan, hash string) ([]*record.Commit, error) {
	ds, err := datasets.Open(out)
	switch {
	case errors.Is(err, datasets.ErrNotDataset):
		return nil, nil
	case err != nil:
		return nil, err
	case ds.PlanHash() != hash:
		return nil, ds.PlanError(p)
	}
	return ds.Commits()
}

// spaceWarning returns a warning if the disk of out has less free space than needed, and ""
// if it has enough or its free space is unknown, as that of an object store.
func spaceWarning(out string, bytes float64) string {
	if disk.IsURL(out) {
		return ""
	}
	if free, _, ok := disk.Space(existingParent(out)); ok && float64(free) < bytes {
		return fmt.Sprintf(", more than the %s that are free there", human.Size(float64(free)))
	}
	return ""
}

// existingParent returns dir or the nearest of its parents that exists.
func existingParent(dir string) string {
	dir = filepath.Clean(dir)
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// estimate is what a run would take.
type estimate struct {
	*runJob
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
func (e *estimate) try(ctx context.Context, p *meter) error {
	live, sys := memoryInUse()
	t, n := &e.trial, e.trialWorkers()
	pool := workers.Start(e.series, n)
	p.Expect(min(uint64(n), e.games))
	p.Start()
	stop := p.Watch(pool)
	o := e.optionsOf(pool)
	o.Rows, o.Task, o.Rebuild, o.MinFree = p.CountRows(o.Rows), making.Task{}, false, 0
	err := t.play(ctx, pool, min(uint64(n), e.games), e.plan, e.games, o, p.Expect)
	after, _ := memoryInUse()
	stop()
	mark := processTime()
	pool.Close() // UCI engines end: now their CPU time is known
	t.cpu += processTime() - mark
	e.players, e.base, e.run = max(0, after-live)+float64(e.series.Memory(e.workers)-e.series.Memory(n)), sys, p.Look()
	return err
}

// memoryInUse returns the bytes of live objects and the bytes that the process has from the
// system.
func memoryInUse() (live, sys float64) {
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
	CPUS        float64   `json:"cpu_s"`       // of all processes: also of models and engines
	TimeSpread  *float64  `json:"time_spread"` // of both times
	Workers     int       `json:"workers"`
	Cores       int       `json:"cores"`
	StopAfterS  float64   `json:"stop_after_s,omitempty"`
	GamesFit    uint64    `json:"games_fit,omitempty"` // into that time, however many games the run has
	MemoryBytes float64   `json:"memory_bytes"`
	Nodes       float64   `json:"nodes_per_decision"` // that was searched; 0 without any
	TrialGames  uint64    `json:"trial_games"`
	TrialS      float64   `json:"trial_s"`
}

// summary scales the trial to the games of the run. Without a trial, the run has no games.
func (e *estimate) summary() estimateSummary {
	t, s := &e.trial, estimateSummary{Plan: e.plan, PlanHash: e.hash, Games: e.games, Shards: e.shards, Workers: e.workers, Cores: e.cores}
	s.Validation = e.plan.Splits().Count(0, e.runJob.games)
	s.Train = e.runJob.games - s.Validation
	if t.Games == 0 {
		return s
	}
	s.Rows = float64(e.games) * t.rowsPerGame()
	s.Bytes, s.MemoryBytes = t.bytes(e.shards, s.Rows), e.memory()
	s.CPUS, s.TimeS = e.times()
	s.StopAfterS = e.stop.after.Seconds()
	if s.StopAfterS > 0 {
		s.GamesFit = uint64(s.StopAfterS / t.perGame(e.parallel()))
	}
	s.Nodes = e.run.MeanNodes()
	s.TrialGames, s.TrialS = t.Games, t.elapsed.Seconds()
	s.RowsSpread, s.TimeSpread = knownNumber(t.rows.spread()), knownNumber(t.effort.spread())
	return s
}

// parallel returns the number of games that take CPU time at once.
func (e *estimate) parallel() int { return min(e.workers, e.cores) }

// times returns the CPU time and the time of the run. At its end, the batches of a model are not full.
func (e *estimate) times() (cpu, elapsed float64) {
	t, games := &e.trial, float64(e.games)
	parallel := int(min(uint64(e.parallel()), e.games))
	end := t.endCPU.Seconds()
	return games*t.cpu.Seconds()/float64(t.played) + end, games*t.perGame(parallel) + end/float64(parallel)
}

// knownNumber returns nil for NaN, which JSON does not have.
func knownNumber(x float64) *float64 {
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
	fmt.Fprintf(table, "rows\tabout %s%s, %.1f per game of %.1f plies\n", human.Number(uint64(s.Rows)), within(t.rows.spread()),
		t.rowsPerGame(), float64(t.plies)/float64(t.Games))
	if e.run.Searches > 0 {
		fmt.Fprintf(table, "searches\t%s\n", searchText(&e.run))
	}
	fmt.Fprintf(table, "time\tabout %v%s with %s on %s, %v of CPU time\n", rounded(s.TimeS), within(t.effort.spread()),
		human.Count(e.workers, "worker"), human.Count(e.cores, "core"), rounded(s.CPUS))
	if s.StopAfterS > 0 {
		fits := "about " + human.Count(s.GamesFit, "game")
		if s.GamesFit > s.Games {
			fits = "all games; the time is enough for " + fits
		}
		fmt.Fprintf(table, "stop\tafter %v: %s%s\n", e.stop.after, fits, within(t.effort.spread()))
	}
	fmt.Fprintf(table, "disk\tabout %s%s%s\n", human.Size(s.Bytes), within(t.rows.spread()), spaceWarning(e.out, s.Bytes))
	fmt.Fprintf(table, "memory\tabout %s\n", human.Size(s.MemoryBytes))
	fmt.Fprintf(table, "trial\t%s in %v; ± is a 95 %% interval; nothing was kept\n", human.Count(t.Games, "game"), t.elapsed.Round(time.Millisecond))
	return table.Flush()
}

// rounded returns a time in whole seconds, or in milliseconds if it is short.
func rounded(s float64) time.Duration {
	d := time.Duration(s * float64(time.Second))
	if d < 10*time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Second)
}

// memory returns the bytes that the run holds: the process, the players, and for each open
// shard the rows of a row group, once as columns and once as encoded pages.
func (e *estimate) memory() float64 {
	const copies = 2
	group := min(e.trial.rowsPerGame()*float64(e.plan.ShardGames), colfile.PositionGroupRows)
	return e.base + e.players + float64(e.parallel())*float64(e.trial.rowBytes)*group*copies
}
