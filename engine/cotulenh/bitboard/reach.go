package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// reach is what a mover can do around its square: where it may move, and on which occupied
// squares it may capture an enemy or join an own stack.
type reach struct {
	quiet, join Rays
	capture     Rays
	captureNavy Rays // captures only of stacks that a navy leads
	suicide     Rays // captures that lose the capturer too
}

// reach returns the reach of a kind of piece other than a commander. occupied holds the
// squares around it.
func (p *Position) reach(kind, from uint8, occupied Rays) reach {
	switch cotulenh.Type(kind >> 1) {
	case cotulenh.AirForce:
		return p.reachInAir(kind, from, occupied)
	case cotulenh.Artillery, cotulenh.Missile:
		return reachOverPieces(kind, from, occupied, occupied)
	case cotulenh.Navy:
		navies := p.sides[0].leads[cotulenh.Navy].Or(p.sides[1].leads[cotulenh.Navy])
		return reachOverPieces(kind, from, occupied, navies.raysAt(from))
	}
	return reachOnGround(kind, from, occupied)
}

// reachOnGround serves the pieces that the first piece on a ray stops: infantry, tank,
// militia, engineer, anti-air and headquarters.
func reachOnGround(kind, from uint8, occupied Rays) reach {
	first := occupied & occupied.upTo()
	return reach{
		quiet:   moveRays(kind, from) & occupied.before(),
		capture: first & captureRays[kind&31],
		join:    first & joinRays[kind&31][from],
	}
}

// reachOverPieces serves artillery, missile and navy, which capture over any piece. Moves
// and joins end at the first blocker: any piece for artillery and missile, a navy lead for
// a navy.
func reachOverPieces(kind, from uint8, occupied, blockers Rays) reach {
	return reach{
		quiet:       moveRays(kind, from) & blockers.before() &^ occupied,
		capture:     occupied & captureRays[kind&31],
		captureNavy: occupied & captureNavyRays[kind&31],
		join:        occupied & joinRays[kind&31][from] & blockers.upTo(),
	}
}

// reachInAir serves the air force, which only air defense stops.
func (p *Position) reachInAir(kind, from uint8, occupied Rays) reach {
	safe, suicide := raysAll, Rays(0)
	if kind == airKind {
		safe, suicide = p.flights(p.turn, from)
	}
	alive := occupied & captureRays[kind&31] & (safe | suicide)
	return reach{
		quiet:   moveRays(kind, from) & safe &^ occupied,
		capture: alive,
		suicide: suicide,
		join:    alive,
	}
}

// appendNoisy appends the captures and joins.
func (p *Position) appendNoisy(dst []engine.Move, m *mover, r *reach) []engine.Move {
	us, leads := p.turn, m.joinLeads()
	for all := r.capture | r.captureNavy | r.join; all != 0; {
		bit := all.pop()
		to := m.from + steps[bit]
		f := &facts[p.cells[to]&511]
		switch {
		case f.side == us:
			if r.join>>bit&1 != 0 && fits[leads[f.composition&63]&15][to] {
				dst = append(dst, m.step(to, cotulenh.Join))
			}
		case r.capture>>bit&1 != 0 || r.captureNavy>>bit&1 != 0 && f.lead == cotulenh.Navy:
			dst = appendCapture(dst, m, to, r.suicide>>bit&1 != 0)
		}
	}
	return dst
}

// appendCapture appends the capture of an enemy. An air force that captures as a whole
// stack may also stay.
func appendCapture(dst []engine.Move, m *mover, to uint8, suicide bool) []engine.Move {
	effect := captureEffect(m.kind, to, suicide)
	dst = append(dst, m.step(to, effect))
	if effect == cotulenh.Capture && m.base>>cotulenh.MoverShift == whole && m.kind&^1 == airKind {
		dst = append(dst, m.step(to, cotulenh.Stay))
	}
	return dst
}

// captureEffect returns the effect of a capture as air defense and terrain decide it.
func captureEffect(kind, to uint8, suicide bool) cotulenh.Effect {
	switch {
	case suicide:
		return cotulenh.Suicide
	case fits[kind>>1&15][to]:
		return cotulenh.Capture
	}
	return cotulenh.Stay
}
