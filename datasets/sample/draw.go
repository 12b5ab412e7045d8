package sample

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/datasets"
)

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
