package cotulenh

import (
	"math/bits"
	"slices"

	"selfplay/engine"
)

// threatsHere returns what assess does and keeps it. It is valid until the next call.
func (p *Position) threatsHere() *threats {
	k := &p.kept[len(p.history)%keptSlots]
	if k.hash != p.hash || !k.known {
		k.hash, k.known, k.threats = p.hash, true, p.assess()
	}
	return &k.threats
}

// assess returns the threats to the side to move.
func (p *Position) assess() (th threats) {
	us := p.turn & 1
	own, enemy := &p.sides[us], &p.sides[us^1]
	th.fewEnemies = enemy.n <= 3 && p.captureMayLeaveGuard(us^1)
	th.promotionPending = p.promotionPending(us)
	th.testAll = th.promotionPending || p.commanderAttack(us) != noAttack || p.commandersFace()
	if th.testAll {
		p.findEvasions(&th, us)
		return th
	}
	sq := own.commander
	p.findAttackBlockers(&th, us, sq)
	if e := enemy.commander; e != NoSquare && sameLine(sq, e) {
		p.findBlocker(&th, sq, e, lineDir(sq, e))
	}
	return th
}

// promotionPending reports whether a piece is promoted whatever the next step is.
func (p *Position) promotionPending(us uint8) bool {
	own, enemy := &p.sides[us&1], &p.sides[us&1^1]
	// A last guard is promoted at once in play. Only a position that was set up can
	// have one that is not heroic.
	return enemy.n <= 2 && p.lastGuardToPromote(us^1) != NoSquare ||
		own.n <= 2 && p.lastGuardToPromote(us) != NoSquare ||
		enemy.commander != NoSquare && p.commanderAttack(us^1) != noAttack
}

// captureMayLeaveGuard reports whether the capture of a stack of a side could leave a last
// guard to promote: one of two guards is a single piece and not heroic.
func (p *Position) captureMayLeaveGuard(side uint8) bool {
	a := &p.sides[side]
	guards, promotable := 0, false
	for _, sq := range a.squares[:a.n] {
		if in := &infos[p.cells[sq]&511]; in.lead != Commander {
			guards++
			promotable = promotable || in.size == 1 && in.heroic == 0
		}
	}
	return guards == 2 && promotable
}

// findAttackBlockers notes the stacks that alone block an attack on the commander of
// side us on sq, and air forces that have it in range.
func (p *Position) findAttackBlockers(th *threats, us, sq uint8) {
	kind := targetKind(p.cells[sq])
	near, them := &attackRange[sq], &p.occ[us&1^1]
	for w := range 3 {
		for set := near[w] & them[w]; set != 0; set &= set - 1 {
			from := uint8(w<<6 | bits.TrailingZeros64(set))
			r := &relations[from-sq]
			code := p.cells[from] & 511
			e := attackSlots[kind][code][r.index()]
			th.airNear = th.airNear || e&7&infos[code].plainAir != 0
			if e&7 != e>>3 {
				p.findBlocker(th, sq, from, r.dir)
			}
		}
	}
}

// findBlocker notes the stack between two squares if there is exactly one.
func (p *Position) findBlocker(th *threats, from, to, dir uint8) {
	blocker := uint8(NoSquare)
	for sq := from + dir; sq != to; sq += dir {
		if p.cells[sq] != Empty {
			if blocker != NoSquare {
				return
			}
			blocker = sq
		}
	}
	if blocker != NoSquare {
		th.blockers.set(blocker)
	}
}

// findEvasions sets groundAttack and evasions for side us, if its commander is attacked
// and a single step must end the attack.
func (p *Position) findEvasions(th *threats, us uint8) {
	sq := p.sides[us].commander
	if sq == NoSquare || p.sides[us].attacked == noAttack || p.session.open() && p.session.severalLeft() {
		return
	}
	// What is known of the attack is from before the promotions of the enemy's last step:
	// an airAttack may come from heroic air forces now.
	th.evasions = squareSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	var attackers attackerList
	p.attackersOn(us, sq, &attackers)
	kind := targetKind(p.cells[sq])
	for _, a := range attackers.list[:attackers.n] {
		code := p.cells[a.sq] & 511
		ground := a.slots &^ infos[code].plainAir
		if ground == 0 {
			continue // a change of air defense may stop it
		}
		th.groundAttack = true
		// Only a capture of the attacker ends its attack, or a stack in between if no
		// attacking member attacks over it. (A plain air force flies over it, but new
		// air defense may stop that.)
		var ends squareSet
		ends.set(a.sq)
		r := &relations[a.sq-sq]
		if over := attackSlots[kind][code][r.index()] >> 3; ground&over == 0 {
			for n, between := r.dist, sq+r.dir; n > 1; n, between = n-1, between+r.dir {
				ends.set(between)
			}
		}
		for w := range th.evasions {
			th.evasions[w] &= ends[w]
		}
	}
}

// The functions here decide about a step by the threats, without playing it. What they leave
// open is decided by Legal.

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
