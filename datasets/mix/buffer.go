package mix

import (
	"encoding/binary"
	"math/rand/v2"

	"selfplay/encode"
	"selfplay/engine"
)

// buffer shuffles rows that are near each other: every row that comes replaces a random one,
// which goes.
type buffer struct {
	src  *rand.PCG
	rows [][]byte // encoded; memory is reused
	size int
}

func newBuffer(size int, seed uint64) *buffer {
	return &buffer{src: newSource(seed, bufferStream), size: size}
}

// swap takes a row of a table. If the buffer is full, it first moves a random row to out and
// returns true.
func (b *buffer) swap(t *encode.Table, row int, out *encode.Table) bool {
	if len(b.rows) < b.size {
		b.rows = append(b.rows, appendRow(nil, t, row))
		return false
	}
	at := &b.rows[engine.Below(b.src, uint32(b.size))]
	addRow(out, *at)
	*at = appendRow((*at)[:0], t, row)
	return true
}

// drain moves a random row to out. It returns false if there is none.
func (b *buffer) drain(out *encode.Table) bool {
	n := len(b.rows)
	if n == 0 {
		return false
	}
	at := engine.Below(b.src, uint32(n))
	addRow(out, b.rows[at])
	b.rows[at], b.rows = b.rows[n-1], b.rows[:n-1]
	return true
}

// appendRow appends the cells of a row, those of lists with their length in front.
func appendRow(dst []byte, t *encode.Table, row int) []byte {
	for col, c := range t.Columns {
		cell := t.Cell(col, row)
		if c.Len == encode.Var {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(len(cell)))
		}
		dst = append(dst, cell...)
	}
	return dst
}

// addRow is the inverse of appendRow.
func addRow(t *encode.Table, row []byte) {
	for col, c := range t.Columns {
		size := max(c.Len, 1) * c.Kind.Size()
		if c.Len == encode.Var {
			size, row = int(binary.LittleEndian.Uint32(row)), row[4:]
		}
		t.AddBytes(col, row[:size])
		if c.Len == encode.Var {
			t.End(col)
		}
		row = row[size:]
	}
	t.Rows++
}
