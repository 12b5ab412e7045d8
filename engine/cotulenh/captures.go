package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

// Captures appends the legal steps that take something, each once: captures with
// and without moving there, suicides, and those deploy steps that take. After one
// of these the turn goes on, with any step, until commit; that doubles the cost
// of a search of captures, and still is worth some 80 Elo: without them stacks look
// harmless. In an open session it lists what the members to come may take; commit
// is not among that.
//
// No empty square is looked at: a stack asks which enemies stand in its star, as
// far as its members can take.
func (p *Position) Captures(dst []engine.Move) []engine.Move {
	start := len(dst)
	if p.session.open() {
		dst = p.sessionStrikes(dst)
	} else {
		dst = p.strikes(dst)
	}
	if len(dst) == start {
		return dst
	}
	d := p.assess()
	keep := start
	for _, m := range dst[start:] {
		if p.sure(m, &d) || p.legal(m, &d) {
			dst[keep] = m
			keep++
		}
	}
	return dst[:keep]
}

// strikes appends the pseudo-legal captures at the start of a turn.
func (p *Position) strikes(dst []engine.Move) []engine.Move {
	a := &p.sides[p.turn&1]
	if a.commander == noSquare {
		return dst
	}
	them := &p.occ[p.turn&1^1]
	for _, from := range a.list[:a.n] {
		code := p.cells[from] & 511
		in, star := &infos[code], &starsWithin[grasps[code]&7][from]
		for w := range 3 {
			for set := star[w] & them[w]; set != 0; set &= set - 1 {
				to := uint8(w<<6 | bits.TrailingZeros64(set))
				if in.size > 1 {
					for slot := range in.size {
						dst = p.strike(dst, from, to, in.kinds[slot&3], engine.Move(deploy+slot))
					}
				}
				dst = p.strike(dst, from, to, in.kinds[0], whole)
			}
		}
	}
	return dst
}

// sessionStrikes appends the pseudo-legal captures of an open session.
func (p *Position) sessionStrikes(dst []engine.Move) []engine.Move {
	from := p.session.origin
	in := &infos[p.cells[from]&511]
	star, them := &stars[from], &p.occ[p.turn&1^1]
	for w := range 3 {
		for set := star[w] & them[w]; set != 0; set &= set - 1 {
			to := uint8(w<<6 | bits.TrailingZeros64(set))
			for slot := range in.size {
				if p.session.rest>>slot&1 == 1 {
					dst = p.strike(dst, from, to, in.kinds[slot&3], engine.Move(deploy+slot))
				}
			}
		}
	}
	return dst
}

// strike appends what a mover may do to the enemy on a square of its star.
func (p *Position) strike(dst []engine.Move, from, to, kind uint8, what engine.Move) []engine.Move {
	l := &link[to-from]
	flags := captureFlags[kind&31][l.diagonal<<3|l.n]
	if flags == 0 {
		return dst
	}
	if fits[kind>>1&15][to] {
		flags |= canStand
	}
	t := target{jump: to - from, dir: l.dir, n: l.n, flags: flags}
	e, ok := p.aimAtEnemy(from, kind, &infos[p.cells[to]&511], t)
	if !ok {
		return dst
	}
	return appendStrike(dst, engine.Move(from)|what<<whatShift, to, kind, e)
}

// appendStrike appends a step; an air force that captures as a whole stack may
// also stay.
func appendStrike(dst []engine.Move, base engine.Move, to, kind uint8, e effect) []engine.Move {
	dst = append(dst, sharpStep(base, to, e))
	if e == capture && base>>whatShift == whole && kind&^heroicBit == airKind {
		dst = append(dst, sharpStep(base, to, stay))
	}
	return dst
}

// captureFlags tells by kind and by link.diagonal<<3 | link.n what a piece may
// take: canTake, canTakeN or nothing. The ground matters to nobody that takes, so
// the runs of targets agree on it wherever they lie.
var captureFlags = func() (table [32][16]uint8) {
	for kind := range uint8(numKinds) {
		for _, sq := range boardSquares {
			at := spans[kind][sq]
			for _, t := range targets[at.first:][:at.count] {
				if l := &link[t.jump]; t.n <= 5 {
					table[kind][l.diagonal<<3|l.n] |= t.flags & (canTake | canTakeN)
				}
			}
		}
	}
	return table
}()

// grasps tells how far a stack can take: the largest range of its members.
var grasps = func() (table [512]uint8) {
	for code := Stack(1); code < NumStacks; code++ {
		for _, kind := range infos[code].kinds[:infos[code].size] {
			for i, flags := range captureFlags[kind] {
				if n := uint8(i & 7); flags != 0 && n > table[code] {
					table[code] = n
				}
			}
		}
	}
	return table
}()

// starsWithin are stars cut at a range.
var starsWithin = func() (table [8][256]squareSet) {
	for radius := range table {
		for _, a := range boardSquares {
			for _, b := range boardSquares {
				if stars[a].has(b) && int(link[b-a].n) <= radius {
					table[radius][a].set(b)
				}
			}
		}
	}
	return table
}()
