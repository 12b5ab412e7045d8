package bitboard

import (
	"math/bits"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Captures appends the legal steps that remove an enemy stack, each once; see package
// cotulenh. It looks only at enemies within the capture range of each stack.
func (p *Position) Captures(dst []engine.Move) []engine.Move {
	start := len(dst)
	if p.session.open() {
		from := p.session.origin
		dst = p.capturesFrom(dst, from, p.session.rest, p.victims(from), false)
	} else if own := p.own(); own.commander != noSquare {
		for _, from := range own.squares[:own.n] {
			if victims := p.victims(from); !victims.Empty() {
				dst = p.capturesFrom(dst, from, membersOf[facts[p.cells[from]&511].size&3], victims, true)
			}
		}
	}
	if len(dst) == start {
		return dst
	}
	th := p.assess()
	return p.appendLegal(dst[:start], dst[start:], &th)
}

// membersOf holds the slots that may deploy from a stack by its size. A lone piece moves as
// a whole.
var membersOf = [4]uint8{0, 0, 3, 7}

// victims returns the enemy stacks within the capture range of a stack.
func (p *Position) victims(from uint8) Board {
	return attackRanges[captureDistance[p.cells[from]&511]&7][from].And(p.enemy().occupied)
}

// capturesFrom appends the pseudo-legal captures of the given members of a stack, and those
// of the whole stack, on victims.
func (p *Position) capturesFrom(dst []engine.Move, from, slots uint8, victims Board, withWhole bool) []engine.Move {
	var list [4]mover
	n := 0
	for ; slots != 0; slots &= slots - 1 {
		list[n&3] = p.memberOf(from, uint8(bits.TrailingZeros8(slots)))
		n++
	}
	if withWhole {
		list[n&3] = p.wholeOf(from)
		n++
	}
	var safe, suicide Rays
	if facts[p.cells[from]&511].plainAir != 0 {
		safe, suicide = p.flights(p.turn, from)
	}
	for !victims.Empty() {
		to := victims.pop()
		for i := range n {
			if m := &list[i&3]; m.kind == airKind {
				dst = appendAirCapture(dst, m, to, safe, suicide)
			} else {
				dst = p.appendCaptureOn(dst, m, to)
			}
		}
	}
	return dst
}

// appendAirCapture appends the captures of an air force on an enemy in its attack range.
func appendAirCapture(dst []engine.Move, m *mover, to uint8, safe, suicide Rays) []engine.Move {
	bit := bitBetween[to-m.from] & 63
	if captureRays[airKind]&(safe|suicide)>>bit&1 == 0 {
		return dst
	}
	return appendCapture(dst, m, to, suicide>>bit&1 != 0)
}

// appendCaptureOn appends the captures of another mover on an enemy in its attack range.
func (p *Position) appendCaptureOn(dst []engine.Move, m *mover, to uint8) []engine.Move {
	bit := int(bitBetween[to-m.from])
	if (captureRays[m.kind&31]|captureNavyRays[m.kind&31])>>bit&1 == 0 {
		return dst
	}
	effect, ok := p.effectOnEnemy(m, bit>>3, uint8(bit&7+1), to, &facts[p.cells[to]&511])
	if !ok {
		return dst
	}
	return appendCapture(dst, m, to, effect == cotulenh.Suicide)
}
