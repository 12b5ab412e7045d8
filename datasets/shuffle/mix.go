package shuffle

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/record"
	"selfplay/datasets/scan"
	"selfplay/encode"
	"selfplay/engine"
)

// Source is a dataset and its share of the rows.
type Source struct {
	Dataset *datasets.Dataset
	Parts   []*record.Part // of one split
	Weight  engine.Fraction
}

// rows returns the number of rows of the parts.
func (s *Source) rows() (n uint64) {
	for _, p := range s.Parts {
		n += p.Rows
	}
	return n
}

// MixOptions describe a mix. Every source has rows, with the same columns, and the weights add up to
// engine.One.
//
// Each row comes from a source that is drawn by weight, and is the next one there. The mix ends
// after Rows rows, or before the first row that its source does not have. So the shares are
// those of the weights up to the end. With Repeat a source begins again instead, and Rows must
// be set.
type MixOptions struct {
	Sources []Source
	Seed    uint64
	Rows    uint64 // 0 for no limit
	Repeat  bool
	Buffer  int    // rows that are shuffled with each other; 0 or 1 keeps the order
	Cut     uint64 // no table has rows on both sides of a multiple of Cut; 0 for no such rule
}

// Empty returns the number of the first source without rows, -1 if there is none.
func (o MixOptions) Empty() int {
	return slices.IndexFunc(o.Sources, func(s Source) bool { return s.rows() == 0 })
}

// batchRows is the largest number of rows of a table.
const batchRows = 8192

// Tables yields the rows and counts those that were read in n. A table is valid until the next
// one. An error ends the sequence.
func (o MixOptions) Tables(ctx context.Context, n *scan.Counter) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		m := &mixer{MixOptions: o, ctx: ctx, counter: n, draw: newDraw(&o), yield: yield}
		defer m.close()
		if err := m.run(); err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}

// errEnough means that the caller wants no more rows.
var errEnough = errors.New("enough rows")

// mixer is one call of Tables.
type mixer struct {
	MixOptions
	ctx     context.Context
	counter *scan.Counter
	draw    *draw
	cursors []*cursor
	buffer  *buffer // nil if rows keep their order
	out     *encode.Table
	done    uint64 // rows that were yielded
	yield   func(*encode.Table, error) bool
}

// run yields all rows.
func (m *mixer) run() error {
	m.out = encode.NewTable(m.Sources[0].Dataset.Description().Columns)
	for i := range m.Sources {
		m.cursors = append(m.cursors, &cursor{m: m, source: &m.Sources[i]})
	}
	if m.Buffer > 1 {
		m.buffer = newBuffer(m.Buffer, m.Seed)
	}
	for source, ok := m.draw.next(); ok; source, ok = m.draw.next() {
		c := m.cursors[source]
		if err := c.advance(); err != nil {
			return err
		}
		if m.buffer == nil {
			colfile.AppendRows(m.out, c.table, c.row, c.row+1)
		} else if !m.buffer.swap(c.table, c.row, m.out) {
			continue // the buffer is not full yet
		}
		if err := m.added(); err != nil {
			return err
		}
	}
	for m.buffer != nil && m.buffer.drain(m.out) {
		if err := m.added(); err != nil {
			return err
		}
	}
	return m.flush()
}

// added yields the table if it is full after a row was added.
func (m *mixer) added() error {
	if m.out.Rows < batchRows && (m.Cut == 0 || (m.done+uint64(m.out.Rows))%m.Cut != 0) {
		return nil
	}
	return m.flush()
}

// flush yields the table if it has rows.
func (m *mixer) flush() error {
	if m.out.Rows == 0 {
		return nil
	}
	m.done += uint64(m.out.Rows)
	if !m.yield(m.out, nil) {
		return errEnough
	}
	m.out.Reset()
	return nil
}

func (m *mixer) close() {
	for _, c := range m.cursors {
		c.close()
	}
}

// cursor is the next row of a source.
type cursor struct {
	m      *mixer
	source *Source
	next   func() (*encode.Table, error, bool)
	stop   func()
	table  *encode.Table // nil before the first row
	row    int           // of table
}

var errShort = errors.New("read rows: a dataset has fewer rows than its records say")

// advance moves to the next row. After the last one it begins again: the draw asks for no more
// rows than there are unless the sources repeat.
func (c *cursor) advance() error {
	c.row++
	for began := false; c.table == nil || c.row >= c.table.Rows; {
		if c.next == nil {
			if began {
				return errShort
			}
			c.next, c.stop = iter.Pull2(scan.Tables(c.m.ctx, c.source.Dataset, c.source.Parts, c.m.counter))
			began = true
		}
		t, err, ok := c.next()
		if err != nil {
			return err
		}
		c.table, c.row = t, 0
		if !ok {
			c.close()
		}
	}
	return nil
}

func (c *cursor) close() {
	if c.stop != nil {
		c.stop()
	}
	c.next, c.stop, c.table = nil, nil, nil
}

// Streams of random numbers of one seed. The order of every mix depends on them: never change
// them.
const (
	drawStream   = 0x64726177 // "draw"
	bufferStream = 0x62756666 // "buff"
)

// newSource returns the random numbers of a seed for one purpose.
func newSource(seed, stream uint64) *rand.PCG { return rand.NewPCG(engine.Mix(seed), stream) }

// draw draws the source of each row.
type draw struct {
	src    *rand.PCG
	upTo   []uint32 // sums of the weights, in thousandths
	left   []uint64 // rows of each source that were not drawn; nil if sources repeat
	limit  uint64   // rows of the mix; 0 for no limit
	taken  uint64
	shares []uint64 // rows drawn of each source
}

func newDraw(o *MixOptions) *draw {
	d := &draw{src: newSource(o.Seed, drawStream), limit: o.Rows, shares: make([]uint64, len(o.Sources))}
	sum := uint32(0)
	for i := range o.Sources {
		sum += uint32(o.Sources[i].Weight)
		d.upTo = append(d.upTo, sum)
		if !o.Repeat {
			d.left = append(d.left, o.Sources[i].rows())
		}
	}
	return d
}

// next returns the source of the next row, and false after the last row.
func (d *draw) next() (source int, ok bool) {
	if d.limit > 0 && d.taken == d.limit {
		return 0, false
	}
	r := engine.Below(d.src, uint32(engine.One))
	for r >= d.upTo[source] {
		source++
	}
	if d.left != nil {
		if d.left[source] == 0 {
			return 0, false
		}
		d.left[source]--
	}
	d.taken++
	d.shares[source]++
	return source, true
}

// Count returns the number of rows of the mix, and of each source in it. It reads no rows.
func (o MixOptions) Count() (rows uint64, shares []uint64) {
	d := newDraw(&o)
	for ok := true; ok; {
		_, ok = d.next()
	}
	return d.taken, d.shares
}

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
		b.rows = append(b.rows, AppendRow(nil, t, row))
		return false
	}
	at := &b.rows[engine.Below(b.src, uint32(b.size))]
	AddRow(out, *at)
	*at = AppendRow((*at)[:0], t, row)
	return true
}

// drain moves a random row to out. It returns false if there is none.
func (b *buffer) drain(out *encode.Table) bool {
	n := len(b.rows)
	if n == 0 {
		return false
	}
	at := engine.Below(b.src, uint32(n))
	AddRow(out, b.rows[at])
	b.rows[at], b.rows = b.rows[n-1], b.rows[:n-1]
	return true
}
