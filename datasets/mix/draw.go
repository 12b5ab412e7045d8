package mix

import (
	"math/rand/v2"

	"selfplay/engine"
)

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

func newDraw(o *Options) *draw {
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
func (o Options) Count() (rows uint64, shares []uint64) {
	d := newDraw(&o)
	for ok := true; ok; {
		_, ok = d.next()
	}
	return d.taken, d.shares
}
