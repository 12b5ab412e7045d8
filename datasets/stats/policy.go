package stats

import (
	"math"
	"slices"
)

// Policy describes the policies: how many moves they rate, and how evenly.
type Policy struct {
	Plies   uint64   `json:"plies"`   // plies with a policy
	Moves   float64  `json:"moves"`   // mean number of rated moves
	Entropy float64  `json:"entropy"` // mean, in bits
	Spread  []Range  `json:"spread"`  // plies by entropy in thousandths of a bit
	ByPly   []MeanAt `json:"by_ply"`  // mean entropy in bits
}

// MeanAt is a mean over a range of plies, inclusive.
type MeanAt struct {
	From  int     `json:"from"`
	To    int     `json:"to"`
	Plies uint64  `json:"plies"`
	Mean  float64 `json:"mean"`
}

// entropyStep is the width of a range of entropies, in thousandths of a bit.
const entropyStep = 125

// policy sums up entropies in whole thousandths of a bit, so that the order of the plies does
// not matter.
type policy struct {
	plies, moves, entropy uint64
	spread                []uint64
	byPly                 means
}

func (p *policy) add(ply int, weights []uint16) {
	e := entropy(weights)
	p.plies++
	p.moves += uint64(len(weights))
	p.entropy += e
	*at(&p.spread, int(e/entropyStep))++
	p.byPly.add(ply, e)
}

func (p *policy) merge(o *policy) {
	p.plies += o.plies
	p.moves += o.moves
	p.entropy += o.entropy
	mergeCounts(&p.spread, o.spread)
	p.byPly.merge(o.byPly)
}

func (p *policy) summary(width int) *Policy {
	s := &Policy{Plies: p.plies, Moves: share(p.moves, p.plies), Entropy: share(p.entropy, p.plies) / 1000}
	for i, n := range p.spread {
		s.Spread = append(s.Spread, Range{i * entropyStep, (i+1)*entropyStep - 1, n})
	}
	s.ByPly = p.byPly.list(width, 1000)
	return s
}

// entropy returns the entropy of weights in thousandths of a bit.
func entropy(weights []uint16) uint64 {
	var all, mean float64
	for _, w := range weights {
		if w > 0 {
			all += float64(w)
			mean += float64(w) * math.Log2(float64(w))
		}
	}
	if all == 0 {
		return 0
	}
	return uint64(math.Round(1000 * max(0, math.Log2(all)-mean/all)))
}

// means holds sums by ply.
type means []plySum

type plySum struct{ n, sum uint64 }

func (s *plySum) add(o plySum) {
	s.n += o.n
	s.sum += o.sum
}

func (m *means) add(ply int, v uint64) { at(m, ply).add(plySum{1, v}) }

func (m *means) merge(o means) {
	for ply, more := range o {
		at(m, ply).add(more)
	}
}

// list returns the means over ranges of plies, divided by unit.
func (m means) list(width int, unit float64) (list []MeanAt) {
	from := 0
	for part := range slices.Chunk(m, width) {
		var all plySum
		for _, more := range part {
			all.add(more)
		}
		if all.n > 0 {
			list = append(list, MeanAt{from, from + width - 1, all.n, share(all.sum, all.n) / unit})
		}
		from += width
	}
	return list
}

// at returns element i of a list, which it extends if necessary.
func at[S ~[]E, E any](list *S, i int) *E {
	if n := i + 1 - len(*list); n > 0 {
		*list = append(*list, make([]E, n)...)
	}
	return &(*list)[i]
}

func mergeCounts(to *[]uint64, more []uint64) {
	for i, n := range more {
		*at(to, i) += n
	}
}
