package query

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/scan"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// SampleOptions describe a sample.
type SampleOptions struct {
	Query *Query // which rows of a dataset may be drawn
	Parts []*record.Part
	By    *Strata
	Seed  uint64
	Rows  uint64 // number of rows to draw; all rows if the parts have fewer
}

// Sample is the rows that are drawn. It belongs to one goroutine.
type Sample struct {
	SampleOptions
	draw *draw
	rows []*Rows // that may be drawn, by part
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

// NewSample counts the rows of each stratum that match the query and decides how many of each are drawn. It
// reads the columns of the strata and what the conditions of the query need; without both the commit
// records suffice.
func NewSample(ctx context.Context, o SampleOptions) (*Sample, error) {
	s := &Sample{SampleOptions: o, rows: make([]*Rows, len(o.Parts))}
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

// draw decides row by row which rows are drawn (selection sampling, Knuth, The Art of
// Computer Programming, volume 2, section 3.4.2). It draws the next row of a stratum with
// the probability wanted/left, in integers: rows still to be drawn, divided by rows still
// to come. Every set of the wanted size is therefore equally likely.
type draw struct {
	src            *rand.Rand
	rows, of       uint64
	counts, quotas []uint64 // by stratum
	left, wanted   []uint64 // by stratum
	surplus        bool     // a stratum had more rows than its count
}

// newDraw returns a draw of rows from strata with the given numbers of rows.
func newDraw(seed uint64, counts []uint64, rows uint64) *draw {
	d := &draw{src: rand.New(rand.NewPCG(seed, 0)), counts: counts, quotas: quotas(counts, rows)}
	d.left, d.wanted = slices.Clone(counts), slices.Clone(d.quotas)
	for i := range counts {
		d.of += counts[i]
		d.rows += d.quotas[i]
	}
	return d
}

// quotas divides rows equally among the strata. If a stratum has too few rows, the others
// get more. The remainder goes to the first strata.
func quotas(counts []uint64, rows uint64) []uint64 {
	quota := make([]uint64, len(counts))
	for rows > 0 {
		open := uint64(0)
		for i := range counts {
			if quota[i] < counts[i] {
				open++
			}
		}
		if open == 0 {
			return quota
		}
		share := max(1, rows/open)
		for i := range counts {
			n := min(share, counts[i]-quota[i], rows)
			quota[i] += n
			rows -= n
		}
	}
	return quota
}

// take reports whether the next row, which is in the given stratum, is drawn.
func (d *draw) take(stratum int) bool {
	left := d.left[stratum]
	if left == 0 {
		d.surplus = true
		return false
	}
	d.left[stratum]--
	if d.wanted[stratum] == 0 || d.src.Uint64N(left) >= d.wanted[stratum] {
		return false
	}
	d.wanted[stratum]--
	return true
}

// end returns an error if the strata did not have as many rows as were counted.
func (d *draw) end() error {
	for _, left := range d.left {
		if d.surplus || left > 0 {
			return fmt.Errorf("%w: the number of rows differs from the commit records", datasets.ErrCorrupt)
		}
	}
	return nil
}

// Strata divide the rows of a dataset into classes by the values of some columns.
type Strata struct {
	Name    string   // "" if all rows are in one class
	strata  []string // names of the classes
	columns []string // that of reads
	// of returns the class of a row of a table of these columns. It returns a class for
	// any values: a damaged file must not cause a panic.
	of func(t *encode.Table, row int) int
}

// all returns all strata. The first puts all rows into one class.
func all() []*Strata {
	return []*Strata{
		{Name: "", strata: []string{"all"}, of: func(*encode.Table, int) int { return 0 }},
		{Name: "ply", strata: plyBands(), columns: []string{encode.PlyColumn}, of: func(t *encode.Table, row int) int {
			return bits.Len16(uint16At(t, 0, row) / firstBand)
		}},
		{Name: "outcome", strata: []string{"-1", "0", "1"}, columns: []string{"outcome"}, of: func(t *encode.Table, row int) int {
			return cmp.Compare(int8(t.Data[0][row]), 0) + 1
		}},
		{Name: "phase", strata: encode.Phases(), columns: []string{encode.PlyColumn, "plies_left"}, of: func(t *encode.Table, row int) int {
			return encode.Phase(uint16At(t, 0, row), uint16At(t, 1, row))
		}},
		{Name: "side", strata: []string{"0", "1"}, columns: []string{encode.SideColumn}, of: func(t *encode.Table, row int) int {
			return int(t.Data[0][row] & 1)
		}},
	}
}

// firstBand is the number of plies in the first class of strata ply. Each further class
// doubles the plies: 0-7, 8-15, 16-31 and so on.
const firstBand = 8

func plyBands() (names []string) {
	for from, to := 0, firstBand; from < 1<<16; from, to = to, 2*to {
		names = append(names, fmt.Sprintf("%d-%d", from, to-1))
	}
	return names
}

func uint16At(t *encode.Table, col, row int) uint16 {
	return binary.LittleEndian.Uint16(t.Data[col][2*row:])
}

// StrataNames returns the names of all strata but "".
func StrataNames() (names []string) {
	for _, s := range all()[1:] {
		names = append(names, s.Name)
	}
	return names
}

// FindStrata returns the strata of a name; "" puts all rows into one class.
func FindStrata(name string) (*Strata, error) {
	for _, s := range all() {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("unknown strata %q: want one of %s", name, strings.Join(StrataNames(), ", "))
}
