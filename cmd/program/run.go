package program

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
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
	count := countFlag("games", 0, groupGame, "`N` games in all; a larger number later extends the dataset")
	return slices.Concat([]cli.Flag{count}, planFlags(games), []cli.Flag{
		engineFlag(games), presetFlag(), configFlag(), outFlag(), dryRunFlag(), coresFlag(), planFlag(), rebuildFlag(), workersFlag(), checkFlag(), minFreeFlag(),
		jsonFlagFor("print the summary, or the estimate of --dry-run, as one line of JSON"),
	}, modelFlags(), stopFlags(), aboutFlags(), taskFlags(), storeFlags(), publishFlags(), []cli.Flag{logEveryFlag()})
}

func outFlag() cli.Flag {
	return &cli.StringFlag{Name: "out", Category: groupOutput, Usage: "`DIR` of the dataset, or s3://BUCKET/PREFIX"}
}

func dryRunFlag() cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Category: groupOutput, Usage: "play a few games, print an estimate of time and space, and keep nothing; with --stop-after also how many games fit"}
}

func coresFlag() cli.Flag {
	return &cli.IntFlag{Name: "cores", Category: groupOutput, DefaultText: "those of this machine", Usage: "with --dry-run: estimate for a machine with `N` cores of this kind"}
}

func planFlag() cli.Flag {
	return &cli.BoolFlag{Name: "plan", Category: groupOutput, Usage: "with --dry-run: print the plan too, as --json does"}
}

func rebuildFlag() cli.Flag {
	return &cli.BoolFlag{Name: "rebuild", Category: groupOutput, Usage: "play all games of a dataset again that was copied without .selfplay/, and compare them with its files"}
}

func runRun(c *cli.Context) error {
	j, err := jobFrom(c)
	if err != nil {
		return err
	}
	defer j.close()
	log := logOf(c)
	j.preset.log(log)
	warnOfIndex(log, j.task)
	if c.Bool("dry-run") {
		return explainDamage(c, j.out, j.dryRun(c))
	}
	return j.runAndReport(c)
}

// runAndReport makes the dataset, publishes its state meanwhile and prints the summary.
func (j *runJob) runAndReport(c *cli.Context) error {
	_, hash, err := plan.Complete(j.plan, j.shape.Description())
	if err != nil {
		return err
	}
	useStoresUntil(c, j.times.work) // shards are published during the grace
	p := newMeter("playing", j.games, logOf(c), c.App.ErrWriter, isQuiet(c),
		"game", j.plan.Game, "seed", strconv.FormatUint(j.plan.Seed, 10), "validation", j.plan.Splits().Count(0, j.games), "workers", j.workers, "out", j.out)
	p.LogEvery(c.Duration(logEvery))
	p.AwaitResume()
	j.describe(p, hash)
	published, err := j.publishing.open(j.out, p.Tracker, logOf(c))
	if err != nil {
		return err
	}
	if err := makeOut(j.out); err != nil {
		return errors.Join(err, published.server.Close())
	}
	published.start()
	made, err := j.makeUntil(j.times, p)
	err = explainDamage(c, j.out, j.keepPanic(p.Log(), explainStop(explainCopy(err), made), c.App.Name))
	shown := c.Bool("json") || !isQuiet(c) || j.publishing != publishing{}
	last := j.finish(p, made, err, exitCodeOf(c, err), shown)
	published.end()
	if !last.Begun() {
		return err
	}
	if !p.HasBar() { // else the summary says it
		p.Log().Info("done", attributes(&last.Run)...)
	}
	if printErr := j.report(c, last, err); err == nil { // else err says the same
		err = explainDamage(c, j.out, printErr)
	}
	return err
}

// report prints the summary of a run that ended with err.
func (j *runJob) report(c *cli.Context, last endedRun, err error) error {
	switch {
	case c.Bool("json"): // also with --quiet: it was asked for
		return encode.NewJSON(c.App.Writer).Encode(last.Run)
	case isQuiet(c):
		return nil
	}
	s := summary{runJob: j, endedRun: last, c: c, why: err}
	return s.print(c.App.Writer)
}

// explainCopy says how to continue a dataset that was copied without .selfplay/. It returns
// other errors unchanged.
func explainCopy(err error) error {
	if !errors.Is(err, datasets.ErrNoRecords) {
		return err
	}
	return usagef("%v: copy .selfplay/ too, as cp -r and rsync -a do, or use --rebuild to play all games again and compare them", err)
}

// keepPanic stores the failure of a game that panicked in the dataset, and adds to the
// error how to replay it with the given program. It returns other errors unchanged.
func (j *runJob) keepPanic(log *slog.Logger, err error, program string) error {
	var fault *workers.PanicError
	if !errors.As(err, &fault) {
		return err
	}
	log.Error("panic", "game", fault.Game, "seed", strconv.FormatUint(fault.Seed, 10), "value", fault.Value, "stack", string(fault.Stack))
	f := newFailure(&j.series, fault)
	if ds, err := datasets.Open(j.out); err == nil {
		f.PlanHash = ds.PlanHash()
	}
	details := ""
	if name, keepErr := record.AppendFailure(j.out, f); keepErr != nil {
		log.Error("keep failure", "err", keepErr)
	} else {
		details = " see " + name + ";"
	}
	args := []string{"replay", "--game-index", strconv.FormatUint(fault.Game, 10)}
	if len(j.series.Opening.Book) > 0 {
		args = append(args, "--book", "FILE")
	}
	return fmt.Errorf("%w;%s to replay the game run %s", err, details, lineOf(program, append(args, j.out)...))
}
