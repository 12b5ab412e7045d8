package export

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
)

// onDataset returns the action of a command that reads one dataset. If the dataset is
// damaged, the error says what to do about it.
func onDataset(run func(c *cli.Context, dir string) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		dir, err := app.Dir(c)
		if err != nil {
			return err
		}
		return app.ExplainDamage(c, dir, run(c, dir))
	}
}

// openKnown opens a dataset whose games this program can replay. The error is
// ErrUnsupported if it was made with other versions of the rules or the numbers.
func openKnown(c *cli.Context, dir string) (*datasets.Dataset, *rows.Shape, error) {
	ds, err := datasets.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	shape, err := rows.OfDataset(app.Catalog(c).Games, ds)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", dir, err)
	}
	return ds, shape, nil
}

// explainUnfinished adds to ErrUnfinished what to do. It returns other errors unchanged.
func explainUnfinished(err error) error {
	if errors.Is(err, datasets.ErrUnfinished) {
		return app.Usage("%v: run selfplay run to finish it, or with fewer --games to end it", err)
	}
	return err
}

// replayOf returns a function that makes the rows of the dataset in dir again. It returns
// nil if the plan is damaged, or if the rows depend on damaged games: verify reports the
// damage.
func replayOf(c *cli.Context, dir string) (func() datasets.RowFunc, error) {
	ds, err := datasets.OpenAnew(dir)
	var shape *rows.Shape
	if err == nil {
		if shape, err = rows.OfDataset(app.Catalog(c).Games, ds); err != nil {
			return nil, fmt.Errorf("verify %s --deep: %w", dir, err)
		}
	}
	var rowFuncs func() datasets.RowFunc
	if err == nil {
		rowFuncs, err = rowFuncsOf(c, shape, ds)
	}
	switch {
	case errors.Is(err, datasets.ErrCorrupt), errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, datasets.ErrUnfinished):
		return nil, app.Usage("verify %s --deep: its rows depend on all games: %v", dir, err)
	}
	return rowFuncs, err
}

// rowFuncsOf returns a function that makes the rows of a shape from the games of a
// dataset. It reads the games first if the shape is Unique, in the default memory.
func rowFuncsOf(c *cli.Context, s *rows.Shape, ds *datasets.Dataset) (func() datasets.RowFunc, error) {
	if !s.Unique {
		return s.Rows(), nil
	}
	src, err := ds.Source(c.Context)
	if err != nil {
		return nil, err
	}
	return compareGames(c, s, src, defaultMemory)
}

// compareGames returns a function that makes the rows of a shape from the games of a source.
// If the shape is Unique, it first compares the positions of all games and shows progress.
func compareGames(c *cli.Context, s *rows.Shape, src *datasets.Source, memory int64) (func() datasets.RowFunc, error) {
	if !s.Unique {
		return s.Rows(), nil
	}
	n := new(scan.Counter)
	defer progress.New(comparing, src.Games(), app.Log(c), c.App.ErrWriter, app.Quiet(c)).Watch(n)()
	return dedup.RowFuncs(c.Context, s, src, memory, n)
}

// comparing is what progress says while equal positions are found.
const comparing = "comparing"

// readGames adds the games of parts of shards to total, and shows progress.
func readGames[T scan.Collector[T]](c *cli.Context, ds *datasets.Dataset, parts []*record.Part, total T) error {
	n := new(scan.Counter)
	defer newProgress(c, "reading", parts).Watch(n)()
	return scan.Games(c.Context, ds, parts, total, n)
}

// follow shows the progress of reading parts of shards, which n counts, until stop is called. The
// pairs of keys and values are logged at the start.
func follow(c *cli.Context, doing string, parts []*record.Part, n *scan.Counter, pairs ...any) (p *progress.Progress, stop func()) {
	p = newProgress(c, doing, parts, pairs...)
	p.Start()
	return p, p.Watch(n)
}

func newProgress(c *cli.Context, doing string, parts []*record.Part, pairs ...any) *progress.Progress {
	games := uint64(0)
	for _, p := range parts {
		games += p.Games
	}
	return progress.New(doing, games, app.Log(c), c.App.ErrWriter, app.Quiet(c), pairs...)
}
