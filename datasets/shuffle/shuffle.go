// Package shuffle puts rows in random order, in bounded memory: a Shuffle all rows of a table, a mix those of several
// datasets.
//
// # All rows
//
// A Shuffle permutes all rows, not only those in a window.
// Every row has a 64-bit key that depends on the seed and on the number of the row only.
// Rows are sorted by key, and by number if two keys are equal. The order is therefore
// nearly uniform among all permutations, and depends on the seed and the number of rows,
// not on memory or on how the rows were divided into tables.
//
// The first pass divides the rows into parts by the highest bits of their keys, in
// temporary files if there is more than one part. The second pass sorts each part in
// memory. While one part is written, the next one is sorted.
//
// While it is shuffled, a row takes its own bytes, 4 bytes for every list, 8 for its key
// and 16 for its place.
//
// # Rows of several datasets
//
// MixOptions draw rows of several datasets by weights, for training on their union without a copy of it. Which rows
// come, and in which order, depends on the seed, the weights and the rows of the datasets only.
package shuffle

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"selfplay/datasets/spill"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// MinMemory is the least Options.Memory.
const MinMemory = 16 << 20

// tableRows is the number of rows of a table that All yields, at most.
const tableRows = 8192

// Options describe the rows and the order. Memory and sizes are in bytes and approximate.
type Options struct {
	Columns []encode.Column
	Rows    uint64 // number of rows that will be added
	RowSize int    // bytes per row: see Size
	Seed    uint64
	Cut     uint64 // no table of the result crosses a multiple of Cut rows; 0: any may
	Memory  int64
	Temp    string // folder for temporary files
}

// Shuffle collects rows and yields them in random order. It belongs to one goroutine.
type Shuffle struct {
	Options
	parts *spill.Parts
	next  uint64 // number of the next row
	row   []byte
}

// Size returns the bytes that a row takes while it is shuffled, the mean of a table.
func Size(t *encode.Table) int {
	n := 0
	for col, c := range t.Columns {
		n += len(t.Data[col])
		if c.Len == encode.Var {
			n += 4 * t.Rows
		}
	}
	return n/max(1, t.Rows) + keySize + placeSize
}

// New returns a shuffle without rows. The error is spill.ErrMemory if Memory is too small.
// The caller calls Close.
func New(o Options) (*Shuffle, error) {
	data := o.Rows * uint64(o.RowSize)
	parts, err := spill.New(spill.Options{
		Memory: o.Memory, Minimum: MinMemory, Data: data, Reserve: data,
		Share:  4, // two parts are in memory at once, and rows may be longer than RowSize
		Buffer: 256 << 10, Dir: o.Temp, Pattern: "shuffle-",
	})
	if err != nil {
		return nil, err
	}
	return &Shuffle{Options: o, parts: parts}, nil
}

// key returns the key of a row.
func key(seed, row uint64) uint64 { return rand.NewPCG(seed, row).Uint64() }

// Add adds the rows of a table. It does not keep the table.
func (s *Shuffle) Add(t *encode.Table) error {
	for row := range t.Rows {
		k := key(s.Seed, s.next)
		s.next++
		s.row = AppendRow(binary.LittleEndian.AppendUint64(s.row[:0], k), t, row)
		if err := s.parts.Write(k, s.row); err != nil {
			return err
		}
	}
	return nil
}

// All yields the rows in their new order. Call it once, after all rows were added. A table
// is valid until the next one. An error ends the sequence.
func (s *Shuffle) All(ctx context.Context) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		if s.next != s.Rows {
			yield(nil, fmt.Errorf("shuffle rows: %d rows were added, want %d", s.next, s.Rows))
			return
		}
		ctx, stop := context.WithCancel(ctx)
		sorted, g := make(chan sortedPart), goroutine.New()
		g.Go(func() error { s.sort(ctx, sorted); return nil })
		defer func() { stop(); _ = g.Wait() }() // sorted has delivered its error
		t, out := encode.NewTable(s.Columns), uint64(0)
		for p := range sorted {
			if p.err != nil {
				yield(nil, p.err)
				return
			}
			for from := 0; from < len(p.places) && ctx.Err() == nil; from += t.Rows {
				t.Reset()
				p.appendTo(t, from, from+min(s.room(out), len(p.places)-from))
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

// room returns how many rows the next table may have after out rows.
func (s *Shuffle) room(out uint64) int {
	if s.Cut == 0 {
		return tableRows
	}
	return int(min(tableRows, s.Cut-out%s.Cut))
}

// sort sends all parts in order, each sorted. It sorts one part ahead of the receiver.
func (s *Shuffle) sort(ctx context.Context, sorted chan<- sortedPart) {
	defer close(sorted)
	for i := range s.parts.Len() {
		part := sortPart(s.parts, i, s.Columns)
		select {
		case sorted <- part:
		case <-ctx.Done():
			return
		}
		if part.err != nil {
			return
		}
	}
}

// Close removes the temporary files.
func (s *Shuffle) Close() error { return s.parts.Close() }

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
	s.held, s.err = parts.Load(i)
	if s.err != nil {
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
