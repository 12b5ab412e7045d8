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

// The functions here decide about one target, where the generator's masks would answer for
// all targets of a mover. They agree with the generators, target by target. A path of at
// most four squares is read from the cells: gathering a Rays costs more.

// clearPath reports whether the first distance-1 squares in a direction are empty.
func (p *Position) clearPath(from uint8, d int, distance uint8) bool {
	dir := uint8(directions[d&7])
	for ; distance > 1; distance-- {
		from += dir
		if p.cells[from] != cotulenh.Empty {
			return false
		}
	}
	return true
}

// canMoveTo reports whether a mover can move to an empty square.
func (p *Position) canMoveTo(m *mover, d int, distance uint8) bool {
	if cotulenh.Type(m.kind>>1) == cotulenh.Commander {
		return distance <= commanderLimits[m.from][d&7] && p.clearPath(m.from, d, distance) && !p.pathExposed(m.from, d, distance)
	}
	bit := d<<3 + int(distance) - 1
	if moveRays(m.kind, m.from)>>bit&1 == 0 {
		return false
	}
	switch cotulenh.Type(m.kind >> 1) {
	case cotulenh.AirForce:
		return m.kind != airKind || p.flight(m.from, d, distance) == flightSafe
	case cotulenh.Navy:
		return p.clearOfNavies(m.from, d, distance)
	}
	return p.clearPath(m.from, d, distance)
}

// canJoinOn reports whether a mover can reach an own stack to join it.
func (p *Position) canJoinOn(m *mover, d int, distance uint8) bool {
	if cotulenh.Type(m.kind>>1) == cotulenh.Commander {
		return distance <= commanderLimits[m.from][d&7] && p.clearPath(m.from, d, distance) && !p.pathExposed(m.from, d, distance-1)
	}
	bit := d<<3 + int(distance) - 1
	if joinRays[m.kind&31][m.from]>>bit&1 == 0 {
		return false
	}
	switch cotulenh.Type(m.kind >> 1) {
	case cotulenh.AirForce:
		return m.kind != airKind || p.flight(m.from, d, distance) != flightLost
	case cotulenh.Navy:
		return p.clearOfNavies(m.from, d, distance)
	}
	return p.clearPath(m.from, d, distance)
}

// clearOfNavies is clearPath for a navy, which only navy leads block.
func (p *Position) clearOfNavies(from uint8, d int, distance uint8) bool {
	dir := uint8(directions[d&7])
	for ; distance > 1; distance-- {
		from += dir
		if q := p.cells[from]; q != cotulenh.Empty && facts[q&511].lead == cotulenh.Navy {
			return false
		}
	}
	return true
}

// pathExposed reports whether one of the first squares in a direction is exposed to the
// enemy commander. Only squares on its rank and file can be.
func (p *Position) pathExposed(from uint8, d int, distance uint8) bool {
	e := p.enemy().commander
	if e == noSquare {
		return false
	}
	for sq := from; distance > 0; distance-- {
		sq += uint8(directions[d&7])
		if sameLine(sq, e) && p.exposed(from).has(sq) {
			return true
		}
	}
	return false
}

// effectOnEnemy returns how a mover captures an enemy stack, or false if it cannot.
func (p *Position) effectOnEnemy(m *mover, d int, distance, to uint8, f *stackFacts) (effect cotulenh.Effect, ok bool) {
	effect = captureEffect(m.kind, to, false)
	lead := cotulenh.Type(m.kind >> 1)
	if lead == cotulenh.Commander {
		return effect, distance == 1 && (f.lead != cotulenh.Commander || d < 4)
	}
	bit := d<<3 + int(distance) - 1
	inRange := captureRays[m.kind&31]>>bit&1 != 0
	switch lead {
	case cotulenh.AirForce:
		if m.kind == airKind {
			switch p.flight(m.from, d, distance) {
			case flightSuicide:
				return cotulenh.Suicide, true
			case flightLost:
				return effect, false
			}
		}
		return effect, true
	case cotulenh.Navy:
		return effect, inRange || f.lead == cotulenh.Navy && captureNavyRays[m.kind&31]>>bit&1 != 0
	case cotulenh.Artillery, cotulenh.Missile:
		return effect, inRange
	}
	return effect, inRange && p.clearPath(m.from, d, distance)
}

// flight is what happens to an air force that is not heroic on its way to a square.
type flight uint8

const (
	flightSafe    flight = 0
	flightSuicide flight = 1
	flightLost    flight = 2
)

// flight flies an air force of the side to move against enemy air defense.
func (p *Position) flight(from uint8, d int, distance uint8) flight {
	safe, suicide := p.flights(p.turn, from)
	bit := d<<3 + int(distance) - 1
	switch {
	case safe>>bit&1 != 0:
		return flightSafe
	case suicide>>bit&1 != 0:
		return flightSuicide
	}
	return flightLost
}
