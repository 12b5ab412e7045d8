package bitboard

import (
	"math/rand/v2"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Random play draws one legal step without the list, by rejection sampling, exactly as
// package cotulenh does: the same numbers in the same order. Its random.go explains it.

// DoRandom plays a step drawn uniformly from the legal steps.
func (p *Position) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if p.session.open() {
		return p.randomInSession(src)
	}
	own := p.own()
	if p.Over() || own.candidatesTotal == 0 {
		return 0, false
	}
	if p.commanderAttack(p.turn) == groundAttack {
		return p.randomEvasion(src)
	}
	p.history = append(p.history, p.save())
	for cost := 0; cost < cotulenh.RejectionBudget; cost++ {
		m := p.drawCandidate(src, own)
		if m == 0 {
			continue
		}
		if p.tryStep(m) {
			p.endTurnAfter(m)
			return m, true
		}
		p.restore(&p.history[len(p.history)-1])
		cost += cotulenh.IllegalCost
	}
	p.history = p.history[:len(p.history)-1]
	return p.randomFromList(src)
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

// randomEvasion draws for a side under an attack that air defense cannot stop. Few steps
// are legal then, and it is known where they go.
func (p *Position) randomEvasion(src *rand.PCG) (engine.Move, bool) {
	var th threats
	p.findEvasions(&th, p.turn)
	own := p.own()
	list := p.moves[:0]
	for _, from := range own.squares[:own.n] {
		if from == own.commander {
			list = p.pseudoLegalFrom(list, from)
			continue
		}
		ends := th.evasions.raysAt(from)
		if own.commander != noSquare {
			ends |= squareBoards[own.commander].raysAt(from)
		}
		if ends == 0 {
			continue
		}
		if size := facts[p.cells[from]&511].size; size > 1 {
			for slot := range size {
				list = p.appendEvasions(list, p.memberOf(from, slot), ends)
			}
		}
		list = p.appendEvasions(list, p.wholeOf(from), ends)
	}
	p.moves = list
	return p.drawLegal(src, list)
}

// appendEvasions appends the pseudo-legal steps of one mover to the given squares, in the
// order of the rays.
func (p *Position) appendEvasions(dst []engine.Move, m mover, ends Rays) []engine.Move {
	for ends &= captureRays[m.kind&31] | captureNavyRays[m.kind&31]; ends != 0; {
		bit := int(ends.pop())
		step := p.stepTo(&m, bit>>3, uint8(bit&7+1), false)
		if step == 0 {
			continue
		}
		dst = append(dst, step)
		if effectOf(step) == cotulenh.Capture && moverOf(step) == whole && m.kind&^1 == airKind {
			dst = append(dst, m.step(toOf(step), cotulenh.Stay))
		}
	}
	return dst
}

// randomInSession draws from the pseudo-legal steps of the open session and commit. At
// least one of them is legal.
func (p *Position) randomInSession(src *rand.PCG) (engine.Move, bool) {
	list := append(p.sessionSteps(p.moves[:0]), commit)
	p.moves = list
	return p.drawLegal(src, list)
}

// drawLegal plays a step drawn uniformly from the legal steps of a list. It returns false
// if none is legal. It changes the list.
func (p *Position) drawLegal(src *rand.PCG, list []engine.Move) (engine.Move, bool) {
	p.history = append(p.history, p.save())
	for len(list) > 0 {
		i := engine.Below(src, uint32(len(list)))
		m := list[i]
		if m == commit {
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
