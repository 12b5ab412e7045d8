package shuffle

import (
	"cmp"
	"encoding/binary"
	"slices"

	"selfplay/datasets/spill"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// Bytes that a row takes in addition to its own.
const (
	keySize   = 8  // the key in front of it
	placeSize = 16 // its place
)

// place is where a row of a part begins, after its key.
type place struct {
	key uint64
	at  int
}

// sortedPart is a part in memory, in the order of its keys.
type sortedPart struct {
	held   []byte
	places []place
	err    error
}

// sortPart loads a part, removes its file and sorts its rows. A panic is the error of the
// part.
func sortPart(parts *spill.Parts, i int, columns []encode.Column) (s sortedPart) {
	defer goroutine.Recover(&s.err)
	if s.held, s.err = parts.Load(i); s.err != nil {
		return s
	}
	for at := 0; at < len(s.held); {
		k := binary.LittleEndian.Uint64(s.held[at:])
		at += keySize
		s.places = append(s.places, place{k, at})
		for _, c := range columns {
			_, at = s.cell(c, at)
		}
	}
	slices.SortFunc(s.places, func(a, b place) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) })
	return s
}

// cell returns the cell of a column that begins at a byte, and the byte after it.
func (s *sortedPart) cell(c encode.Column, at int) (cell []byte, next int) {
	size := max(c.Len, 1) * c.Kind.Size()
	if c.Len == encode.Var {
		size = int(binary.LittleEndian.Uint32(s.held[at:]))
		at += 4
	}
	return s.held[at : at+size], at + size
}

// appendTo appends the rows with the numbers from up to, but not including, to.
func (s *sortedPart) appendTo(t *encode.Table, from, to int) {
	for _, p := range s.places[from:to] {
		at := p.at
		for col, c := range t.Columns {
			var cell []byte
			cell, at = s.cell(c, at)
			t.AddBytes(col, cell)
			if c.Len == encode.Var {
				t.End(col)
			}
		}
		t.Rows++
	}
}
