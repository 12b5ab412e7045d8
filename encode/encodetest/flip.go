package encodetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

// flippingTwiceRestores: Flip of every layout is its own inverse.
func flippingTwiceRestores(tr *trial) error {
	return tr.layouts(func(l *encode.Layout) error {
		if l.Flip == nil {
			return nil
		}
		return tr.positions(3, func(p engine.Position) error {
			board := l.Encode(nil, p)
			twice := slices.Clone(board)
			l.Flip(twice)
			l.Flip(twice)
			if !bytes.Equal(board, twice) {
				return errors.New("flipped twice it is another board")
			}
			return nil
		})
	})
}

// flippedBoardIsOfTheFlippedPosition: flipping the array and flipping the text agree.
func flippedBoardIsOfTheFlippedPosition(tr *trial) error {
	l := tr.game.Identity()
	return tr.pairs(func(p, other engine.Position) error {
		board := l.Encode(nil, p)
		l.Flip(board)
		if want := l.Encode(nil, other); !bytes.Equal(board, want) {
			return fmt.Errorf("flipped board %v, want %v", board, want)
		}
		return nil
	})
}

// flippingActionsTwiceRestores: for all 65,536 numbers Flip is its own inverse, keeps used
// numbers used, and leaves numbers from Count on as they are.
func flippingActionsTwiceRestores(tr *trial) error {
	a := &tr.game.Actions
	used := func(n int) bool { return a.Describe(uint16(n)).Kind != encode.NoAction }
	for n := range 1 << 16 {
		flipped := int(a.Flip(uint16(n)))
		switch {
		case int(a.Flip(uint16(flipped))) != n:
			return fmt.Errorf("action %d flips to %d, and that to %d", n, flipped, a.Flip(uint16(flipped)))
		case n >= a.Count && flipped != n || n < a.Count && flipped >= a.Count:
			return fmt.Errorf("action %d of %d flips to %d", n, a.Count, flipped)
		case n < a.Count && used(n) != used(flipped):
			return fmt.Errorf("action %d is %v, flipped %v", n, a.Describe(uint16(n)), a.Describe(uint16(flipped)))
		}
	}
	return nil
}

// flippedMovesAreLegal: the legal moves of the flipped position have the flipped numbers,
// and each leads to the flipped successor.
func flippedMovesAreLegal(tr *trial) error {
	return tr.pairs(tr.compareMoves)
}

func (tr *trial) compareMoves(p, other engine.Position) error {
	a := &tr.game.Actions
	var flipped, legal []uint16
	moves := p.Moves(nil)
	for _, m := range moves {
		flipped = append(flipped, a.Flip(a.Number(m)))
	}
	for _, m := range other.Moves(nil) {
		legal = append(legal, a.Number(m))
	}
	if !slices.Equal(slices.Sorted(slices.Values(flipped)), slices.Sorted(slices.Values(legal))) {
		return fmt.Errorf("the flipped moves are not the moves of %q", other)
	}
	for i := 0; i < len(moves); i += 7 {
		m, err := a.Move(other, flipped[i])
		if err != nil {
			return err
		}
		name := p.FormatMove(moves[i])
		p.Do(moves[i])
		other.Do(m)
		same := slices.Equal(tr.values(p, true), tr.values(other, false))
		p.Undo()
		other.Undo()
		if !same {
			return fmt.Errorf("%s leads to another position than in %q", name, other)
		}
	}
	return nil
}

// values returns the elements of a position, flipped or as they are, without the full-move number.
// It does not flip, since it counts the turns of one side.
func (tr *trial) values(p engine.Position, flipped bool) []int {
	l := tr.game.Identity()
	board := l.Encode(nil, p)
	if flipped {
		l.Flip(board)
	}
	values, at := l.Values(nil, board), 0
	for _, e := range l.Elements {
		if e.Name == encode.FullMoveElement {
			values[at] = 0
		}
		at += e.Count
	}
	return values
}

// planesIgnoreTheSide: the planes of the flipped position are the same, but for the plane
// that tells who began.
func planesIgnoreTheSide(tr *trial) error {
	l, err := tr.game.Layout(encode.PlanesName)
	if err != nil {
		return err
	}
	size := l.Elements[0].Count
	return tr.pairs(func(p, other engine.Position) error {
		one, two := l.Encode(nil, p), l.Encode(nil, other)
		for i, e := range l.Elements {
			same := bytes.Equal(one[i*size:][:size], two[i*size:][:size])
			if same == (e.Name == encode.FirstPlane) {
				return fmt.Errorf("plane %s of %q: the same %t", e.Name, other, same)
			}
		}
		return nil
	})
}
