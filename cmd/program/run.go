package program

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/models"
	"selfplay/cmd/internal/progress"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/workers"
)

func runCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "play games and write them as a dataset; the same command again resumes or extends it",
		UsageText: "--game NAME --games N --out DIR [flags]",
		Description: `Every flag may also be set by the environment, for example SELFPLAY_SHARD_GAMES=500, or by a line of
the file of --config, for example shard-games: 500. The command line comes first, then the
environment, then the file, then a preset.

A dataset is a function of its plan: the same flags give the same bytes on any machine. The
number of games and the flags under OUTPUT, CLUSTER and LOGGING are not part of the plan.

Examples:
selfplay run --game cotulenh --preset bulk --games 1000 --out data/demo
selfplay run --game chess --preset balanced --games 100k --out data/chess --stop-after 8h
selfplay run --game contrast --player ab:depth=2 --games 1M --out data/contrast --dry-run
selfplay run --config night.yaml --task-count 8 --task-index 3 --out /data/night
`,
		Flags:  runFlags(games),
		Action: runRun,
	}
}

func runFlags(games encode.Catalog) []cli.Flag {
	count := app.CountFlag("games", 0, app.Game, "`N` games in all; a larger number later extends the dataset")
	return slices.Concat([]cli.Flag{count}, planFlags(games), []cli.Flag{
		engineFlag(games), presetFlag(), configFlag(), outFlag(), dryRunFlag(), coresFlag(), planFlag(), rebuildFlag(), workersFlag(), rowflags.CheckFlag(), minFreeFlag(),
		app.JSONFlagFor("print the summary, or the estimate of --dry-run, as one line of JSON"),
	}, models.Flags(), stopFlags(), rowflags.AboutFlags(), taskFlags(), app.StoreFlags(), publishFlags(), []cli.Flag{logEveryFlag()})
}

func outFlag() cli.Flag {
	return &cli.StringFlag{Name: "out", Category: app.Output, Usage: "`DIR` of the dataset, or s3://BUCKET/PREFIX"}
}

func dryRunFlag() cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Category: app.Output, Usage: "play a few games, print an estimate of time and space, and keep nothing; with --stop-after also how many games fit"}
}

func coresFlag() cli.Flag {
	return &cli.IntFlag{Name: "cores", Category: app.Output, DefaultText: "those of this machine", Usage: "with --dry-run: estimate for a machine with `N` cores of this kind"}
}

func planFlag() cli.Flag {
	return &cli.BoolFlag{Name: "plan", Category: app.Output, Usage: "with --dry-run: print the plan too, as --json does"}
}

func rebuildFlag() cli.Flag {
	return &cli.BoolFlag{Name: "rebuild", Category: app.Output, Usage: "play all games of a dataset again that was copied without .selfplay/, and compare them with its files"}
}

func runRun(c *cli.Context) error {
	j, err := jobFrom(c)
	if err != nil {
		return err
	}
	defer j.close()
	log := app.Log(c)
	j.preset.log(log)
	warnOfIndex(log, j.task)
	if c.Bool("dry-run") {
		return app.ExplainDamage(c, j.out, j.dryRun(c))
	}
	return j.runAndReport(c)
}

// runAndReport makes the dataset, publishes its state meanwhile and prints the summary.
func (j *job) runAndReport(c *cli.Context) error {
	_, hash, err := plan.Complete(j.plan, j.shape.Description())
	if err != nil {
		return err
	}
	app.UseStoresUntil(c, j.times.work) // shards are published during the grace
	p := progress.New("playing", j.games, app.Log(c), c.App.ErrWriter, app.Quiet(c),
		"game", j.plan.Game, "seed", strconv.FormatUint(j.plan.Seed, 10), "validation", j.plan.Splits().Count(0, j.games), "workers", j.workers, "out", j.out)
	p.LogEvery(c.Duration(logEvery))
	p.AwaitResume()
	j.describe(p, hash)
	published, err := j.publishing.open(j.out, p.Tracker, app.Log(c))
	if err != nil {
		return err
	}
	if err := rowflags.MakeOut(j.out); err != nil {
		return errors.Join(err, published.server.Close())
	}
	published.start()
	made, err := j.makeUntil(j.times, p)
	err = app.ExplainDamage(c, j.out, j.keepPanic(p.Log(), explainStop(explainCopy(err), made), c.App.Name))
	shown := c.Bool("json") || !app.Quiet(c) || j.publishing != publishing{}
	last := j.finish(p, made, err, app.ExitCode(c, err), shown)
	published.end()
	if !last.Begun() {
		return err
	}
	if !p.HasBar() { // else the summary says it
		p.Log().Info("done", attributes(&last.Run)...)
	}
	if printErr := j.report(c, last, err); err == nil { // else err says the same
		err = app.ExplainDamage(c, j.out, printErr)
	}
	return err
}

// report prints the summary of a run that ended with err.
func (j *job) report(c *cli.Context, last ended, err error) error {
	switch {
	case c.Bool("json"): // also with --quiet: it was asked for
		return encode.NewJSON(c.App.Writer).Encode(last.Run)
	case app.Quiet(c):
		return nil
	}
	s := summary{job: j, ended: last, c: c, why: err}
	return s.print(c.App.Writer)
}

// explainCopy says how to continue a dataset that was copied without .selfplay/. It returns
// other errors unchanged.
func explainCopy(err error) error {
	if !errors.Is(err, datasets.ErrNoRecords) {
		return err
	}
	return app.Usage("%v: copy .selfplay/ too, as cp -r and rsync -a do, or use --rebuild to play all games again and compare them", err)
}

// make is makeUntil with the times of a run that begins now.
func (j *job) make(ctx context.Context, p *progress.Progress) (making.Summary, error) {
	times, release := j.stop.begin(ctx)
	defer release()
	return j.makeUntil(times, p)
}

// makeUntil makes the games that the dataset does not have yet.
func (j *job) makeUntil(times stopTimes, p *progress.Progress) (making.Summary, error) {
	pool := workers.Start(j.series, j.workers)
	defer pool.Close()
	if j.series.Searches() {
		p.ShowRows()
	}
	defer p.WatchRun(following(pool))()
	play, release := times.watch(pool, func(cause error, signal bool) { j.announceStop(p, cause, signal) })
	defer release()
	o := j.optionsOf(pool)
	o.Play = play
	o.Notify = p.Notify
	o.Rows = p.CountRows(o.Rows)
	return making.Make(times.work, j.out, j.plan, j.games, o)
}

// optionsOf returns options with the Play of a pool.
func (j *job) optionsOf(pool *workers.Pool) making.Options {
	o := j.options(pool.Play)
	if j.series.GamesAtOnce() > 0 {
		o.AwaitIdle = pool.AwaitIdle
	}
	return o
}

// options returns what Make needs besides the plan.
func (j *job) options(play datasets.Play) making.Options {
	return making.Options{
		Play:        play,
		Rows:        j.shape.Rows(),
		Description: j.shape.Description(),
		About:       j.about,
		Networks:    j.nets,
		Answers:     j.models.Answers(),
		Recheck:     j.models.Recheck(),
		Check:       j.check,
		OpenShards:  min(j.workers, runtime.GOMAXPROCS(0)), // encoding rows takes a processor too
		Build:       app.Version(),
		MinFree:     j.minFree,
		Task:        j.task,
		Rebuild:     j.rebuild,
	}
}
