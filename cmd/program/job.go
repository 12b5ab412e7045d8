package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/models"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// job is one run: the content of the dataset, and settings that no byte depends on.
type job struct {
	*content
	out     string
	games   uint64
	workers int
	cores   int // of the machine that --dry-run plans for
	check   record.CheckLevel
	minFree uint64
	stop    stopping
	times   stopTimes // of the stop; the clock runs since the flags are settled
	release func()    // ends the clock
	task    making.Task
	about   plan.About
	rebuild bool
	preset  usedPreset

	publishing publishing
}

// jobFrom reads all flags of run. The caller closes the job. Models load meanwhile, which may take minutes: a stop
// ends that too.
func jobFrom(c *cli.Context) (*job, error) {
	preset, err := settleFlags(c)
	if err != nil {
		return nil, err
	}
	j := &job{preset: preset, out: c.String("out"), rebuild: c.Bool("rebuild")}
	if j.stop, err = stoppingFrom(c); err != nil {
		return nil, err
	}
	set, err := models.From(c)
	if err != nil {
		return nil, err
	}
	clock := j.stop
	if c.Bool("dry-run") {
		clock.after = 0 // it only calculates with it
	}
	j.times, j.release = clock.begin(c.Context)
	set.Until(j.times.asked)
	if err = j.read(c, set); err == nil {
		return j, nil
	}
	asked := j.times.asked
	if asked.Err() != nil {
		err = fmt.Errorf("%w: %w while the models load; the same command resumes", datasets.ErrIncomplete, context.Cause(asked))
	}
	set.Close()
	j.release()
	return nil, err
}

// close ends the models and the clock.
func (j *job) close() {
	j.models.Close()
	j.release()
}

// read reads the flags that are left.
func (j *job) read(c *cli.Context, set *models.Set) (err error) {
	if j.content, err = contentFrom(c, set); err != nil {
		return err
	}
	for _, read := range []func(*cli.Context) error{j.readGames, j.readResources, j.readRest} {
		if err = read(c); err != nil {
			return err
		}
	}
	return rowflags.RefuseOtherAbout(c, j.out, j.about)
}

// settleFlags sets flags from the environment, the file and the preset, and refuses a line that lacks a
// required flag. It returns the preset.
func settleFlags(c *cli.Context) (preset usedPreset, err error) {
	if err := app.NoArgs(c); err != nil {
		return preset, err
	}
	if err := refuseUnknownVariables(c); err != nil {
		return preset, err
	}
	if err := cmp.Or(app.SetVariables(c), applyConfig(c)); err != nil {
		return preset, err
	}
	if err := app.RequireFlags(c, "game", "games", "out"); err != nil {
		return preset, err
	}
	if err := errors.Join(app.UseStores(c), app.CheckStore(c.String("out"))); err != nil { // the file may have set the flags
		return preset, err
	}
	return usePreset(c)
}

// readGames reads the number of games and this run's task.
func (j *job) readGames(c *cli.Context) (err error) {
	j.games = c.Uint64("games")
	shard := uint64(j.plan.ShardGames)
	if most := plan.MaxShards * shard; j.games < 1 || j.games > most {
		return app.Usage("games %d: want 1 to %d, that is %d shards of %d", j.games, most, plan.MaxShards, shard)
	}
	j.task, err = taskFrom(c, j.games, shard)
	return err
}

// readResources reads what the run may use.
func (j *job) readResources(c *cli.Context) (err error) {
	if j.cores, err = coresFrom(c); err != nil {
		return err
	}
	if j.workers, err = workersFrom(c, &j.series, j.cores); err != nil {
		return err
	}
	used := j.workers
	if c.IsSet("cores") {
		used = j.trialWorkers()
	}
	if err := app.CheckTables(j.series.Memory(used), app.FewerWorkers); err != nil {
		return err
	}
	j.minFree, err = minFreeFrom(c)
	return err
}

// readRest reads how the run checks files, where it publishes its state and
// what the card says.
func (j *job) readRest(c *cli.Context) (err error) {
	if j.check, err = rowflags.Check(c); err != nil {
		return err
	}
	if j.publishing, err = publishingFrom(c); err != nil {
		return err
	}
	j.about, err = rowflags.About(c)
	return err
}

// coresFrom reads --cores, and refuses flags of a dry run without --dry-run.
func coresFrom(c *cli.Context) (int, error) {
	for _, name := range []string{"cores", "plan"} {
		if c.IsSet(name) && !c.Bool("dry-run") {
			return 0, app.Usage("flag --%s: want --dry-run with it", name)
		}
	}
	if !c.IsSet("cores") {
		return runtime.GOMAXPROCS(0), nil
	}
	n := c.Int("cores")
	if n < 1 || n > maxWorkers {
		return 0, app.Usage("cores %d: want 1 to %d", n, maxWorkers)
	}
	return n, nil
}

func minFreeFlag() cli.Flag {
	return &cli.StringFlag{Name: "min-free", Category: app.Output, DefaultText: "1GiB, or 2 % of a small disk",
		Usage: "stop before less than `BYTES` of the disk are free, such as 500MB or 5GiB; 0 turns it off"}
}

// minFreeFrom reads --min-free.
func minFreeFrom(c *cli.Context) (uint64, error) {
	if !c.IsSet("min-free") {
		return making.DefaultMinFree, nil
	}
	text := c.String("min-free")
	n, ok := human.ParseSize(text)
	if !ok {
		return 0, app.Usage("min-free %q: want bytes with a unit, such as 500MB or 5GiB, or 0", text)
	}
	return uint64(n), nil
}
