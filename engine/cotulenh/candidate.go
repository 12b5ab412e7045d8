package cotulenh

import (
	"math/rand/v2"

	"selfplay/engine"
)

// The candidate steps of a stack are its steps if every target were possible: one per
// target of each member that could deploy, and those of the whole stack, where an air
// force has two per target, to move there and to stay. A candidate is a step of this
// position or of none.

// candidatesOf returns the number of candidate steps of a stack on a square.
func candidatesOf(in *stackInfo, sq uint8) uint8 {
	n := spans[in.kinds[0]&31][sq].wholeCandidates
	if in.size > 1 {
		n += spans[in.kinds[0]&31][sq].count + spans[in.kinds[1]&31][sq].count
		if in.size > 2 {
			n += spans[in.kinds[2]&31][sq].count
		}
	}
	return n
}

// countCandidates counts the candidate steps of all stacks.
func (p *Position) countCandidates() {
	for side := range p.sides {
		a := &p.sides[side]
		a.candidatesTotal = 0
		for i, sq := range a.squares[:a.n] {
			n := candidatesOf(&infos[p.cells[sq]&511], sq)
			a.candidates[i] = n
			a.candidatesTotal += uint32(n)
		}
	}
	p.candidatesKnown = true
}

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

// candidate returns candidate step r of the stack on a square, 0 if it is no
// pseudo-legal step. Members come first, in the order of their slots, then the whole
// stack.
func (p *Position) candidate(from uint8, r uint32) engine.Move {
	s := p.cells[from]
	in := &infos[s&511]
	mover := engine.Move(Whole)
	kind := in.kinds[0]
	if in.size > 1 {
		for i := range in.size {
			n := uint32(spans[in.kinds[i&3]&31][from].count)
			if r < n {
				mover, kind, s = engine.Move(Deploy+i), in.kinds[i&3], kept[s&511][1<<i&7]
				break
			}
			r -= n
		}
	}
	stays := false // the candidate of a whole air force that captures and stays
	if mover == Whole && kind&^heroicBit == airKind {
		stays = r&1 != 0
		r >>= 1
	}
	t := &targets[spans[kind&31][from].first+uint16(r)]
	to := from + t.offset
	if stays && infos[p.cells[to]&511].side != p.turn^1 {
		return 0
	}
	e, ok := p.effectOn(from, to, kind, s, t)
	if !ok || stays && e != Capture {
		return 0
	}
	if stays {
		e = Stay
	}
	return noisyStep(engine.Move(from)|mover<<MoverShift, to, e)
}
