package stats

// Positions tells how many positions are the same: their cells, side to move, rights
// and open turn are, whatever the clocks say.
type Positions struct {
	Distinct uint64  `json:"distinct"`
	Share    float64 `json:"share"` // of all plies
	// Estimated is set where not all positions were kept in mind: then the numbers are
	// those of a sample of them, drawn by hash.
	Estimated bool `json:"estimated"`
}

// maxDistinct bounds memory: some 40 bytes each.
const maxDistinct = 1 << 23

// distinct counts hashes and how many of them differ. Where there are too many it
// keeps those with zeros in their low bits, which is a fair sample (Gibbons,
// "Distinct sampling for highly-accurate answers", 2001).
type distinct struct {
	seen map[uint64]uint32 // how often
	mask uint64            // bits that are zero in what is kept
	kept uint64            // sum of seen
	most int
}

func newDistinct() distinct { return distinct{seen: map[uint64]uint32{}, most: maxDistinct} }

func (d *distinct) add(hash uint64) {
	if hash&d.mask != 0 {
		return
	}
	d.kept++
	d.seen[hash]++
	for len(d.seen) > d.most {
		d.halve()
	}
}

// halve forgets about every second hash.
func (d *distinct) halve() {
	d.mask = d.mask<<1 | 1
	for hash, n := range d.seen {
		if hash&d.mask != 0 {
			d.kept -= uint64(n)
			delete(d.seen, hash)
		}
	}
}

func (d *distinct) positions() Positions {
	n := uint64(len(d.seen))
	return Positions{Distinct: n * (d.mask + 1), Share: share(n, d.kept), Estimated: d.mask != 0}
}
