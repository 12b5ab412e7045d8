package export

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"selfplay/datasets"
	"selfplay/encode"
)

// strata cut the rows of a dataset into kinds, by some of their columns.
type strata struct {
	name    string // of --by
	names   []string
	columns []string
	// of returns the stratum of a row of a table of these columns. Whatever the values
	// are there is one: a damaged file must not end in a panic.
	of func(t *encode.Table, row int) int
}

// allStrata are what --by offers. The first is for all rows alike.
func allStrata() []*strata {
	return []*strata{
		{name: "", names: []string{"all"}, of: func(*encode.Table, int) int { return 0 }},
		{name: "ply", names: plyBands(), columns: []string{encode.PlyColumn}, of: func(t *encode.Table, row int) int {
			return bits.Len16(uint16At(t, 0, row) / firstBand)
		}},
		{name: "outcome", names: []string{"-1", "0", "1"}, columns: []string{"outcome"}, of: func(t *encode.Table, row int) int {
			return cmp.Compare(int8(t.Data[0][row]), 0) + 1
		}},
		{name: "phase", names: []string{"opening", "middle", "end"}, columns: []string{encode.PlyColumn, "plies_left"}, of: func(t *encode.Table, row int) int {
			ply, left := int(uint16At(t, 0, row)), int(uint16At(t, 1, row))
			return 3 * ply / max(ply+left, ply+1)
		}},
		{name: "side", names: []string{"0", "1"}, columns: []string{encode.SideColumn}, of: func(t *encode.Table, row int) int {
			return int(t.Data[0][row] & 1)
		}},
	}
}

// firstBand is how many plies the first band of --by ply has. Each of the others ends
// where the plies have doubled: 0-7, 8-15, 16-31 and so on.
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

// strataNames returns what --by may be.
func strataNames() (names []string) {
	for _, s := range allStrata()[1:] {
		names = append(names, s.name)
	}
	return names
}

func strataNamed(name string) (*strata, error) {
	for _, s := range allStrata() {
		if s.name == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("unknown strata %q: want one of %s", name, strings.Join(strataNames(), ", "))
}

// each tells the stratum of every row.
func (s *strata) each(t *encode.Table, tell func(row, stratum int)) {
	for row := range t.Rows {
		tell(row, s.of(t, row))
	}
}

// stratumCount is how many rows of a stratum were drawn, of how many.
type stratumCount struct {
	Stratum string `json:"stratum"`
	Rows    uint64 `json:"rows"`
	Of      uint64 `json:"of"`
}

// counts returns the strata that have rows.
func (s *strata) counts(d *draw) (list []stratumCount) {
	for i, name := range s.names {
		if d.counts[i] > 0 {
			list = append(list, stratumCount{name, d.quota[i], d.counts[i]})
		}
	}
	return list
}

// draw takes rows without replacement, each row in its turn: the next of a stratum with
// the probability of how many are still wanted among those that are left, in integers,
// so that every set of that size is as likely as any other (selection sampling, Knuth
// volume 2, 3.4.2). It depends on the seed and the strata of the rows alone.
type draw struct {
	src           *rand.Rand
	rows, of      uint64
	counts, quota []uint64 // of strata
	left, want    []uint64
	more          bool // rows than were counted
}

// newDraw draws rows among strata of these sizes.
func newDraw(seed uint64, counts []uint64, rows uint64) *draw {
	d := &draw{src: rand.New(rand.NewPCG(seed, 0)), counts: counts, quota: quotas(counts, rows)}
	d.left, d.want = slices.Clone(counts), slices.Clone(d.quota)
	for i := range counts {
		d.of += counts[i]
		d.rows += d.quota[i]
	}
	return d
}

// quotas shares rows out equally. What small strata lack goes to the others, and what
// does not divide to the first.
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

// take reports whether the next row, which is of this stratum, is drawn.
func (d *draw) take(stratum int) bool {
	left := d.left[stratum]
	if left == 0 {
		d.more = true
		return false
	}
	d.left[stratum]--
	if d.want[stratum] == 0 || d.src.Uint64N(left) >= d.want[stratum] {
		return false
	}
	d.want[stratum]--
	return true
}

// end reports whether the rows were those that were counted.
func (d *draw) end() error {
	for _, left := range d.left {
		if d.more || left > 0 {
			return fmt.Errorf("%w: the files have other rows than the records say", datasets.ErrCorrupt)
		}
	}
	return nil
}
