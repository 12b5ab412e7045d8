package encodetest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// decodeInvertsEncode: the decoded text is a position with the same key and the same legal
// moves, and decoding it again gives the same text.
func decodeInvertsEncode(tr *trial) error {
	other := tr.newPosition()
	key := tr.game.Identity().Key()
	return tr.positions(1, func(p engine.Position) error {
		l := tr.game.Identity()
		board := l.Encode(nil, p)
		text, err := l.Decode(board, p.Turn())
		if err != nil {
			return err
		}
		if err := other.Set(text); err != nil {
			return fmt.Errorf("set decoded text %q: %w", text, err)
		}
		again := l.Encode(nil, other)
		switch second, err := l.Decode(again, other.Turn()); {
		case err != nil || second != text:
			return fmt.Errorf("decoded as %q, then as %q, %v", text, second, err)
		case !bytes.Equal(key(nil, board, p.Turn()), key(nil, again, other.Turn())):
			return fmt.Errorf("decoded as %q, another position", text)
		case !slices.Equal(moveTexts(p), moveTexts(other)):
			return fmt.Errorf("decoded as %q, with other legal moves", text)
		}
		return nil
	})
}

func moveTexts(p engine.Position) (texts []string) {
	for _, m := range p.Moves(nil) {
		texts = append(texts, p.FormatMove(m))
	}
	slices.Sort(texts)
	return texts
}

// changedArraysAreTextErrors changes one element of an array at a time. The result is a
// position that can be set, or an *engine.TextError with a kind; never another error or a
// panic.
func changedArraysAreTextErrors(tr *trial) error {
	kinds := map[string]bool{}
	err := tr.positions(997, func(p engine.Position) error { return tr.changeElements(p, kinds) })
	if err == nil && !kinds["ARRAY_RANGE"] {
		err = errors.New("no value is refused as ARRAY_RANGE")
	}
	return err
}

// changeElements tries small values, and values around the number of cells and codes.
func (tr *trial) changeElements(p engine.Position, kinds map[string]bool) error {
	l, other := tr.game.Identity(), tr.newPosition()
	cells, codes := tr.game.Board.Cells(), len(tr.game.Board.Codes)
	values := []int{-1, cells, cells + 1, codes/2 + 1, codes - 1, codes, 255, 256, 1<<16 - 1, 1 << 16}
	for v := range 16 {
		values = append(values, v)
	}
	array := l.Values(nil, l.Encode(nil, p))
	for i, old := range array {
		for _, v := range values {
			array[i] = v
			text, err := l.Text(array, p.Turn(), true)
			var refusal *engine.TextError
			switch {
			case err == nil:
				if err := tr.set(other, text); err != nil {
					return fmt.Errorf("element %d is %d: text %q: %w", i, v, text, err)
				}
			case !errors.As(err, &refusal) || refusal.Kind == "":
				return fmt.Errorf("element %d is %d: want a text error with a kind: %w", i, v, err)
			default:
				kinds[refusal.Kind] = true
			}
		}
		array[i] = old
	}
	return nil
}

// set sets a text of an array. Arrays are the same in all variants, so one that this variant refuses is
// a position of another.
func (tr *trial) set(p engine.Position, text string) error {
	err := p.Set(text)
	var refusal *engine.TextError
	if err == nil || !errors.As(err, &refusal) {
		return err
	}
	for _, other := range tr.game.Variants {
		if tr.game.New(other).Set(text) == nil {
			return nil
		}
	}
	return err
}

// encodingIsExact: Encode appends Len values after dst and does not allocate.
func encodingIsExact(tr *trial) error {
	prefix := []byte{1, 2, 3}
	return tr.layouts(func(l *encode.Layout) error {
		size := l.Len() * l.Kind.Size()
		p, dst := tr.newPosition(), make([]byte, 0, 1<<16)
		if n := testing.AllocsPerRun(10, func() { dst = l.Encode(dst[:0], p) }); n > 0 {
			return fmt.Errorf("%v allocations", n)
		}
		return tr.positions(7, func(p engine.Position) error {
			if got := l.Encode(slices.Clone(prefix), p); !bytes.HasPrefix(got, prefix) || len(got) != len(prefix)+size {
				return fmt.Errorf("%d bytes, want %d after the prefix", len(got), size)
			}
			return nil
		})
	})
}

// codesAreOnTheBoard: every cell has a code of the board, and both sides have pieces at
// some time.
func codesAreOnTheBoard(tr *trial) error {
	b, l, seen := &tr.game.Board, tr.game.Identity(), [2]bool{}
	err := tr.positions(1, func(p engine.Position) error {
		for cell, code := range l.Values(nil, l.Encode(nil, p))[:b.Cells()] {
			if code >= len(b.Codes) {
				return fmt.Errorf("cell %s has code %d of %d", b.Name(cell), code, len(b.Codes))
			}
			for _, piece := range b.Codes[code] {
				if piece.Side != encode.Neutral {
					seen[piece.Side] = true
				}
			}
		}
		return nil
	})
	if err == nil && seen != [2]bool{true, true} {
		err = errors.New("the codes show pieces of one side only")
	}
	return err
}

// planesStayOnTheBoard: the bits after the last cell of a plane are 0, and planes are not
// flipped again.
func planesStayOnTheBoard(tr *trial) error {
	l, err := tr.game.Layout(encode.PlanesName)
	if err != nil {
		return err
	}
	if l.Flip != nil {
		return errors.New("planes have a Flip, but they always show the side to move")
	}
	size := l.Elements[0].Count
	return tr.positions(1, func(p engine.Position) error {
		board := l.Encode(nil, p)
		for i, e := range l.Elements {
			for cell := tr.game.Board.Cells(); cell < 8*size; cell++ {
				if Bit(board[i*size:], cell) != 0 {
					return fmt.Errorf("plane %s has a bit beyond the board", e.Name)
				}
			}
		}
		return nil
	})
}

// Bit returns the bit of a cell in a plane.
func Bit(plane []byte, cell int) byte { return plane[cell>>3] >> (cell & 7) & 1 }

// keysMatchHashes: over random games, two positions have the same key exactly if they have
// the same Zobrist hash.
func keysMatchHashes(tr *trial) error {
	l := tr.game.Identity()
	key := l.Key()
	byHash, byKey, repeated := map[uint64]string{}, map[string]uint64{}, 0
	src := rand.NewPCG(1, 2)
	p := tr.newPosition()
	for range 60 {
		p.Reset()
		for range 150 {
			k, h := string(key(nil, l.Encode(nil, p), p.Turn())), p.Hash()
			if before, ok := byHash[h]; ok && before != k {
				return fmt.Errorf("position %q: two keys for one hash", p)
			}
			if before, ok := byKey[k]; ok && before != h {
				return fmt.Errorf("position %q: two hashes for one key", p)
			} else if ok {
				repeated++
			}
			byHash[h], byKey[k] = k, h
			if _, ok := p.DoRandom(src); !ok {
				break
			}
		}
	}
	if repeated == 0 {
		return errors.New("no position occurred twice")
	}
	return nil
}

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
		case n >= a.Count && flipped != n:
			return fmt.Errorf("action %d of %d flips to %d: numbers from Count on stay as they are", n, a.Count, flipped)
		case n < a.Count && flipped >= a.Count:
			return fmt.Errorf("action %d of %d flips to %d", n, a.Count, flipped)
		case int(a.Flip(uint16(flipped))) != n:
			return fmt.Errorf("action %d flips to %d, and that to %d", n, flipped, a.Flip(uint16(flipped)))
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
	for i := 0; i < len(moves); i += 1 + len(moves)/8 {
		m, err := a.Move(other, flipped[i])
		if err != nil {
			return err
		}
		name := p.FormatMove(moves[i])
		p.Do(moves[i])
		other.Do(m)
		same := slices.Equal(tr.values(p, true), tr.values(other, false)) && p.Turn() != other.Turn()
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
