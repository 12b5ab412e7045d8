package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/program"
	"selfplay/datasets"
	"selfplay/workers"
)

// maxWorkers bounds --workers; no machine has more threads.
const maxWorkers = 4096

func runCommand() *cli.Command {
	return &cli.Command{
		Name:  "run",
		Usage: "play games and write them as a dataset; the same command again goes on",
		Flags: append(planFlags(),
			&cli.Uint64Flag{Name: "games", Usage: "`N` games in all; a larger number later adds to the dataset"},
			&cli.StringFlag{Name: "out", Usage: "`DIR` of the dataset"},
			&cli.IntFlag{Name: "workers", Usage: "play `W` games at once; as many as there are processors if not given"},
			&cli.StringFlag{Name: "check", Value: "full", Usage: "how new files are read back before they count: full or light"},
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
}

func runRun(c *cli.Context) error {
	j, err := chosenJob(c)
	if err != nil {
		return err
	}
	if err := makeOut(j.out); err != nil {
		return err
	}
	log := program.Log(c)
	p := newProgress(j, log, c.App.ErrWriter, program.Quiet(c))
	begin := time.Now()
	made, err := j.make(c.Context, p)
	logPanic(log, err)
	if made.PlanHash != "" && !program.Quiet(c) {
		s := summary{job: j, made: made, resumed: p.resumed, took: time.Since(begin), err: err}
		err = errors.Join(err, s.print(c.App.Writer))
	}
	return err
}

// chosenJob reads all flags of run.
func chosenJob(c *cli.Context) (*job, error) {
	if err := program.NoArgs(c); err != nil {
		return nil, err
	}
	t, err := chosenTask(c)
	if err != nil {
		return nil, err
	}
	j := &job{task: t, games: c.Uint64("games"), workers: runtime.GOMAXPROCS(0)}
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
	switch check := c.String("check"); check {
	case "full":
		j.check = datasets.Full
	case "light":
		j.check = datasets.Light
	default:
		return nil, program.Usage("unknown check %q: want full or light", check)
	}
	return j, nil
}

// makeOut makes the directory of the dataset, so that one that cannot be there
// is refused before anything begins.
func makeOut(dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return program.Usage("make dataset: %s is not a directory", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return program.Usage("make dataset: %v", err)
	}
	return nil
}

// make makes the dataset, or what is missing of it.
func (j *job) make(ctx context.Context, p *progress) (datasets.Summary, error) {
	pool := workers.Start(j.series, j.workers)
	defer pool.Close()
	stop := p.watch(pool)
	defer stop()
	return datasets.Make(ctx, j.out, j.plan, j.games, datasets.Options{
		Play:        pool.Play,
		Rows:        func() datasets.RowFunc { return j.replayer().Append },
		Description: j.description(),
		Check:       j.check,
		Open:        min(j.workers, runtime.GOMAXPROCS(0)), // encoding takes processors too
		Build:       program.Version(),
		Notify:      p.notify,
	})
}

// logPanic logs where a game panicked; the error itself is one line.
func logPanic(log *slog.Logger, err error) {
	var fault *workers.PanicError
	if errors.As(err, &fault) {
		log.Error("panic", "game", fault.Game, "seed", fault.Seed, "value", fault.Value, "stack", string(fault.Stack))
	}
}
