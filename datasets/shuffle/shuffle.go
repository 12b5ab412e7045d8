// Package shuffle puts the rows of a table in a random order, all of them and not only
// those of a window, in bounded memory.
//
// Every row has a key of 64 bits, drawn from the seed and its number alone; the order is
// that of the keys, and of numbers where two keys are equal. So it is one of all orders
// with nearly the same chance, and depends on the seed and the number of rows: not on
// memory or on how the rows came. In a first pass rows are put into parts by the highest
// bits of their keys, in temporary files if there is more than one part; in a second pass
// each part is sorted in memory. The next part is sorted while one is being written.
//
// A row on its way takes its own bytes, four a list, and sixteen for key and place.
package shuffle

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"math/rand/v2"

	"selfplay/encode"
)

// ErrMemory: so much cannot be shuffled in so little.
var ErrMemory = errors.New("too little memory")

// Limits of a shuffle.
const (
	MinMemory = 16 << 20
	maxParts  = 512
	tableRows = 8192 // of what comes out
)

// Options say what is shuffled.
type Options struct {
	Columns []encode.Column
	Rows    uint64 // how many there will be
	RowSize int    // bytes of one, about: see Size
	Seed    uint64
	Cut     uint64 // no table that comes out reaches over a multiple of so many rows; 0: anywhere
	Memory  int64  // bytes, about
	Temp    string // folder of temporary files
}

// Shuffle takes rows and gives them back in another order. It belongs to one goroutine.
type Shuffle struct {
	Options
	shift int // the highest bits of a key are the number of its part
	parts []*part
	next  uint64 // number of the next row
	row   []byte
}

// Size returns how many bytes the rows of a table take on their way, each on average.
func Size(t *encode.Table) int {
	n := 0
	for col, c := range t.Columns {
		n += len(t.Data[col])
		if c.Len == encode.Var {
			n += 4 * t.Rows
		}
	}
	return n/max(1, t.Rows) + placeSize
}

// New returns a shuffle without rows. Close it.
func New(o Options) (*Shuffle, error) {
	if o.Memory < MinMemory {
		return nil, fmt.Errorf("%w: %d bytes, want %d or more", ErrMemory, o.Memory, MinMemory)
	}
	s := &Shuffle{Options: o}
	total := o.Rows * uint64(o.RowSize)
	if total <= uint64(o.Memory)/2 {
		s.parts, s.shift = []*part{{held: make([]byte, 0, total)}}, 64
		return s, nil
	}
	n := 1 << bits.Len64(total/uint64(o.Memory/4)) // two parts are in memory at once, and one row in four may be longer
	if n > maxParts {
		return nil, fmt.Errorf("%w: %d bytes for %d rows of %d, want %d or more", ErrMemory, o.Memory, o.Rows, o.RowSize, total*8/maxParts)
	}
	s.shift = 64 - bits.Len(uint(n-1))
	buffer := min(256<<10, int(o.Memory)/4/n)
	for range n {
		p, err := newPart(o.Temp, buffer)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.parts = append(s.parts, p)
	}
	return s, nil
}

// key returns the key of a row.
func key(seed, row uint64) uint64 { return rand.NewPCG(seed, row).Uint64() }

// Add adds the rows of a table, which is the caller's again when it returns.
func (s *Shuffle) Add(t *encode.Table) error {
	for row := range t.Rows {
		k := key(s.Seed, s.next)
		s.next++
		s.row = binary.LittleEndian.AppendUint64(s.row[:0], k)
		for col := range t.Columns {
			cell := t.Cell(col, row)
			if t.Columns[col].Len == encode.Var {
				s.row = binary.LittleEndian.AppendUint32(s.row, uint32(len(cell)))
			}
			s.row = append(s.row, cell...)
		}
		if err := s.parts[k>>s.shift].add(s.row); err != nil {
			return err
		}
	}
	return nil
}

// All yields the rows in their new order. A table is valid until the next one; an error
// ends the sequence. It can be called once, when all rows were added.
func (s *Shuffle) All(ctx context.Context) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		if s.next != s.Rows {
			yield(nil, fmt.Errorf("shuffle rows: %d came, want %d", s.next, s.Rows))
			return
		}
		ctx, stop := context.WithCancel(ctx)
		sorted := make(chan sortedPart)
		done := make(chan struct{})
		go s.sort(ctx, sorted, done)
		defer func() { stop(); <-done }()
		t, out := encode.NewTable(s.Columns), uint64(0)
		for p := range sorted {
			if p.err != nil {
				yield(nil, p.err)
				return
			}
			for from := 0; from < len(p.places) && ctx.Err() == nil; from += t.Rows {
				t.Reset()
				p.appendTo(t, from, from+min(tableRows, s.left(out), len(p.places)-from))
				out += uint64(t.Rows)
				if !yield(t, nil) {
					return
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, context.Cause(ctx))
		}
	}
}

// left returns how many rows may follow on so many until a table has to end.
func (s *Shuffle) left(out uint64) int {
	if s.Cut == 0 {
		return tableRows
	}
	return int(min(tableRows, s.Cut-out%s.Cut))
}

// sort sends all parts, sorted, one ahead of whoever takes them.
func (s *Shuffle) sort(ctx context.Context, sorted chan<- sortedPart, done chan<- struct{}) {
	defer close(done)
	defer close(sorted)
	for i, p := range s.parts {
		result := p.sort(s.Columns)
		s.parts[i] = nil // its memory belongs to whoever takes it
		select {
		case sorted <- result:
		case <-ctx.Done():
			return
		}
		if result.err != nil {
			return
		}
	}
}

// Close removes the temporary files.
func (s *Shuffle) Close() error {
	var all error
	for _, p := range s.parts {
		if p != nil {
			all = errors.Join(all, p.close())
		}
	}
	s.parts = nil
	return all
}
