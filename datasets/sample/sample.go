// Package sample draws rows of a dataset at random, each row at most once. The rows that
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
	"selfplay/datasets/record"
	"selfplay/datasets/scan"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// Options describe a sample.
type Options struct {
	Dataset *datasets.Dataset
	Parts   []*record.Part
	By      *Strata
	Seed    uint64
	Rows    uint64 // number of rows to draw; all rows if the parts have fewer
}

// Sample is the rows that are drawn. It belongs to one goroutine.
type Sample struct {
	Options
	draw *draw
}

// StratumCount is the number of rows of a stratum.
type StratumCount struct {
	Stratum string `json:"stratum"`
	Rows    uint64 `json:"rows"` // drawn
	Of      uint64 `json:"of"`   // in the parts
}

// New counts the rows of each stratum and decides how many of each are drawn. It reads the
// columns of the strata; without strata the commit records suffice.
func New(ctx context.Context, o Options) (*Sample, error) {
	counts, err := o.count(ctx)
	if err != nil {
		return nil, err
	}
	return &Sample{o, newDraw(o.Seed, counts, o.Rows)}, nil
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
func (o *Options) count(ctx context.Context) ([]uint64, error) {
	counts := make([]uint64, len(o.By.strata))
	if len(o.By.columns) == 0 {
		for _, p := range o.Parts {
			counts[0] += p.Rows
		}
		return counts, nil
	}
	var mu sync.Mutex
	g, ctx := goroutine.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range o.Parts {
		g.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			part, err := o.countPart(p)
			mu.Lock()
			defer mu.Unlock()
			for i, n := range part {
				counts[i] += n
			}
			return err
		})
	}
	return counts, g.Wait()
}

func (o *Options) countPart(p *record.Part) ([]uint64, error) {
	counts := make([]uint64, len(o.By.strata))
	pickNone := func(t *encode.Table) []int {
		for row := range t.Rows {
			counts[o.By.of(t, row)]++
		}
		return nil
	}
	for _, err := range o.Dataset.Pick(p, o.By.columns, pickNone) {
		return nil, &datasets.ShardError{Op: "read", Shard: p.Shard, Err: err}
	}
	return counts, nil
}

// Tables draws the rows and yields them in the order of the dataset. It counts the parts
// that it has read in n. Call it once. A table is valid until the next one. An error ends
// the sequence.
func (s *Sample) Tables(ctx context.Context, n *scan.Counter) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		read := func(p *record.Part) iter.Seq2[*encode.Table, error] { return s.part(p, n) }
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
func (s *Sample) part(p *record.Part, n *scan.Counter) iter.Seq2[*encode.Table, error] {
	drawn, err := s.drawPart(p)
	return func(yield func(*encode.Table, error) bool) {
		if err != nil {
			yield(nil, err)
			return
		}
		defer n.Add(p.Games, p.Rows)
		if len(drawn) == 0 {
			return
		}
		first := 0 // row of the next group
		pick := func(t *encode.Table) (rows []int) {
			for len(drawn) > 0 && int(drawn[0]) < first+t.Rows {
				rows = append(rows, int(drawn[0])-first)
				drawn = drawn[1:]
			}
			first += t.Rows
			return rows
		}
		for t, err := range s.Dataset.Pick(p, nil, pick) {
			if !yield(t, err) || err != nil {
				return
			}
		}
		if len(drawn) > 0 {
			yield(nil, fmt.Errorf("%w: %d rows, but the commit record has %d", datasets.ErrCorrupt, first, p.Rows))
		}
	}
}

// drawPart returns the rows of a part that are drawn. Without strata it need not read them.
func (s *Sample) drawPart(p *record.Part) (rows []uint32, err error) {
	row := uint32(0)
	take := func(stratum int) {
		if s.draw.take(stratum) {
			rows = append(rows, row)
		}
		row++
	}
	if len(s.By.columns) == 0 {
		for range p.Rows {
			take(0)
		}
		return rows, nil
	}
	pickNone := func(t *encode.Table) []int {
		for row := range t.Rows {
			take(s.By.of(t, row))
		}
		return nil
	}
	for _, err = range s.Dataset.Pick(p, s.By.columns, pickNone) {
		return nil, err
	}
	return rows, nil
}
