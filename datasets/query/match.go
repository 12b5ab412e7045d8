package query

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
)

// Rows is a set of rows of a part of a shard, by their numbers from 0: one bit each.
type Rows []uint64

// Has reports whether a row is in the set.
func (r Rows) Has(row int) bool { return row/64 < len(r) && r[row/64]>>(row%64)&1 != 0 }

// Count returns the number of rows in the set.
func (r Rows) Count() (n uint64) {
	for _, word := range r {
		n += uint64(bits.OnesCount64(word))
	}
	return n
}

// picker returns the rows of the set, for datasets.Dataset.Pick.
func (r Rows) picker() func(t *encode.Table) []int {
	first := 0 // row of the next group
	return func(t *encode.Table) (rows []int) {
		for row := range t.Rows {
			if r.Has(first + row) {
				rows = append(rows, row)
			}
		}
		first += t.Rows
		return rows
	}
}

// Matching returns the rows of a part that match. Where must not be nil.
func (q *Query) Matching(p *record.Part) (Rows, error) {
	r, err := q.Dataset.OpenColumns(p, plan.PositionsFile, encode.GameColumn, encode.PlyColumn)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	m := q.newMatcher(p)
	defer m.stop()
	for group := range r.Groups() {
		t, err := r.Read(group)
		if err != nil {
			return nil, err
		}
		for row := range t.Rows {
			if err := m.add(binary.LittleEndian.Uint64(t.Cell(0, row)), binary.LittleEndian.Uint16(t.Cell(1, row))); err != nil {
				return nil, err
			}
		}
	}
	return m.rows, nil
}

// Games returns a function that reports whether a game has a decision that matches, for one goroutine.
func (q *Query) Games() func(r *engine.Record) (bool, error) {
	if q.Where == nil {
		return func(*engine.Record) (bool, error) { return true, nil }
	}
	replayer := q.newReplayer()
	return func(r *engine.Record) (bool, error) {
		n, err := replayer.Count(r)
		return n > 0, err
	}
}

// newReplayer returns a replayer that keeps the decisions that match.
func (q *Query) newReplayer() *encode.Replayer {
	view := encode.View{Layout: q.Shape.Layout, Filter: encode.Filter{Where: q.Where}}
	return encode.NewReplayer(q.Shape.Game, q.Shape.Variant, view)
}

// matcher finds the rows of a part that match. It belongs to one goroutine.
type matcher struct {
	*records
	replayer *encode.Replayer
	plies    []uint16 // of the game that match and were not passed yet
	rows     Rows
	next     int // number of the next row
}

func (q *Query) newMatcher(p *record.Part) *matcher {
	return &matcher{records: newRecords(q.Dataset.Games(p)), replayer: q.newReplayer(), rows: make(Rows, (p.Rows+63)/64)}
}

// add adds the next row of the part.
func (m *matcher) add(game uint64, ply uint16) error {
	begins, err := m.find(game)
	if begins && err == nil {
		m.plies, err = m.replayer.Plies(m.rec)
	}
	if err == nil && m.next >= 64*len(m.rows) {
		err = fmt.Errorf("%w: more rows than the commit record has", datasets.ErrCorrupt)
	}
	if err != nil {
		return err
	}
	at, matches := slices.BinarySearch(m.plies, ply)
	m.plies = m.plies[at:]
	if matches {
		m.rows[m.next/64] |= 1 << (m.next % 64)
	}
	m.next++
	return nil
}
