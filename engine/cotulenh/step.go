package cotulenh

import "selfplay/engine"

// A step is packed into an engine.Move: from, to, what moves, and its effect.
// What and the squares name the step; the effect follows from them and the board.
const (
	whatShift   = 16
	effectShift = 19

	whole     = 0 // the whole stack
	wholeStay = 1 // the whole stack captures and stays
	deploy    = 2 // deploy+k: slot k of the stack leaves it
)

// effect is what a step does to the square it goes to.
type effect uint8

const (
	normal  effect = 0 // empty: move there
	capture effect = 1 // enemy: remove it, move there
	stay    effect = 2 // enemy: remove it, stay
	suicide effect = 3 // enemy: remove it and the capturer
	join    effect = 4 // friend: combine with it
)

// commit ends a deployment.
const commit engine.Move = 1 << 22

func newStep(from, to uint8, what engine.Move, e effect) engine.Move {
	return engine.Move(from) | engine.Move(to)<<8 | what<<whatShift | engine.Move(e)<<effectShift
}

func fromOf(m engine.Move) uint8    { return uint8(m) }
func toOf(m engine.Move) uint8      { return uint8(m >> 8) }
func whatOf(m engine.Move) uint8    { return uint8(m>>whatShift) & 7 }
func effectOf(m engine.Move) effect { return effect(m>>effectShift) & 7 }

// Do plays a legal step.
func (p *Position) Do(m engine.Move) {
	p.past = append(p.past, p.save())
	if m == commit {
		p.endTurn()
		return
	}
	p.play(m)
	p.finish(m)
}

// finish ends the turn after a legal step, unless a deployment goes on.
func (p *Position) finish(m engine.Move) {
	if whatOf(m) < deploy || p.session.rest == 0 || !p.canGoOn() {
		p.endTurn()
	}
}

// Undo takes back the last step, with the commit that followed by itself.
func (p *Position) Undo() {
	m := &p.past[len(p.past)-1]
	if p.turn != m.turn {
		p.popTurn()
	}
	p.restore(m)
	p.past = p.past[:len(p.past)-1]
}

// play executes a step: clocks, cells, session, promotions. The turn stays open.
func (p *Position) play(m engine.Move) {
	if !p.session.open() && p.half < maxClock {
		p.half++
	}
	if e := effectOf(m); e == capture || e == stay || e == suicide {
		p.half = 0
	}
	if whatOf(m) >= deploy {
		p.playDeploy(m)
	} else {
		p.playWhole(m)
	}
	p.promote(p.turn)
}

func (p *Position) playWhole(m engine.Move) {
	from, to := fromOf(m), toOf(m)
	switch effectOf(m) {
	case normal:
		p.slide(from, to)
	case capture:
		p.set(to, Empty)
		p.slide(from, to)
	case stay:
		p.set(to, Empty)
	case suicide:
		p.set(from, Empty)
		p.set(to, Empty)
	case join:
		s := combine(p.cells[from], p.cells[to])
		p.set(from, Empty)
		p.set(to, s)
	}
}

// endTurn commits: the other side is to move.
func (p *Position) endTurn() {
	if p.session.open() {
		p.hash ^= p.session.key()
		p.session = noSession
	}
	if p.turn == 1 && p.full < maxClock {
		p.full++
	}
	p.turn ^= 1
	p.hash ^= sideKey
	p.pushTurn()
}

func (p *Position) pushTurn() {
	p.turns = append(p.turns, p.hash)
	p.seen[p.hash%seenSize]++
}

func (p *Position) popTurn() {
	p.turns = p.turns[:len(p.turns)-1]
	p.seen[p.hash%seenSize]--
}

// promote makes heroes after a step of side us: first every member that attacks
// the enemy commander, found with the zones as they are before any promotion,
// then the last guard of either side.
func (p *Position) promote(us uint8) {
	them := us ^ 1
	if a := &p.sides[them]; a.attacked != unharmed && a.commander != noSquare {
		var h hits
		found := p.attackersOn(them, a.commander, &h)
		for _, hit := range h.list[:h.n] {
			if s := p.cells[hit.sq]; promoted[s&511][hit.slots&7] != s {
				p.set(hit.sq, promoted[s&511][hit.slots&7])
			}
		}
		a.attacked = found
	}
	for side := range uint8(2) {
		if p.sides[side].n <= 2 {
			p.promoteLastGuard(side)
		}
	}
}

// promoteLastGuard makes the only stack that a commander does not lead a hero, if
// it carries nothing. A side with more than two stacks has none.
func (p *Position) promoteLastGuard(side uint8) {
	a := &p.sides[side]
	guards, last := 0, uint8(0)
	for _, sq := range a.list[:a.n] {
		if infos[p.cells[sq]&511].lead != Commander {
			guards++
			last = sq
		}
	}
	if guards != 1 {
		return
	}
	if s := p.cells[last]; infos[s&511].size == 1 && infos[s&511].heroic == 0 {
		p.set(last, promoted[s&511][1])
	}
}
