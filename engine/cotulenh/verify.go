package cotulenh

import (
	"slices"

	"selfplay/engine"
)

// Legal reports whether Moves lists a step. It generates only the steps of the same
// mover.
func (p *Position) Legal(m engine.Move) bool {
	if m == Commit {
		return p.session.open() && p.canCommit()
	}
	if p.sides[p.turn&1].commander == NoSquare {
		return false
	}
	return p.pseudoLegal(m) && p.isLegal(m, p.threatsHere())
}

// pseudoLegal reports whether a step is pseudo-legal.
func (p *Position) pseudoLegal(m engine.Move) bool {
	from, mover := fromOf(m), moverOf(m)
	in := &infos[p.cells[from]&511]
	if effectOf(m) != Normal || p.session.open() || in.commander != 0 {
		p.moves = p.stepsOfMover(p.moves[:0], m)
		return slices.Contains(p.moves, m)
	}
	kind := in.kinds[0]
	if mover >= Deploy {
		if in.size < 2 || mover-Deploy >= in.size {
			return false
		}
		kind = in.kinds[(mover-Deploy)&3]
	}
	bit := rayBit[toOf(m)-from]
	return in.side == p.turn && raySquares[bit&63] == toOf(m)-from && p.scope(from, kind, p.near(from)).quiet>>bit&1 != 0
}

// stepsOfMover appends the pseudo-legal steps of the mover of a step. It appends
// nothing if that mover does not exist here.
func (p *Position) stepsOfMover(dst []engine.Move, m engine.Move) []engine.Move {
	from, mover := fromOf(m), moverOf(m)
	in, slot := &infos[p.cells[from]&511], mover-Deploy
	switch {
	case p.session.open():
		if from != p.session.origin || mover < Deploy || p.session.rest>>slot&1 == 0 {
			return dst
		}
		return p.memberSteps(dst, slot)
	case in.side != p.turn || mover >= Deploy && (in.size < 2 || slot >= in.size):
		return dst
	case mover == WholeStay:
		mover = Whole // whose steps include those that stay
	}
	return p.generateAll(dst, from, mover, p.near(from))
}

// appendLegal appends the legal steps of a list. The list may follow dst in the same
// array.
func (p *Position) appendLegal(dst, list []engine.Move, th *threats) []engine.Move {
	for _, m := range list {
		if p.surelyLegal(m, th) || p.testLegal(m, th) { // isLegal by hand, which saves a call
			dst = append(dst, m)
		}
	}
	return dst
}

// isLegal reports whether a pseudo-legal step is legal.
func (p *Position) isLegal(m engine.Move, th *threats) bool {
	return p.surelyLegal(m, th) || p.testLegal(m, th)
}

// testLegal decides about a step that surelyLegal does not confirm.
func (p *Position) testLegal(m engine.Move, th *threats) bool {
	if p.missesEvasions(fromOf(m), toOf(m), th) || p.opensLine(m, th) {
		return false
	}
	if legal, known := p.commanderStepLegal(m, th); known {
		return legal
	}
	return p.playLegal(m)
}

// playLegal decides about a step by playing it.
func (p *Position) playLegal(m engine.Move) bool {
	var before snapshot
	p.save(&before)
	ok := p.tryStep(m)
	p.restore(&before)
	return ok
}

// tryStep applies a pseudo-legal step and reports whether it was legal. It does not
// end the turn. The caller restores the position if the step was not legal.
func (p *Position) tryStep(m engine.Move) bool {
	if moverOf(m) < Deploy {
		p.apply(m)
		return !p.danger(p.turn)
	}
	// The first deploy step of a stack without the commander must leave the commander
	// safe at once. Other deploy steps only need a continuation that can commit.
	mayFinishLater := p.session.open() || infos[p.cells[fromOf(m)]&511].commander != 0
	p.apply(m)
	if !mayFinishLater && p.danger(p.turn) {
		return false
	}
	return p.canFinish(1)
}

// canCommit reports whether the open session may end here: the remnant may stand on
// the origin, and the own commander is safe.
func (p *Position) canCommit() bool {
	return remnantFits(p.cells[p.session.origin], p.session.origin) && !p.danger(p.turn)
}

// canFinish reports whether some continuation of the session, possibly empty, can
// commit. depth numbers the nested lists, from 1.
func (p *Position) canFinish(depth int) bool {
	if p.canCommit() {
		return true
	}
	if p.session.rest == 0 {
		return false
	}
	th := p.assess()
	if p.surelyContinues(&th) {
		return true // and the turn can end after it
	}
	var before snapshot
	p.save(&before)
	for slot := range uint8(3) {
		if p.session.rest>>slot&1 == 1 && p.memberFinishes(slot, depth, &th, &before) {
			return true
		}
	}
	return false
}

// memberFinishes reports whether some continuation that begins with a step of a member can commit.
func (p *Position) memberFinishes(slot uint8, depth int, th *threats, before *snapshot) bool {
	list := p.memberSteps(p.deployments[depth][:0], slot)
	p.deployments[depth] = list
	for _, m := range list {
		if p.surelyLegal(m, th) {
			return true
		}
		if p.missesEvasions(fromOf(m), toOf(m), th) {
			continue
		}
		ok, known := p.commanderStepLegal(m, th)
		if !known {
			p.apply(m)
			ok = p.canFinish(depth + 1)
			p.restore(before)
		}
		if ok {
			return true
		}
	}
	return false
}

// surelyContinues reports that a quiet step of the open session is legal without a test. It looks at
// one step of each member: most sessions need no more.
func (p *Position) surelyContinues(th *threats) bool {
	from := p.session.origin
	if th.testAll || th.blockers.has(from) {
		return false
	}
	in, near := &infos[p.cells[from]&511], p.near(from)
	for slot := range uint8(3) {
		kind := in.kinds[slot]
		if p.session.rest>>slot&1 == 0 || Type(kind>>1) == Commander {
			continue
		}
		if quiet := p.scope(from, kind, near).quiet; quiet != 0 {
			if p.surelyLegal(quietStep(newStep(from, 0, Deploy+slot, Normal), from+raySquares[quiet.next()]), th) {
				return true
			}
		}
	}
	return false
}

// canContinue reports whether the open session has a legal step other than commit.
func (p *Position) canContinue() bool {
	if p.session.rest == 0 {
		return false
	}
	th := p.assess()
	if p.surelyContinues(&th) {
		return true
	}
	for slot := range uint8(3) {
		if p.session.rest>>slot&1 == 0 {
			continue
		}
		list := p.memberSteps(p.deployments[0][:0], slot)
		p.deployments[0] = list
		for _, m := range list {
			if p.isLegal(m, &th) {
				return true
			}
		}
	}
	return false
}
