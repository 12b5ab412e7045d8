package export

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// known is the game of a dataset and how its rows are made, as this program knows
// them.
type known struct {
	game  encode.Game
	shape *rows.Shape
}

// find returns what plan p is of. Where the dataset was made by other versions
// of the rules or the numbers, it is ErrUnsupported.
func find(p datasets.Plan) (known, error) {
	s, err := rows.Of(p)
	if err != nil {
		return known{}, err
	}
	return known{s.Game, s}, nil
}

// openKnown opens a dataset whose games this program can play again.
func openKnown(dir string) (*datasets.Dataset, known, error) {
	ds, err := datasets.Open(dir)
	if err != nil {
		return nil, known{}, err
	}
	k, err := find(ds.Plan())
	if err != nil {
		return nil, known{}, fmt.Errorf("read %s: %w", dir, err)
	}
	return ds, k, nil
}

// position returns the text of the position that a row's board shows.
func (k *known) position(values []byte, turn engine.Side) (string, error) {
	l := k.shape.Layout
	if l.Decode == nil {
		return "not in layout " + l.Name, nil
	}
	return l.Decode(k.shape.Absolute(values, turn), turn)
}

// replayOf returns what makes the rows of the dataset in dir again. A dataset whose
// plan is damaged has none, nor has one whose rows depend on games that are: the
// report will say so.
func replayOf(ctx context.Context, dir string) (func() datasets.RowFunc, error) {
	ds, err := datasets.Open(dir)
	var k known
	if err == nil {
		if k, err = find(ds.Plan()); err != nil {
			return nil, fmt.Errorf("verify %s deeply: %w", dir, err)
		}
	}
	var make func() datasets.RowFunc
	if err == nil {
		make, err = rowsOf(ctx, k.shape, ds)
	}
	switch {
	case errors.Is(err, datasets.ErrCorrupt), errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, datasets.ErrUnfinished):
		return nil, app.Usage("verify %s deeply: which rows it has depends on all games: %v", dir, err)
	}
	return make, err
}

// rowsOf returns what makes rows of a shape of the games of a dataset, with default
// memory where it has to know all of them.
func rowsOf(ctx context.Context, s *rows.Shape, ds *datasets.Dataset) (func() datasets.RowFunc, error) {
	if !s.Unique {
		return s.Rows(), nil
	}
	games := new(chain)
	if err := games.add(ctx, ds); err != nil {
		return nil, err
	}
	x, err := dedup.Find(ctx, s, games.all(), games.size(), defaultMemory)
	if err != nil {
		return nil, err
	}
	return x.Rows(s), nil
}
