package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

var _ engine.Featured = (*Position)(nil)

// FeatureSet returns the features of the game.
func (p *Position) FeatureSet() *engine.FeatureSet { return cotulenh.FeatureSet() }

// AppendFeatures appends one feature per piece.
func (p *Position) AppendFeatures(dst []engine.Feature) []engine.Feature {
	for side := range p.sides {
		a := &p.sides[side]
		for _, sq := range a.squares[:a.n] {
			dst = cotulenh.AppendStackFeatures(dst, p.cells[sq], cotulenh.Square(sq))
		}
	}
	return dst
}

// Plies returns the number of steps played since Set or Reset.
func (p *Position) Plies() int { return len(p.history) }

// HashAt returns the hash after the first n of them.
func (p *Position) HashAt(n int) uint64 {
	if n < len(p.history) {
		return p.history[n].hash
	}
	return p.hash
}

// AppendChanges reads the log of step n.
func (p *Position) AppendChanges(n int, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	end := len(p.log)
	if n+1 < len(p.history) {
		end = int(p.history[n+1].log)
	}
	for _, c := range p.log[p.history[n].log:end] {
		if c.new == moved {
			removed = cotulenh.AppendStackFeatures(removed, c.old, cotulenh.Square(c.sq))
			added = cotulenh.AppendStackFeatures(added, c.old, cotulenh.Square(c.index))
			continue
		}
		removed, added = cotulenh.AppendChange(removed, added, cotulenh.Square(c.sq), c.old, c.new)
	}
	return removed, added, true
}
