package main

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/workers"
)

// maxWorkers bounds --workers; no machine has more threads.
const maxWorkers = 4096

func runCommand() *cli.Command {
	flags := append(planFlags(), presetFlag(), configFlag(),
		&cli.Uint64Flag{Name: "games", Usage: "`N` games in all; a larger number later adds to the dataset"},
		&cli.StringFlag{Name: "out", Usage: "`DIR` of the dataset"},
		&cli.IntFlag{Name: "workers", Usage: "play `W` games at once; as many as there are processors if not given"},
		rowflags.CheckFlag(),
		&cli.StringFlag{Name: "min-free", Usage: "stop before less than so many `BYTES` of the disk are free: 5GiB; 0 for never", DefaultText: "1GiB, or 2 % of a small disk"},
		&cli.BoolFlag{Name: "dry-run", Usage: "say what would be made and what it would cost, by a short trial, and write nothing"},
	)
	return &cli.Command{
		Name:   "run",
		Usage:  "play games and write them as a dataset; the same command again goes on",
		Flags:  withVariables(slices.Concat(flags, aboutFlags(), stopFlags(), taskFlags())),
		Action: runRun,
	}
}

// job is one run: a task, and beside it only what no byte depends on.
type job struct {
	*task
	out     string
	games   uint64
	workers int
	check   datasets.CheckLevel
	minFree uint64
	stops   stopping
	part    datasets.Task
	about   datasets.About
	preset  []string // the flags that a preset stood for
}

func runRun(c *cli.Context) error {
	j, err := chosenJob(c)
	if err != nil {
		return err
	}
	log := app.Log(c)
	logPreset(log, c.String("preset"), j.preset)
	warnOfIndex(log, j.part)
	if c.Bool("dry-run") {
		return app.Damaged(c, j.out, j.tryOut(c.Context, c.App.Writer))
	}
	if err := rowflags.MakeOut(j.out); err != nil {
		return err
	}
	p := progress.New("playing", j.games, log, c.App.ErrWriter, app.Quiet(c),
		"game", j.plan.Game, "seed", j.plan.Seed, "workers", j.workers, "out", j.out)
	begin := time.Now()
	made, err := j.make(c.Context, p)
	err = j.keepPanic(log, goesOn(err, made))
	if p.Resumed().Kind == datasets.EventResumed && !app.Quiet(c) { // else it made and knows nothing
		s := summary{job: j, made: made, resumed: p.Resumed(), took: time.Since(begin), err: err}
		if bad := s.print(c.App.Writer); err == nil {
			err = bad // of what ended the run it would say the same again
		}
	}
	return app.Damaged(c, j.out, err)
}

// chosenJob reads all flags of run.
func chosenJob(c *cli.Context) (*job, error) {
	if err := app.NoArgs(c); err != nil {
		return nil, err
	}
	if err := refuseUnknownVariables(c); err != nil {
		return nil, err
	}
	if err := useConfig(c); err != nil {
		return nil, err
	}
	preset, err := usePreset(c)
	if err != nil {
		return nil, err
	}
	t, err := chosenTask(c)
	if err != nil {
		return nil, err
	}
	j := &job{task: t, games: c.Uint64("games"), workers: runtime.GOMAXPROCS(0), preset: preset}
	if j.out, err = app.Required(c, "out"); err != nil {
		return nil, err
	}
	if c.IsSet("workers") {
		j.workers = c.Int("workers")
	}
	most := uint64(maxShards) * uint64(t.plan.ShardGames)
	switch {
	case !c.IsSet("games"):
		return nil, app.Usage("flag --games is missing")
	case j.games < 1 || j.games > most:
		return nil, app.Usage("games %d: want 1 to %d, that is %d shards of %d", j.games, most, maxShards, t.plan.ShardGames)
	case j.workers < 1 || j.workers > maxWorkers:
		return nil, app.Usage("workers %d: want 1 to %d", j.workers, maxWorkers)
	}
	if j.check, err = rowflags.Check(c); err != nil {
		return nil, err
	}
	if j.minFree, err = chosenMinFree(c); err != nil {
		return nil, err
	}
	if j.stops, err = chosenStopping(c); err != nil {
		return nil, err
	}
	if j.about, err = chosenAbout(c); err != nil {
		return nil, err
	}
	if j.part, err = chosenPart(c, j.games, uint64(t.plan.ShardGames)); err != nil {
		return nil, err
	}
	return j, refuseOtherAbout(c, j.out, j.about)
}

// make makes the dataset, or what is missing of it.
func (j *job) make(ctx context.Context, p *progress.Progress) (datasets.Summary, error) {
	pool := workers.Start(j.series, j.workers)
	defer pool.Close()
	stop := p.Watch(pool)
	defer stop()
	work, play, release := j.stops.brake(ctx, pool, p.Log())
	defer release()
	o := j.options(play)
	o.Notify = p.Notify
	return datasets.Make(work, j.out, j.plan, j.games, o)
}

// options are what making the dataset takes besides its plan.
func (j *job) options(play datasets.Play) datasets.Options {
	return datasets.Options{
		Play:        play,
		Rows:        j.shape.Rows(),
		Description: j.shape.Description(),
		About:       j.about,
		Check:       j.check,
		Open:        min(j.workers, runtime.GOMAXPROCS(0)), // encoding takes processors too
		Build:       app.Version(),
		MinFree:     j.minFree,
		Task:        j.part,
	}
}
