package stats

import (
	"hash/maphash"
	"maps"
	"math"
	"slices"

	"selfplay/engine"
)

// openingPlies are the lengths of the lines that are compared.
var openingPlies = []int{2, 4, 8, 16}

// Opening describes the variety of the first plies of games. Shorter games do not count.
type Opening struct {
	Plies int    `json:"plies"`
	Games uint64 `json:"games"`
	Lines uint64 `json:"lines"` // distinct lines, by start and actions
	// Entropy is the entropy of the lines in bits, at most log2(Games).
	Entropy float64 `json:"entropy"`
	// Common is the share of games with the most common line.
	Common float64 `json:"common"`
}

// openings counts lines by their hashes.
type openings struct {
	seed  maphash.Seed
	lines []map[uint64]uint64 // indexed like openingPlies
}

func newOpenings(seed maphash.Seed) openings {
	o := openings{seed: seed}
	for range openingPlies {
		o.lines = append(o.lines, map[uint64]uint64{})
	}
	return o
}

func (o *openings) add(r *engine.Record) {
	var h maphash.Hash
	h.SetSeed(o.seed)
	h.WriteString(r.Start)
	done := 0
	for i, plies := range openingPlies {
		if plies > len(r.Actions) {
			return
		}
		for ; done < plies; done++ {
			h.WriteByte(byte(r.Actions[done]))
			h.WriteByte(byte(r.Actions[done] >> 8))
		}
		o.lines[i][h.Sum64()]++
	}
}

// merge adds lines that were hashed with the same seed.
func (o *openings) merge(other *openings) {
	for i, lines := range other.lines {
		for line, n := range lines {
			o.lines[i][line] += n
		}
	}
}

func (o *openings) list() (list []Opening) {
	for i, lines := range o.lines {
		if len(lines) == 0 {
			break
		}
		list = append(list, newOpening(openingPlies[i], lines))
	}
	return list
}

func newOpening(plies int, lines map[uint64]uint64) Opening {
	counts := slices.Sorted(maps.Values(lines)) // so that floating-point sums are reproducible
	o := Opening{Plies: plies, Games: total(counts), Lines: uint64(len(lines))}
	for _, n := range counts {
		p := share(n, o.Games)
		o.Entropy -= p * math.Log2(p)
	}
	o.Common = share(counts[len(counts)-1], o.Games)
	o.Entropy = max(0, o.Entropy)
	return o
}
