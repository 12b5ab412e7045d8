package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

// Captures appends the legal steps that remove an enemy stack, each once: captures,
// captures without moving, suicides, and the deploy steps among them. Deploy captures
// double the cost of a quiescence search, because the turn may go on with any step. They
// still gain about 80 Elo: without them a search takes stacks for harmless. In an open
// session Captures lists the captures of the remaining members, not commit.
//
// It does not visit empty squares. It looks only at enemies within the capture range
// of each stack.
func (p *Position) Captures(dst []engine.Move) []engine.Move {
	start := len(dst)
	dst = p.pseudoCaptures(dst, &p.occ[p.turn&1^1])
	if len(dst) == start {
		return dst
	}
	th := p.assess()
	return p.appendLegal(dst[:start], dst[start:], &th)
}

// pseudoCaptures appends the pseudo-legal captures of some enemy stacks.
func (p *Position) pseudoCaptures(dst []engine.Move, them *squareSet) []engine.Move {
	if p.session.open() {
		return p.sessionCaptures(dst, them)
	}
	return p.turnCaptures(dst, them)
}

// turnCaptures appends the pseudo-legal captures at the start of a turn.
func (p *Position) turnCaptures(dst []engine.Move, them *squareSet) []engine.Move {
	a := &p.sides[p.turn&1]
	if a.commander == NoSquare {
		return dst
	}
	for _, from := range a.squares[:a.n] {
		code := p.cells[from] & 511
		in, near := &infos[code], &attackRangeWithin[captureRanges[code]&7][from]
		if !overlap(near, them) {
			continue
		}
		for w := range 3 {
			for set := near[w] & them[w]; set != 0; set &= set - 1 {
				to := uint8(w<<6 | bits.TrailingZeros64(set))
				if in.size > 1 {
					for slot := range in.size {
						dst = p.appendCapture(dst, from, to, in.kinds[slot&3], Deploy+slot)
					}
				}
				dst = p.appendCapture(dst, from, to, in.kinds[0], Whole)
			}
		}
	}
	return dst
}

// sessionCaptures appends the pseudo-legal captures of an open session.
func (p *Position) sessionCaptures(dst []engine.Move, them *squareSet) []engine.Move {
	from := p.session.origin
	in := &infos[p.cells[from]&511]
	near := &attackRange[from]
	for w := range 3 {
		for set := near[w] & them[w]; set != 0; set &= set - 1 {
			to := uint8(w<<6 | bits.TrailingZeros64(set))
			for slot := range in.size {
				if p.session.rest>>slot&1 == 1 {
					dst = p.appendCapture(dst, from, to, in.kinds[slot&3], Deploy+slot)
				}
			}
		}
	}
	return dst
}

// appendCapture appends the captures of one mover on an enemy in its attack range.
func (p *Position) appendCapture(dst []engine.Move, from, to, kind, mover uint8) []engine.Move {
	t := captureTarget(kind, from, to)
	if t.flags&(canCapture|canCaptureNavy) == 0 {
		return dst
	}
	if e, ok := p.effectOnEnemy(from, kind, &infos[p.cells[to]&511], &t); ok {
		dst = appendStep(dst, newStep(from, 0, mover, Normal), to, kind, e)
	}
	return dst
}
