package main

import (
	"errors"
	"fmt"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/engine"
)

// known is the game of a dataset and its layout, as this program knows them.
type known struct {
	game   encode.Game
	layout *encode.Layout
}

// find returns what plan p is of. Where the dataset was made by other versions
// of the rules or the numbers, it is ErrUnsupported.
func find(p datasets.Plan) (k known, err error) {
	if k.game, err = encode.Find(p.Game); err != nil {
		return known{}, fmt.Errorf("%w: %w", datasets.ErrUnsupported, err)
	}
	if k.layout, err = k.game.Layout(p.Layout); err != nil {
		return known{}, fmt.Errorf("%w: %w", datasets.ErrUnsupported, err)
	}
	for _, v := range []struct {
		of           string
		there, known int
	}{
		{"rules", p.Rules, k.game.Rules},
		{"layout", p.LayoutVersion, k.layout.Version},
		{"actions", p.Actions, k.game.Actions.Version},
	} {
		if v.there != v.known {
			return known{}, fmt.Errorf("%w: version %d of the %s, this program has %d", datasets.ErrUnsupported, v.there, v.of, v.known)
		}
	}
	return k, nil
}

// position returns the text of the position with these values.
func (k *known) position(values []byte, turn engine.Side) (string, error) {
	if k.layout.Decode == nil {
		return "not in layout " + k.layout.Name, nil
	}
	return k.layout.Decode(values, turn)
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
	p := ds.Plan()
	k, err := find(p)
	if err != nil {
		return nil, fmt.Errorf("verify %s deeply: %w", dir, err)
	}
	return func() datasets.RowFunc { return encode.NewReplayer(k.game, p.Variant, k.layout).Append }, nil
}
