package program

import (
	"context"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/engine"
)

func rowsCommand() *cli.Command {
	return &cli.Command{
		Name:      "rows",
		Usage:     "make a dataset with other rows of the same games, by replay",
		ArgsUsage: "DIR",
		Description: "The result is, byte for byte, what selfplay run would make with these flags. Each game keeps its\n" +
			"split. If it is stopped, the same command resumes.\n\n" +
			"Examples:\n" +
			"  selfplay rows --layout planes --perspective mover --out data/planes data/demo\n" +
			"  selfplay rows --where 'ply>=8,!check' --keep 0.5 --out data/half data/demo",
		Flags: append(slices.Concat(rowFlags(asInDir), deblunderFlags(asInDir, "of the dataset")),
			&cli.StringFlag{Name: "out", Category: groupOutput, Usage: "make the dataset in the directory `OUT`"},
			splitFlag(),
			checkFlag(),
			jsonFlag(),
		),
		Action: onDataset(runRows),
	}
}

// asInDir is the default of flags that change rows.
const asInDir = "as in DIR"

// remake is one call of rows.
type remake struct {
	dir, out string
	ds       *datasets.Dataset
	shape    *rows.Shape
	plan     plan.Plan
	check    record.CheckLevel
}

func runRows(c *cli.Context, dir string) error {
	r, err := remakeFrom(c, dir)
	if err != nil {
		return err
	}
	if err := r.make(c); err != nil {
		return err
	}
	if isQuiet(c) {
		return nil
	}
	return printInfoOf(c, r.out)
}

// remakeFrom reads the flags. The new plan is that of the games with another shape, the
// plan of a run that plays the games with these flags.
func remakeFrom(c *cli.Context, dir string) (r *remake, err error) {
	r = &remake{dir: dir}
	if r.out, err = required(c, "out"); err != nil {
		return nil, err
	}
	if r.check, err = checkLevelFrom(c); err != nil {
		return nil, err
	}
	if r.ds, err = datasets.Open(r.dir); err != nil {
		return nil, err
	}
	r.plan = r.ds.Plan()
	if r.shape, err = rows.OfDataset(catalogOf(c).Games, r.ds); err != nil {
		return nil, usagef("read %s: %v", r.dir, err)
	}
	if err := applyRows(c, r.shape); err != nil {
		return nil, err
	}
	if err := applyDeblunder(c, r.shape, modelFlagName); err != nil {
		return nil, err
	}
	r.shape.Into(&r.plan)
	if err := applySplit(c, &r.plan); err != nil {
		return nil, err
	}
	if err := r.plan.Validate(); err != nil {
		return nil, usagef("%v", err)
	}
	return r, refuseInside(r.dir, r.out)
}

// make makes the missing shards of the new dataset.
func (r *remake) make(c *cli.Context) error {
	source, err := r.ds.Source(c.Context)
	if err != nil {
		return explainUnfinished(err)
	}
	rowFuncs, err := compareGames(c, r.shape, source, defaultMemory)
	if err != nil {
		return err
	}
	nets, err := r.ds.Networks()
	if err != nil {
		return err
	}
	return makeFrom(c, source, newDataset{
		out: r.out, plan: r.plan, rows: rowFuncs, check: r.check, from: r.dir,
		description: r.shape.Description(), about: r.ds.About(), nets: nets,
	})
}

// newDataset describes a dataset that is made from the games of others.
type newDataset struct {
	out         string
	plan        plan.Plan
	rows        func() datasets.RowFunc
	check       record.CheckLevel
	from        string // for the log
	description plan.Description
	about       plan.About
	nets        [][]byte
}

// gameSource has the games of a new dataset.
type gameSource interface {
	Games() uint64
	Play(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error
	Progress() (games, plies uint64)
}

// makeFrom makes the missing shards of a dataset from the games of a source.
func makeFrom(c *cli.Context, source gameSource, n newDataset) error {
	if err := makeOut(n.out); err != nil {
		return err
	}
	p := newMeter("replaying", source.Games(), logOf(c), c.App.ErrWriter, isQuiet(c),
		"game", n.plan.Game, "from", n.from, "out", n.out)
	p.AwaitResume()
	defer p.Watch(source)()
	_, err := making.Make(c.Context, n.out, n.plan, source.Games(), making.Options{
		Play:        source.Play,
		NoJournal:   true, // the source has the games
		Rebuild:     true, // no game is played
		Rows:        n.rows,
		Description: n.description,
		About:       n.about,
		Networks:    n.nets,
		Check:       n.check,
		Build:       programVersion(),
		Notify:      p.Notify,
	})
	if errors.Is(err, datasets.ErrCorrupt) { // as text only: a hint about the source would be wrong
		return errors.New(explainDamage(c, n.out, err).Error())
	}
	return err
}
