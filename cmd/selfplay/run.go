package main

import (
	"context"
	"errors"
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

func runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "play games and write them as a dataset; the same command again resumes or extends it",
		UsageText: "--game NAME --games N --out DIR [flags]",
		Description: `Every flag may also be set by the environment, as SELFPLAY_SHARD_GAMES=500, or by a line of the
file of --config, as shard-games: 500. The command line comes first, then the environment, then
the file, then a preset.

A dataset is a function of its plan: the same flags give the same bytes on any machine. The
number of games and the flags under OUTPUT and CLUSTER are not part of the plan.

Examples:
selfplay run --game cotulenh --games 2000 --out data/demo
selfplay run --game chess --preset balanced --games 100k --out data/chess --stop-after 8h
selfplay run --game contrast --player ab:depth=2 --games 1M --out data/contrast --dry-run
selfplay run --config night.yaml --task-count 8 --task-index 3 --out /data/night
`,
		Flags:  withVariables(runFlags()),
		Action: runRun,
	}
}

func runFlags() []cli.Flag {
	games := app.CountFlag("games", 0, app.Game, "`N` games in all; a larger number later extends the dataset")
	return slices.Concat([]cli.Flag{games}, planFlags(), []cli.Flag{
		engineFlag(), presetFlag(), configFlag(), outFlag(), dryRunFlag(), rebuildFlag(), workersFlag(), rowflags.CheckFlag(), minFreeFlag(),
	}, stopFlags(), aboutFlags(), taskFlags())
}

func outFlag() cli.Flag {
	return &cli.StringFlag{Name: "out", Category: app.Output, Usage: "`DIR` of the dataset"}
}

func dryRunFlag() cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Category: app.Output, Usage: "play for two seconds, print the plan and an estimate of time and space, and write nothing"}
}

func rebuildFlag() cli.Flag {
	return &cli.BoolFlag{Name: "rebuild", Category: app.Output, Usage: "play all games of a dataset again that was copied without .selfplay/, and compare them with its files"}
}

func runRun(c *cli.Context) error {
	j, err := jobFrom(c)
	if err != nil {
		return err
	}
	log := app.Log(c)
	logPreset(log, c.String("preset"), j.preset)
	warnOfIndex(log, j.task)
	if c.Bool("dry-run") {
		return app.ExplainDamage(c, j.out, j.dryRun(c.Context, c.App.Writer))
	}
	return app.ExplainDamage(c, j.out, j.runAndReport(c))
}

// runAndReport makes the dataset and prints the summary.
func (j *job) runAndReport(c *cli.Context) error {
	if err := rowflags.MakeOut(j.out); err != nil {
		return err
	}
	log := app.Log(c)
	p := progress.New("playing", j.games, log, c.App.ErrWriter, app.Quiet(c),
		"game", j.plan.Game, "seed", j.plan.Seed, "workers", j.workers, "out", j.out)
	begin := time.Now()
	made, err := j.make(c.Context, p)
	err = j.keepPanic(log, explainStop(explainCopy(err), made), c.App.Name)
	if p.Resumed().Kind != datasets.EventResumed || app.Quiet(c) { // without the event Make refused to begin
		return err
	}
	s := summary{job: j, c: c, made: made, resumed: p.Resumed(), took: time.Since(begin), err: err}
	if printErr := s.print(c.App.Writer); err == nil { // else err says the same
		err = printErr
	}
	return err
}

// explainCopy says how to continue a dataset that was copied without .selfplay/. It returns
// other errors unchanged.
func explainCopy(err error) error {
	if !errors.Is(err, datasets.ErrNoRecords) {
		return err
	}
	return app.Usage("%v: copy .selfplay/ too, as cp -r and rsync -a do, or use --rebuild to play all games again and compare them", err)
}

// make makes the games that the dataset does not have yet.
func (j *job) make(ctx context.Context, p *progress.Progress) (datasets.Summary, error) {
	pool := workers.Start(j.series, j.workers)
	defer pool.Close()
	stop := p.Watch(pool)
	defer stop()
	work, play, release := j.stop.watch(ctx, pool, p.Log())
	defer release()
	o := j.options(play)
	o.Notify = p.Notify
	return datasets.Make(work, j.out, j.plan, j.games, o)
}

// options returns what Make needs besides the plan.
func (j *job) options(play datasets.Play) datasets.Options {
	return datasets.Options{
		Play:        play,
		Rows:        j.shape.Rows(),
		Description: j.shape.Description(),
		About:       j.about,
		Check:       j.check,
		OpenShards:  min(j.workers, runtime.GOMAXPROCS(0)), // encoding rows takes a processor too
		Build:       app.Version(),
		MinFree:     j.minFree,
		Task:        j.task,
		Rebuild:     j.rebuild,
	}
}
