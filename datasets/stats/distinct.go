package stats

import "sync"

// Positions tells how many positions are the same: their cells, side to move, rights
// and open turn are, whatever the clocks say.
type Positions struct {
	Distinct uint64  `json:"distinct"`
	Share    float64 `json:"share"` // of all plies
	// Validation is how many plies are of the validation split, Leakage the share of
	// them whose position is in the train split too.
	Validation uint64  `json:"validation"`
	Leakage    float64 `json:"leakage"`
	// Estimated is set where not all positions were kept in mind: then Distinct and
	// Leakage follow from a sample of them, drawn by hash.
	Estimated bool `json:"estimated"`
}

// maxDistinct bounds memory: some 40 bytes each.
const maxDistinct = 1 << 22

// distinct counts hashes and how many of them differ. Where there are too many it
// keeps those with zeros in their low bits, which is a fair sample (Gibbons,
// "Distinct sampling for highly-accurate answers", 2001), and the same one in whatever
// order they come. Any goroutine may add to it.
type distinct struct {
	mu   sync.Mutex
	seen map[uint64]splits
	mask uint64 // bits that are zero in what is kept
	most int

	plies, validation uint64 // counted, also those of hashes that are forgotten
}

// splits is how often a hash was seen in each.
type splits struct{ train, validation uint32 }

func newDistinct() *distinct { return &distinct{seen: map[uint64]splits{}, most: maxDistinct} }

// add counts the hashes of a game.
func (d *distinct) add(hashes []uint64, validation bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.plies += uint64(len(hashes))
	if validation {
		d.validation += uint64(len(hashes))
	}
	for _, hash := range hashes {
		if hash&d.mask != 0 {
			continue
		}
		n := d.seen[hash]
		if validation {
			n.validation++
		} else {
			n.train++
		}
		d.seen[hash] = n
		for len(d.seen) > d.most {
			d.halve()
		}
	}
}

// halve forgets about every second hash.
func (d *distinct) halve() {
	d.mask = d.mask<<1 | 1
	for hash := range d.seen {
		if hash&d.mask != 0 {
			delete(d.seen, hash)
		}
	}
}

// positions says how much is the same. Both shares are taken of the plies that were
// counted, and leakage by the plies that do not leak: a few positions, as the first, are
// in every game, and a sample has them too often or not at all.
func (d *distinct) positions() Positions {
	var own uint64 // plies of validation, of positions that train does not have
	for _, n := range d.seen {
		if n.train == 0 {
			own += uint64(n.validation)
		}
	}
	n, scale := uint64(len(d.seen)), d.mask+1
	p := Positions{Distinct: min(n*scale, d.plies), Validation: d.validation, Estimated: d.mask != 0}
	p.Share = share(p.Distinct, d.plies)
	if d.validation > 0 {
		p.Leakage = 1 - share(min(own*scale, d.validation), d.validation)
	}
	return p
}
