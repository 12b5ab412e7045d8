package main

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/program"
	"selfplay/cmd/internal/progress"
	"selfplay/cmd/internal/rows"
	"selfplay/datasets"
	"selfplay/workers"
)

// maxWorkers bounds --workers; no machine has more threads.
const maxWorkers = 4096

func runCommand() *cli.Command {
	return &cli.Command{
		Name:  "run",
		Usage: "play games and write them as a dataset; the same command again goes on",
		Flags: append(planFlags(), presetFlag(),
			&cli.Uint64Flag{Name: "games", Usage: "`N` games in all; a larger number later adds to the dataset"},
			&cli.StringFlag{Name: "out", Usage: "`DIR` of the dataset"},
			&cli.IntFlag{Name: "workers", Usage: "play `W` games at once; as many as there are processors if not given"},
			rows.CheckFlag(),
		),
		Action: runRun,
	}
}

// job is one run: a task, and beside it only what no byte depends on.
type job struct {
	*task
	out     string
	games   uint64
	workers int
	check   datasets.Check
	preset  []string // the flags that a preset stood for
}

func runRun(c *cli.Context) error {
	j, err := chosenJob(c)
	if err != nil {
		return err
	}
	if err := rows.MakeOut(j.out); err != nil {
		return err
	}
	log := program.Log(c)
	logPreset(log, c.String("preset"), j.preset)
	p := progress.New("playing", j.games, log, c.App.ErrWriter, program.Quiet(c),
		"game", j.plan.Game, "seed", j.plan.Seed, "workers", j.workers, "out", j.out)
	begin := time.Now()
	made, err := j.make(c.Context, p)
	logPanic(log, err)
	if made.PlanHash != "" && !program.Quiet(c) {
		s := summary{job: j, made: made, resumed: p.Resumed(), took: time.Since(begin), err: err}
		err = errors.Join(err, s.print(c.App.Writer))
	}
	return err
}

// chosenJob reads all flags of run.
func chosenJob(c *cli.Context) (*job, error) {
	if err := program.NoArgs(c); err != nil {
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
	if j.out, err = program.Required(c, "out"); err != nil {
		return nil, err
	}
	if c.IsSet("workers") {
		j.workers = c.Int("workers")
	}
	most := uint64(maxShards) * uint64(t.plan.ShardGames)
	switch {
	case !c.IsSet("games"):
		return nil, program.Usage("flag --games is missing")
	case j.games < 1 || j.games > most:
		return nil, program.Usage("games %d: want 1 to %d, that is %d shards of %d", j.games, most, maxShards, t.plan.ShardGames)
	case j.workers < 1 || j.workers > maxWorkers:
		return nil, program.Usage("workers %d: want 1 to %d", j.workers, maxWorkers)
	}
	j.check, err = rows.Check(c)
	return j, err
}

// make makes the dataset, or what is missing of it.
func (j *job) make(ctx context.Context, p *progress.Progress) (datasets.Summary, error) {
	pool := workers.Start(j.series, j.workers)
	defer pool.Close()
	stop := p.Watch(pool)
	defer stop()
	return datasets.Make(ctx, j.out, j.plan, j.games, datasets.Options{
		Play:        pool.Play,
		Rows:        j.shape.Rows(),
		Description: j.shape.Description(),
		Check:       j.check,
		Open:        min(j.workers, runtime.GOMAXPROCS(0)), // encoding takes processors too
		Build:       program.Version(),
		Notify:      p.Notify,
	})
}

// logPanic logs where a game panicked; the error itself is one line.
func logPanic(log *slog.Logger, err error) {
	var fault *workers.PanicError
	if errors.As(err, &fault) {
		log.Error("panic", "game", fault.Game, "seed", fault.Seed, "value", fault.Value, "stack", string(fault.Stack))
	}
}
