package export

import (
	"cmp"
	"errors"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/spill"
)

func dedupCommand() *cli.Command {
	return &cli.Command{
		Name:      "dedup",
		Usage:     "make a dataset of the games of one or several, with each position once",
		ArgsUsage: "DIR...",
		Description: "The new dataset has all games of the given ones, in their order, and a row for the first\n" +
			"occurrence of each position. Each game keeps its split. If it is stopped, the same command\n" +
			"resumes.\n\n" +
			"Examples:\n  export dedup --out data/unique data/one data/two",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Category: app.Output, Usage: "make the dataset in the directory `OUT`"},
			memoryFlag(comparingMemory),
			rowflags.SplitFlag(),
			rowflags.CheckFlag(),
			app.JSONFlag(),
		},
		Action: runDedup,
	}
}

// deduplication is one call of dedup.
type deduplication struct {
	dirs   []string
	out    string
	sets   []*datasets.Dataset
	shape  *rows.Shape
	plan   plan.Plan
	check  record.CheckLevel
	memory int64
}

func runDedup(c *cli.Context) error {
	d, err := deduplicationFrom(c)
	if err != nil {
		return err
	}
	if err := d.make(c); err != nil {
		return err
	}
	if app.Quiet(c) {
		return nil
	}
	return printInfoOf(c, d.out)
}

// deduplicationFrom reads the flags and the plans.
func deduplicationFrom(c *cli.Context) (d *deduplication, err error) {
	d = new(deduplication)
	if d.dirs, err = app.Dirs(c, math.MaxInt); err != nil {
		return nil, err
	}
	if d.out, err = app.Required(c, "out"); err != nil {
		return nil, err
	}
	if d.check, err = rowflags.Check(c); err != nil {
		return nil, err
	}
	if d.memory, err = memoryFrom(c, dedup.MinMemory); err != nil {
		return nil, err
	}
	if err := refuseRepeated(d.dirs); err != nil {
		return nil, err
	}
	for _, dir := range d.dirs {
		ds, err := datasets.Open(dir)
		if err != nil {
			return nil, app.ExplainDamage(c, dir, err)
		}
		if err := refuseInside(dir, d.out); err != nil {
			return nil, err
		}
		d.sets = append(d.sets, ds)
	}
	if d.shape, err = rows.Of(app.Catalog(c).Games, d.sets[0].Plan()); err != nil {
		return nil, app.Usage("read %s: %v", d.dirs[0], err)
	}
	d.joinShape()
	return d, d.checkPlans(c)
}

// refuseRepeated refuses a directory that is given twice, also under different names.
func refuseRepeated(dirs []string) error {
	var seen []os.FileInfo
	for i, dir := range dirs {
		if disk.IsURL(dir) {
			if err := refuseRepeatedURL(dirs[:i], dir); err != nil {
				return err
			}
			continue
		}
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(seen, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			return app.Usage("%s is given twice", dir)
		}
		seen = append(seen, info)
	}
	return nil
}

// refuseRepeatedURL refuses a dataset in an object store that is one of others.
func refuseRepeatedURL(others []string, url string) error {
	for _, other := range others {
		if same, err := disk.SameURL(other, url); err != nil || same {
			return cmp.Or(err, app.Usage("%s is given twice", url))
		}
	}
	return nil
}

// make makes the missing shards of the new dataset.
func (d *deduplication) make(c *cli.Context) error {
	source := new(datasets.Source)
	for i, ds := range d.sets {
		before := source.Games()
		if err := source.Add(c.Context, ds); err != nil {
			return app.ExplainDamage(c, d.dirs[i], explainUnfinished(err))
		}
		d.join(ds.Plan(), ds.PlanHash(), source.Games()-before)
	}
	if err := rowflags.ApplySplit(c, &d.plan); err != nil {
		return err
	}
	d.shape.Unique = true
	d.shape.Into(&d.plan)
	rowFuncs, err := compareGames(c, d.shape, source, d.memory)
	if errors.Is(err, spill.ErrMemory) {
		return app.Usage("compare positions: %v", err)
	}
	if err != nil {
		return err
	}
	return makeFrom(c, source, newDataset{
		out: d.out, plan: d.plan, rows: rowFuncs, check: d.check, from: strings.Join(d.dirs, " "),
		description: d.shape.Description(), about: d.sets[0].About(),
	})
}
