package bitboard

import (
	"math/rand/v2"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// The candidate steps of a stack are its steps if every target were possible: one per
// target of each member that could deploy, and those of the whole stack, where an air force
// has two per target, to move there and to stay. A candidate is a step of this position or
// of none.

// drawCandidate draws a candidate step of a side. It returns 0 if the candidate is no
// pseudo-legal step.
func (p *Position) drawCandidate(src *rand.PCG, own *sideState) engine.Move {
	r := engine.Below(src, own.candidatesTotal)
	i := uint8(0)
	for {
		n := uint32(own.candidates[i])
		if r < n {
			return p.candidate(own.squares[i], r)
		}
		r -= n
		i++
	}
}

// candidate returns candidate step r of the stack on a square, 0 if it is no pseudo-legal
// step. Members come first, in the order of their slots, then the whole stack.
func (p *Position) candidate(from uint8, r uint32) engine.Move {
	m := p.wholeOf(from)
	f := &facts[m.moved&511]
	if f.size > 1 {
		for slot := range f.size {
			n := uint32(spans[f.kinds[slot&3]&31][from].count)
			if r < n {
				m = p.memberOf(from, slot)
				break
			}
			r -= n
		}
	}
	stays := false // the candidate of a whole air force that captures and stays
	if m.base>>cotulenh.MoverShift == whole && m.kind&^1 == airKind {
		stays = r&1 != 0
		r >>= 1
	}
	run := runs[spans[m.kind&31][from].first+uint16(r)]
	return p.stepTo(&m, int(run>>4)&7, run&15, stays)
}

// stepTo returns the step of a mover to the square at a distance in a direction, 0 if it is
// not pseudo-legal. stays asks for the step that captures and stays.
func (p *Position) stepTo(m *mover, d int, distance uint8, stays bool) engine.Move {
	to := m.from + distance*uint8(directions[d&7])
	f := &facts[p.cells[to]&511]
	effect, ok := cotulenh.Normal, false
	switch {
	case f.side == p.turn^1:
		effect, ok = p.effectOnEnemy(m, d, distance, to, f)
	case stays:
	case f.side == noSide:
		ok = p.canMoveTo(m, d, distance)
	default:
		effect, ok = cotulenh.Join, fits[m.joinLeads()[f.composition&63]&15][to] && p.canJoinOn(m, d, distance)
	}
	if stays {
		ok = ok && effect == cotulenh.Capture
		effect = cotulenh.Stay
	}
	if !ok {
		return 0
	}
	return m.step(to, effect)
}
