package stats

import "sync"

// Positions counts distinct positions. Clocks and history do not count: see package encode
// for when two positions are the same.
type Positions struct {
	Distinct uint64  `json:"distinct"`
	Share    float64 `json:"share"` // of all plies
	// Validation is the number of plies in the validation split. Leakage is the share of
	// them whose position also occurs in the train split.
	Validation uint64  `json:"validation"`
	Leakage    float64 `json:"leakage"`
	// Estimated is set if there were too many positions to keep: then Distinct and Leakage
	// are estimates from a sample by hash.
	Estimated bool `json:"estimated"`
}

// maxDistinct bounds the memory: a hash takes about 40 bytes.
const maxDistinct = 1 << 22

// distinct counts hashes and distinct hashes. If there are too many it keeps those whose low
// bits are zero: a uniform sample of the distinct ones (Gibbons, "Distinct sampling for
// highly-accurate answers", 2001) that does not depend on their order. It may be used by
// several goroutines.
type distinct struct {
	mu   sync.Mutex
	seen map[uint64]splits
	mask uint64 // bits that are zero in every kept hash
	most int

	plies, validation uint64 // of all hashes, also of dropped ones
}

// splits counts the occurrences of a hash by split.
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

// halve drops about half of the hashes.
func (d *distinct) halve() {
	d.mask = d.mask<<1 | 1
	for hash := range d.seen {
		if hash&d.mask != 0 {
			delete(d.seen, hash)
		}
	}
}

// positions returns the counts. Both shares are relative to the plies that were counted, not
// to the sample. Leakage is computed from the plies that do not leak: a few positions, such
// as the first, occur in every game, and a sample would have them too often or not at all.
func (d *distinct) positions() Positions {
	var own uint64 // validation plies whose position is not in the train split
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
