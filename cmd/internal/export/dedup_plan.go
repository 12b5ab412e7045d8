package export

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
)

// various is the player of a dataset that was joined from datasets of different players.
const various = "various"

// checkPlans refuses datasets whose rows cannot be joined.
func (d *deduplication) checkPlans(c *cli.Context) error {
	if d.shape.Unique {
		return app.Usage("read %s: its rows are unique already: give the datasets that it was made from", d.dirs[0])
	}
	first := joinable(d.sets[0])
	for i, ds := range d.sets[1:] {
		plan := joinable(ds)
		for _, difference := range differences(first, plan) {
			advice := ": make the rows equal with " + app.ExportLine(c, "rows")
			if first.Game != plan.Game || first.Variant != plan.Variant {
				advice = ""
			}
			return app.Usage("read %s: its %s%s", d.dirs[i+1], difference, advice)
		}
	}
	f := d.shape.Filter
	switch {
	case len(d.sets) > 1 && (f.Keep != 0 || f.MaxRows != 0):
		return app.Usage("read %s: its rows are a sample, drawn by game numbers that would change: run %s first", d.dirs[0],
			app.ExportLine(c, "rows", "--keep 1 --max-rows-per-game 0", d.dirs[0]))
	case len(d.sets) > 1 && f.Where.Uses("game"):
		return app.Usage("read %s: its rows were chosen by game numbers, which would change: run %s first", d.dirs[0],
			app.ExportLine(c, "rows", "--where ''", d.dirs[0]))
	}
	return nil
}

// plainPlan returns the plan of a dataset as if its files had no model of scores. A model
// follows from what was played.
func plainPlan(ds *datasets.Dataset) plan.Plan {
	p := ds.Plan()
	p.Description = withoutModel(ds.Description()).Hash()
	return p
}

func withoutModel(d plan.Description) plan.Description {
	d.Metadata = encode.WithoutWDL(d.Metadata)
	return d
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
		if w := d.shape.WDL; w != nil && (model == nil || *model != *w) {
			d.shape.WDL = nil
		}
	}
}

// differences returns the differences of two plans, apart from what was played and from
// how the dataset is divided and stored.
func differences(p, q plan.Plan) (list []string) {
	q.Players, q.Seed, q.MaxPlies, q.Play, q.Networks = p.Players, p.Seed, p.MaxPlies, p.Play, p.Networks
	q.Tags, q.Evaluators, q.StaticScores = p.Tags, p.Evaluators, p.StaticScores
	q.Format, q.BoardType, q.Codec, q.ShardGames = p.Format, p.BoardType, p.Codec, p.ShardGames
	q.Validation, q.Split = p.Validation, p.Split
	for _, d := range q.Diff(p) {
		list = append(list, fmt.Sprintf("%s is %s, not %s", d.Setting, d.This, d.Is))
	}
	return list
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
			d.plan.Players[side] = plan.Player{Spec: various}
		}
	}
	if d.plan.Seed != p.Seed {
		d.plan.Seed = 0
	}
	d.plan.MaxPlies = max(d.plan.MaxPlies, p.MaxPlies)
}
