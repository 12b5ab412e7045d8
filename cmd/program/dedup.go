package program

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/spill"
	"selfplay/encode"
)

func dedupCommand() *cli.Command {
	return &cli.Command{
		Name:      "dedup",
		Usage:     "make a dataset of the games of one or several, with each position once",
		ArgsUsage: "DIR...",
		Description: "The new dataset has all games of the given ones, in their order, and a row for the first\n" +
			"occurrence of each position. Each game keeps its split. If it is stopped, the same command\n" +
			"resumes.\n\n" +
			"Examples:\n  selfplay dedup --out data/unique data/one data/two",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Category: groupOutput, Usage: "make the dataset in the directory `OUT`"},
			memoryFlag(comparingMemory),
			splitFlag(),
			checkFlag(),
			jsonFlag(),
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
	if isQuiet(c) {
		return nil
	}
	return printInfoOf(c, d.out)
}

// deduplicationFrom reads the flags and the plans.
func deduplicationFrom(c *cli.Context) (d *deduplication, err error) {
	d = new(deduplication)
	if d.dirs, err = dirArgs(c, math.MaxInt); err != nil {
		return nil, err
	}
	if d.out, err = required(c, "out"); err != nil {
		return nil, err
	}
	if d.check, err = checkLevelFrom(c); err != nil {
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
			return nil, explainDamage(c, dir, err)
		}
		if err := refuseInside(dir, d.out); err != nil {
			return nil, err
		}
		d.sets = append(d.sets, ds)
	}
	if d.shape, err = rows.Of(catalogOf(c).Games, d.sets[0].Plan()); err != nil {
		return nil, usagef("read %s: %v", d.dirs[0], err)
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
			return usagef("%s is given twice", dir)
		}
		seen = append(seen, info)
	}
	return nil
}

// refuseRepeatedURL refuses a dataset in an object store that is one of others.
func refuseRepeatedURL(others []string, url string) error {
	for _, other := range others {
		if same, err := disk.SameURL(other, url); err != nil || same {
			return cmp.Or(err, usagef("%s is given twice", url))
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
			return explainDamage(c, d.dirs[i], explainUnfinished(err))
		}
		d.join(ds.Plan(), ds.PlanHash(), source.Games()-before)
	}
	if err := applySplit(c, &d.plan); err != nil {
		return err
	}
	d.shape.Unique = true
	d.shape.Into(&d.plan)
	rowFuncs, err := compareGames(c, d.shape, source, d.memory)
	if errors.Is(err, spill.ErrMemory) {
		return usagef("compare positions: %v", err)
	}
	if err != nil {
		return err
	}
	return makeFrom(c, source, newDataset{
		out: d.out, plan: d.plan, rows: rowFuncs, check: d.check, from: strings.Join(d.dirs, " "),
		description: d.shape.Description(), about: d.sets[0].About(),
	})
}

// variousPlayers is the player of a dataset that was joined from datasets of different players.
const variousPlayers = "various"

// checkPlans refuses datasets whose rows cannot be joined.
func (d *deduplication) checkPlans(c *cli.Context) error {
	if d.shape.Unique {
		return usagef("read %s: its rows are unique already: give the datasets that it was made from", d.dirs[0])
	}
	first := joinable(d.sets[0])
	for i, ds := range d.sets[1:] {
		plan := joinable(ds)
		for _, difference := range differences(first, plan) {
			advice := ": make the rows equal with " + ownLine(c, "rows")
			if first.Game != plan.Game || first.Variant != plan.Variant {
				advice = ""
			}
			return usagef("read %s: its %s%s", d.dirs[i+1], difference, advice)
		}
	}
	f := d.shape.Filter
	switch {
	case len(d.sets) > 1 && (f.Keep != 0 || f.MaxRows != 0):
		return usagef("read %s: its rows are a sample, drawn by game numbers that would change: run %s first", d.dirs[0],
			ownLine(c, "rows", "--keep", "1", "--max-rows-per-game", "0", d.dirs[0]))
	case len(d.sets) > 1 && f.Where.Uses("game"):
		return usagef("read %s: its rows were chosen by game numbers, which would change: run %s first", d.dirs[0],
			ownLine(c, "rows", "--where", "", d.dirs[0]))
	}
	return nil
}

// joinable returns plainPlan without the column start_ply: the joined rows have it if those of any
// dataset have.
func joinable(ds *datasets.Dataset) plan.Plan {
	p, d := ds.Plan(), withoutModel(ds.Description())
	p.Columns = slices.DeleteFunc(p.Columns, func(name string) bool { return name == encode.StartPlyColumn })
	d.Columns = slices.DeleteFunc(slices.Clone(d.Columns), func(c encode.Column) bool { return c.Name == encode.StartPlyColumn })
	p.Description = d.Hash()
	return p
}

// joinShape adds to the shape of the first dataset what the joined rows have: the column start_ply
// if any dataset has it, and a model of scores if all have the same one.
func (d *deduplication) joinShape() {
	for i, ds := range d.sets {
		if slices.Contains(ds.Plan().Columns, encode.StartPlyColumn) {
			d.shape.AddStartPly()
		}
		model := encode.ReadWDL(ds.Description().Metadata)
		if i == 0 {
			d.shape.WDL = model
		}
		w := d.shape.WDL
		if w != nil && (model == nil || *model != *w) {
			d.shape.WDL = nil
		}
	}
}

// join adds a dataset to the plan. The plan names the source of the games, because the
// bytes depend on it. The first dataset determines how the result is divided and stored.
func (d *deduplication) join(p plan.Plan, hash string, games uint64) {
	from := fmt.Sprintf("%s%s:%d", plan.FromPart, hash, games)
	if d.plan.Game == "" {
		d.plan = p
		d.plan.Play, d.plan.Networks = nil, nil // the games are played again where they come from
		if len(d.sets) > 1 {
			d.plan.Validation, d.plan.Split = 0, nil // each source has rules of its own
		}
	}
	d.plan.Play = append(d.plan.Play, from)
	d.plan.AddStaticScores(p.StaticScores...)
	if len(d.plan.Tags) == 0 {
		d.plan.Tags = p.Tags
	}
	if len(d.sets) > 1 {
		d.plan.Split = append(d.plan.Split, p.SplitOfSource(games)...)
	}
	same := sameModels(d.plan, p)
	if !same {
		d.plan.Evaluators = nil
	}
	for side, player := range p.Players {
		if !same || player != d.plan.Players[side] {
			d.plan.Players[side] = plan.Player{Spec: variousPlayers}
		}
	}
	if d.plan.Seed != p.Seed {
		d.plan.Seed = 0
	}
	d.plan.MaxPlies = max(d.plan.MaxPlies, p.MaxPlies)
}
