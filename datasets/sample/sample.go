// Package sample draws rows of a dataset, or of those that match a query, at random, each at most once. The rows that
// are drawn depend on the seed and on the rows of the dataset only, not on the format of
// its files.
//
//	sample.go  Sample: the rows of a dataset that are drawn
//	strata.go  Strata: classes of rows that are drawn equally often
//	draw.go    selection sampling, and quotas
package sample

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/record"
	"selfplay/datasets/scan"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// Options describe a sample.
type Options struct {
	Query *query.Query // which rows of a dataset may be drawn
	Parts []*record.Part
	By    *Strata
	Seed  uint64
	Rows  uint64 // number of rows to draw; all rows if the parts have fewer
}

// Sample is the rows that are drawn. It belongs to one goroutine.
type Sample struct {
	Options
	draw *draw
	rows []*query.Rows // that may be drawn, by part
}

// maxOpen is the number of parts whose files stay open from counting to drawing. Those of others are opened
// again, but not hashed.
const maxOpen = 64

// StratumCount is the number of rows of a stratum.
type StratumCount struct {
	Stratum string `json:"stratum"`
	Rows    uint64 `json:"rows"` // drawn
	Of      uint64 `json:"of"`   // in the parts, as far as they match
}

// New counts the rows of each stratum that match the query and decides how many of each are drawn. It
// reads the columns of the strata and what the conditions of the query need; without both the commit
// records suffice.
func New(ctx context.Context, o Options) (*Sample, error) {
	s := &Sample{Options: o, rows: make([]*query.Rows, len(o.Parts))}
	counts, err := s.count(ctx)
	if err != nil {
		s.close()
		return nil, err
	}
	s.draw = newDraw(o.Seed, counts, o.Rows)
	return s, nil
}

// close closes the files of all parts.
func (s *Sample) close() {
	for _, r := range s.rows {
		if r != nil {
			r.Close()
		}
	}
}

// Drawn returns how many rows are drawn, and of how many.
func (s *Sample) Drawn() (rows, of uint64) { return s.draw.rows, s.draw.of }

// Strata returns the strata that have rows.
func (s *Sample) Strata() (list []StratumCount) {
	for i, name := range s.By.strata {
		if s.draw.counts[i] > 0 {
			list = append(list, StratumCount{name, s.draw.quotas[i], s.draw.counts[i]})
		}
	}
	return list
}

// count returns the number of rows of each stratum.
func (s *Sample) count(ctx context.Context) ([]uint64, error) {
	counts := make([]uint64, len(s.By.strata))
	var mu sync.Mutex
	g, ctx := goroutine.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range s.Parts {
		g.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			part, err := s.countPart(i)
			mu.Lock()
			defer mu.Unlock()
			for stratum, n := range part {
				counts[stratum] += n
			}
			return err
		})
	}
	return counts, g.Wait()
}

// countPart finds the rows of a part that match, and counts them by stratum.
func (s *Sample) countPart(i int) (counts []uint64, err error) {
	counts = make([]uint64, len(s.By.strata))
	s.rows[i], err = s.Query.Rows(s.Parts[i])
	if err == nil && len(s.By.columns) == 0 {
		counts[0] = s.rows[i].Count()
	} else if err == nil {
		err = s.each(i, func(_ uint32, stratum int) { counts[stratum]++ })
	}
	if err != nil {
		return nil, &datasets.ShardError{Op: "read", Shard: s.Parts[i].Shard, Err: err}
	}
	if len(s.Parts) > maxOpen {
		s.rows[i].Close()
	}
	return counts, nil
}

// each calls look with the rows of a part that match, in order. Without strata it need not read them.
func (s *Sample) each(i int, look func(row uint32, stratum int)) error {
	rows := s.rows[i]
	if len(s.By.columns) == 0 {
		for row := range int(s.Parts[i].Rows) {
			if rows.Has(row) {
				look(uint32(row), 0)
			}
		}
		return nil
	}
	if rows.Count() == 0 {
		return nil
	}
	r, err := rows.Columns(plan.PositionsFile, s.By.columns...)
	if err != nil {
		return err
	}
	first := 0 // row of the group
	for g := range r.Groups() {
		t, err := r.Read(g)
		if err != nil {
			return err
		}
		for row := range t.Rows {
			if rows.Has(first + row) {
				look(uint32(first+row), s.By.of(t, row))
			}
		}
		first += t.Rows
	}
	return nil
}

// Tables draws the rows and yields them in the order of the dataset. It counts the parts
// that it has read in n. Call it once. A table is valid until the next one. An error ends
// the sequence.
func (s *Sample) Tables(ctx context.Context, n *scan.Counter) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		defer s.close()
		part := 0 // Ahead calls read part by part
		read := func(p *record.Part) iter.Seq2[*encode.Table, error] {
			part++
			return s.part(part-1, n)
		}
		for t, err := range scan.Ahead(ctx, s.Parts, read) {
			if !yield(t, err) || err != nil {
				return
			}
		}
		if err := s.draw.end(); err != nil {
			yield(nil, err)
		}
	}
}

// part draws the rows of a part, which has to come after the parts before it, and returns
// an iterator over them, which need not.
func (s *Sample) part(i int, n *scan.Counter) iter.Seq2[*encode.Table, error] {
	p := s.Parts[i]
	drawn, err := s.drawPart(i)
	return func(yield func(*encode.Table, error) bool) {
		defer s.rows[i].Close() // also of a part without drawn rows: its strata were read
		if err != nil {
			yield(nil, err)
			return
		}
		defer n.Add(p.Games, p.Rows)
		if len(drawn) == 0 {
			return
		}
		read := 0 // rows
		pick := func(first, end int) (rows []int) {
			for len(drawn) > 0 && int(drawn[0]) < end {
				rows = append(rows, int(drawn[0])-first)
				drawn = drawn[1:]
			}
			read = end
			return rows
		}
		for t, err := range s.rows[i].WithTexts(s.rows[i].Part.Rows(pick)) {
			if !yield(t, err) || err != nil {
				return
			}
		}
		if len(drawn) > 0 {
			yield(nil, fmt.Errorf("%w: %d rows, but the commit record has %d", datasets.ErrCorrupt, read, p.Rows))
		}
	}
}

// drawPart returns the rows of a part that are drawn.
func (s *Sample) drawPart(i int) (rows []uint32, err error) {
	err = s.each(i, func(row uint32, stratum int) {
		if s.draw.take(stratum) {
			rows = append(rows, row)
		}
	})
	return rows, err
}
