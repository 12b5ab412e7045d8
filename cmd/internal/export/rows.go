package export

import (
	"errors"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/datasets/rows"
)

func rowsCommand() *cli.Command {
	return &cli.Command{
		Name:      "rows",
		Usage:     "make another dataset of the same games, by replay: as if they had been played with these flags",
		ArgsUsage: "DIR",
		Flags: append(rowflags.Flags("as in DIR"),
			&cli.StringFlag{Name: "out", Usage: "`OUT`, the directory of the dataset that is made"},
			rowflags.CheckFlag(),
			jsonFlag("print one line of JSON"),
		),
		Action: runRows,
	}
}

// remake is one call of rows.
type remake struct {
	dir, out string
	ds       *datasets.Dataset
	shape    *rows.Shape
	plan     datasets.Plan
	check    datasets.CheckLevel
}

func runRows(c *cli.Context) error {
	r, err := chosenRemake(c)
	if err != nil {
		return err
	}
	if err := r.make(c); err != nil {
		return err
	}
	if app.Quiet(c) {
		return nil
	}
	return tellInfo(c, r.out)
}

// chosenRemake reads the flags. The plan is that of the games with another shape: all
// that the new bytes depend on, and what playing them would write too.
func chosenRemake(c *cli.Context) (r *remake, err error) {
	r = new(remake)
	if r.dir, err = app.Dir(c); err != nil {
		return nil, err
	}
	if r.out, err = app.Required(c, "out"); err != nil {
		return nil, err
	}
	if r.check, err = rowflags.Check(c); err != nil {
		return nil, err
	}
	if r.ds, err = datasets.Open(r.dir); err != nil {
		return nil, err
	}
	r.plan = r.ds.Plan()
	if r.shape, err = rows.Of(r.plan); err != nil {
		return nil, app.Usage("read %s: %v", r.dir, err)
	}
	if err := rowflags.Apply(c, r.shape); err != nil {
		return nil, err
	}
	r.shape.Into(&r.plan)
	if err := r.plan.Validate(); err != nil {
		return nil, app.Usage("%v", err)
	}
	return r, refuseInside(r.dir, r.out)
}

// make makes the dataset, or what is missing of it.
func (r *remake) make(c *cli.Context) error {
	source, err := r.ds.Source(c.Context)
	switch {
	case errors.Is(err, datasets.ErrUnfinished):
		return app.Usage("%v: let selfplay run finish it first", err)
	case err != nil:
		return err
	}
	make, err := rowsOf(c.Context, r.shape, r.ds)
	if err != nil {
		return err
	}
	if err := rowflags.MakeOut(r.out); err != nil {
		return err
	}
	p := progress.New("replaying", source.Games(), app.Log(c), c.App.ErrWriter, app.Quiet(c),
		"game", r.plan.Game, "from", r.dir, "out", r.out)
	stop := p.Watch(source)
	defer stop()
	_, err = datasets.Make(c.Context, r.out, r.plan, source.Games(), datasets.Options{
		Play:        source.Play,
		NoJournal:   true, // the games are there
		Rows:        make,
		Description: r.shape.Description(),
		About:       r.ds.About(),
		Check:       r.check,
		Build:       app.Version(),
		Notify:      p.Notify,
	})
	return err
}
