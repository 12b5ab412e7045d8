package main

import (
	"errors"
	"fmt"

	"selfplay/cmd/internal/rows"
	"selfplay/datasets"
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

// position returns the text of the position that a row's board shows.
func (k *known) position(values []byte, turn engine.Side) (string, error) {
	l := k.shape.Layout
	if l.Decode == nil {
		return "not in layout " + l.Name, nil
	}
	return l.Decode(k.shape.Absolute(values, turn), turn)
}

// replayOf returns what makes the rows of the dataset in dir again. A dataset
// whose plan is damaged has none: the report will say so.
func replayOf(dir string) (func() datasets.RowFunc, error) {
	ds, err := datasets.Open(dir)
	if errors.Is(err, datasets.ErrCorrupt) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	k, err := find(ds.Plan())
	if err != nil {
		return nil, fmt.Errorf("verify %s deeply: %w", dir, err)
	}
	return k.shape.Rows(), nil
}
