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
	other := tr.game.New("")
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
	l, other := tr.game.Identity(), tr.game.New("")
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
				if err := other.Set(text); err != nil {
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

// encodingIsExact: Encode appends Len values after dst and does not allocate.
func encodingIsExact(tr *trial) error {
	prefix := []byte{1, 2, 3}
	return tr.layouts(func(l *encode.Layout) error {
		size := l.Len() * l.Kind.Size()
		p, dst := tr.game.New(""), make([]byte, 0, 1<<16)
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
	p := tr.game.New("")
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
