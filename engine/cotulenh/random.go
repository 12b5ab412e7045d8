package cotulenh

import (
	"math/rand/v2"

	"selfplay/engine"
)

// Random play draws one legal step without the list, by rejection sampling. It draws a
// candidate step uniformly (see candidatesOf). Every pseudo-legal step has exactly one
// candidate, so the first candidate that is a legal step is uniform among the legal
// steps. Rejecting a candidate costs a few nanoseconds; about two are drawn per step.

// RejectionBudget limits the rejections before the full list is made. A candidate
// that is no step costs 1, an illegal step costs IllegalCost. Both numbers and the
// order of all draws are part of the random player's version: changing them changes
// games.
const (
	RejectionBudget = 128
	IllegalCost     = 6
)

// DoRandom plays a step drawn uniformly from the legal steps.
func (p *Position) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if p.session.open() {
		return p.randomInSession(src)
	}
	if p.Over() {
		return 0, false
	}
	if !p.candidatesKnown {
		p.countCandidates()
	}
	own := &p.sides[p.turn&1]
	if own.candidatesTotal == 0 {
		return 0, false
	}
	if p.commanderAttack(p.turn) == groundAttack {
		return p.randomEvasion(src)
	}
	p.pushHistory()
	for cost := 0; cost < RejectionBudget; cost++ {
		m := p.drawCandidate(src, own)
		if m == 0 {
			continue
		}
		if p.tryStep(m) {
			p.endTurnAfter(m)
			return m, true
		}
		p.restore(&p.history[len(p.history)-1])
		cost += IllegalCost
	}
	p.history = p.history[:len(p.history)-1]
	return p.randomFromList(src)
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
	base, moved := newStep(from, 0, Whole, Normal), &infos[s&511]
	if moved.size > 1 {
		for slot := range moved.size {
			n := uint32(spans[moved.kinds[slot&3]&31][from].count)
			if r < n {
				base, moved = newStep(from, 0, Deploy+slot, Normal), &infos[s.member(slot)&511]
				break
			}
			r -= n
		}
	}
	kind := moved.kinds[0]
	stays := false // the candidate of a whole air force that captures and stays
	if base>>MoverShift == Whole && kind&^heroicBit == airKind {
		stays = r&1 != 0
		r >>= 1
	}
	t := &targets[spans[kind&31][from].first+uint16(r)]
	to := from + t.offset
	if stays && infos[p.cells[to]&511].side != p.turn^1 {
		return 0
	}
	e, ok := p.effectOn(from, to, moved, t)
	if !ok || stays && e != Capture {
		return 0
	}
	if stays {
		e = Stay
	}
	return noisyStep(base, to, e)
}

// randomFromList draws from the list of legal steps.
func (p *Position) randomFromList(src *rand.PCG) (engine.Move, bool) {
	list := p.Moves(p.moves[:0])
	p.moves = list
	if len(list) == 0 {
		return 0, false
	}
	m := list[engine.Below(src, uint32(len(list)))]
	p.Do(m)
	return m, true
}

// randomEvasion draws for a side under an attack that air defense cannot stop. Few
// steps are legal then, and it is known where they go.
func (p *Position) randomEvasion(src *rand.PCG) (engine.Move, bool) {
	var th threats
	p.findEvasions(&th, p.turn)
	own := &p.sides[p.turn&1]
	ends := th.evasions
	ends.set(own.commander)
	list := p.moves[:0]
	for _, from := range own.squares[:own.n] {
		s := p.cells[from]
		// No piece but a commander moves farther than it captures.
		if from != own.commander && !overlap(&attackRangeWithin[captureRanges[s&511]&7][from], &ends) {
			continue
		}
		if from == own.commander {
			list = p.pseudoLegalFrom(list, from, p.near(from))
			continue
		}
		if size := infos[s&511].size; size > 1 {
			for slot := range size {
				list = p.appendEvasions(list, &th, from, Deploy+slot)
			}
		}
		list = p.appendEvasions(list, &th, from, Whole)
	}
	p.moves = list
	return p.drawLegal(src, list)
}

// appendEvasions appends the pseudo-legal steps of one mover that may end the attack.
func (p *Position) appendEvasions(dst []engine.Move, th *threats, from, mover uint8) []engine.Move {
	moved := &infos[p.cells[from].moving(mover)&511]
	run := targetsFrom(moved.kinds[0], from)
	for i := range run {
		t := &run[i]
		to := from + t.offset
		if p.missesEvasions(from, to, th) {
			continue
		}
		if e, ok := p.effectOn(from, to, moved, t); ok {
			dst = appendStep(dst, newStep(from, 0, mover, Normal), to, moved.kinds[0], e)
		}
	}
	return dst
}

// randomInSession draws from the pseudo-legal steps of the open session and commit. At
// least one of them is legal.
func (p *Position) randomInSession(src *rand.PCG) (engine.Move, bool) {
	list := append(p.sessionSteps(p.moves[:0]), Commit)
	p.moves = list
	return p.drawLegal(src, list)
}

// drawLegal plays a step drawn uniformly from the legal steps of a list. It returns
// false if none is legal. It changes the list.
func (p *Position) drawLegal(src *rand.PCG, list []engine.Move) (engine.Move, bool) {
	p.pushHistory()
	for len(list) > 0 {
		i := engine.Below(src, uint32(len(list)))
		m := list[i]
		if m == Commit {
			if p.canCommit() {
				p.endTurn()
				return m, true
			}
		} else if p.tryStep(m) {
			p.endTurnAfter(m)
			return m, true
		}
		p.restore(&p.history[len(p.history)-1])
		list[i] = list[len(list)-1]
		list = list[:len(list)-1]
	}
	p.history = p.history[:len(p.history)-1]
	return 0, false
}
