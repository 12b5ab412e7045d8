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
	for rest := s.held; len(rest) > 0; {
		k := binary.LittleEndian.Uint64(rest)
		rest = rest[keySize:]
		s.places = append(s.places, place{k, len(s.held) - len(rest)})
		for _, c := range columns {
			_, rest = cutCell(c, rest)
		}
	}
	slices.SortFunc(s.places, func(a, b place) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) })
	return s
}

// appendTo appends the rows with the numbers from up to, but not including, to.
func (s *sortedPart) appendTo(t *encode.Table, from, to int) {
	for _, p := range s.places[from:to] {
		AddRow(t, s.held[p.at:])
	}
}

// AppendRow appends the cells of a row, those of lists with their length in front.
func AppendRow(dst []byte, t *encode.Table, row int) []byte {
	for col, c := range t.Columns {
		cell := t.Cell(col, row)
		if c.Len == encode.Var {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(len(cell)))
		}
		dst = append(dst, cell...)
	}
	return dst
}

// AddRow adds the row that AppendRow appended, and with which data begins, to t.
func AddRow(t *encode.Table, data []byte) {
	for col, c := range t.Columns {
		var cell []byte
		cell, data = cutCell(c, data)
		t.AddBytes(col, cell)
		if c.Len == encode.Var {
			t.End(col)
		}
	}
	t.Rows++
}

// cutCell returns the cell of a column with which data begins, and what follows it.
func cutCell(c encode.Column, data []byte) (cell, rest []byte) {
	size := max(c.Len, 1) * c.Kind.Size()
	if c.Len == encode.Var {
		size, data = int(binary.LittleEndian.Uint32(data)), data[4:]
	}
	return data[:size], data[size:]
}
