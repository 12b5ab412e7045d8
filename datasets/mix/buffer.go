package mix

import (
	"math/rand/v2"

	"selfplay/datasets/shuffle"
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
		b.rows = append(b.rows, shuffle.AppendRow(nil, t, row))
		return false
	}
	at := &b.rows[engine.Below(b.src, uint32(b.size))]
	shuffle.AddRow(out, *at)
	*at = shuffle.AppendRow((*at)[:0], t, row)
	return true
}

// drain moves a random row to out. It returns false if there is none.
func (b *buffer) drain(out *encode.Table) bool {
	n := len(b.rows)
	if n == 0 {
		return false
	}
	at := engine.Below(b.src, uint32(n))
	shuffle.AddRow(out, b.rows[at])
	b.rows[at], b.rows = b.rows[n-1], b.rows[:n-1]
	return true
}
