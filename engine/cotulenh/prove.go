package cotulenh

import "selfplay/engine"

// The functions here decide about a step by the threats, without playing it. What they leave
// open is decided in verify.go.

// quietLegal reports whether every quiet step of the stack on a square is legal, apart
// from the terrain under a remnant.
func (th *threats) quietLegal(from uint8, in *stackInfo) bool {
	return !th.testAll && !th.airNear && !th.blockers.has(from) && in.commander == 0
}

// surelyLegal reports that a pseudo-legal step is legal. If it returns false, the step
// needs a test.
func (p *Position) surelyLegal(m engine.Move, th *threats) bool {
	from, to, mover := fromOf(m), toOf(m), moverOf(m)
	own := p.sides[p.turn&1].commander
	if th.testAll || to == own || from == own && mover < Deploy || th.blockers.has(from) {
		return false
	}
	if th.airNear && p.mayChangeAirDefense(m) {
		return false
	}
	if isCapture(m) && !th.captureHarmless(from, to, effectOf(m), own) {
		return false
	}
	return mover < Deploy || p.deploymentHarmless(m, own)
}

// mayChangeAirDefense reports whether a step could change the own air defense by
// moving a provider, covering one or promoting one.
func (p *Position) mayChangeAirDefense(m engine.Move) bool {
	from, to := fromOf(m), toOf(m)
	return p.mayPromote(from, to) || infos[p.cells[from]&511].level != 0 ||
		effectOf(m) == Join && infos[p.cells[to]&511].level != 0
}

// mayPromote reports whether a step could promote members of the side to move: it may
// attack the enemy commander, uncover an attack on it, or leave a last guard. A
// promoted provider has a wider zone, which can help the enemy: an air force that was
// lost when it left the zone now stays inside.
func (p *Position) mayPromote(from, to uint8) bool {
	enemy := p.sides[p.turn&1^1].commander
	return inAttackRange[from-enemy] || inAttackRange[to-enemy] || p.sides[p.turn&1].n <= 3
}

// captureHarmless reports that the removal of the enemy on a square cannot endanger
// the own commander on own.
func (th *threats) captureHarmless(from, to uint8, e Effect, own uint8) bool {
	if th.fewEnemies {
		return false
	}
	// A capture leaves its square occupied. A suicide can empty two squares of one ray.
	return e == Capture || !th.blockers.has(to) && (e == Stay || !sameRay(Square(own), Square(from), Square(to)))
}

// sameRay reports whether two squares lie in the same direction from a third one.
func sameRay(center, a, b Square) bool {
	l := lineBetween(center, a)
	return l.dist != 0 && l.dir == lineBetween(center, b).dir
}

// deploymentHarmless reports that a deploy step neither moves the commander nor changes
// what attacks it, and that the remnant may stay on the origin.
func (p *Position) deploymentHarmless(m engine.Move, own uint8) bool {
	from, slot := fromOf(m), moverOf(m)-Deploy
	s := p.cells[from]
	in := &infos[s&511]
	if from == own && (in.level != 0 || Type(in.kinds[slot&3]>>1) == Commander) {
		return false
	}
	if effectOf(m) != Stay {
		s = s.without(slot)
	}
	return remnantFits(s, from)
}

// remnantFits reports whether a remnant may stay on a square after a deployment.
func remnantFits(remnant Stack, sq uint8) bool {
	return remnant == Empty || fits[infos[remnant&511].lead&15][sq]
}

// missesEvasions reports that a step cannot end an attack that air defense does not
// stop: it neither moves nor joins the commander and goes to no evasion square. In a
// session with several members left a later step may still help, so findEvasions finds
// none there.
func (p *Position) missesEvasions(from, to uint8, th *threats) bool {
	own := &p.sides[p.turn&1]
	return th.groundAttack && from != own.commander && to != own.commander && !th.evasions.has(to)
}

// opensLine reports that a capture that leaves its square empty removes the only stack
// between the own commander and an attacker or the other commander. It decides nothing in
// a session, where a later step may help, and nothing about the commander's stack.
func (p *Position) opensLine(m engine.Move, th *threats) bool {
	e := effectOf(m)
	return (e == Stay || e == Suicide) && th.blockers.has(toOf(m)) &&
		fromOf(m) != p.sides[p.turn&1].commander && !p.session.open()
}

// commanderStepLegal decides about a step of the commander, with its whole stack or
// out of it, by the attacks on the new square alone. known is false if they do not
// decide it.
func (p *Position) commanderStepLegal(m engine.Move, th *threats) (legal, known bool) {
	us := p.turn & 1
	from, to, mover := fromOf(m), toOf(m), moverOf(m)
	if from != p.sides[us].commander || p.changesMoreThanSquare(m, th) {
		return false, false
	}
	s, behind := p.cells[from], Empty
	if mover >= Deploy {
		slot := mover - Deploy
		behind = s.without(slot)
		if Type(infos[s&511].kinds[slot&3]>>1) != Commander || !remnantFits(behind, from) {
			return false, false
		}
	}
	kind := landTarget
	if effectOf(m) == Join {
		kind = targetKind(p.cells[to]) // a navy keeps the lead
	}
	p.cells[from] = behind
	found := p.attackOn(us, to, kind)
	faces := p.wouldFace(us, to)
	p.cells[from] = s
	switch {
	case found == noAttack && !faces:
		return true, true
	case mover >= Deploy && p.session.rest != 1<<(mover-Deploy):
		return false, false // a later step of the session may help
	}
	return false, faces || found == groundAttack
}

// changesMoreThanSquare reports whether a step of the commander's stack may change
// attacks on it by more than its new square: own air defense or a promotion.
func (p *Position) changesMoreThanSquare(m engine.Move, th *threats) bool {
	from, to, e := fromOf(m), toOf(m), effectOf(m)
	return infos[p.cells[from]&511].level != 0 || e == Stay || e == Suicide ||
		th.promotionPending || th.fewEnemies && e == Capture || p.mayPromote(from, to) && p.airInRange(p.turn&1, to)
}
