package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Moves appends every legal step to dst. Most steps are legal without a test by playing;
// threats describes the position's exceptions. The order is that of package cotulenh: quiet
// steps that need no test, then captures and joins, then the other quiet steps.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	if p.session.open() {
		return p.sessionMoves(dst)
	}
	own := p.own()
	if own.commander == noSquare {
		return dst
	}
	th := p.assess()
	occupied := p.occupied()
	untested, noisy := p.untested[:0], p.noisy[:0]
	for _, from := range own.squares[:own.n] {
		f := &facts[p.cells[from]&511]
		around := p.around(occupied, from)
		quietLegal := th.quietLegal(from, f)
		if f.size > 1 {
			for slot := range f.size {
				if quietLegal && remnantFits(kept[p.cells[from]&511][^(1<<slot)&7], from) {
					dst, noisy = p.generate(dst, noisy, p.memberOf(from, slot), around)
				} else {
					untested, noisy = p.generate(untested, noisy, p.memberOf(from, slot), around)
				}
			}
		}
		if quietLegal {
			dst, noisy = p.generate(dst, noisy, p.wholeOf(from), around)
		} else {
			untested, noisy = p.generate(untested, noisy, p.wholeOf(from), around)
		}
	}
	p.untested, p.noisy = untested, noisy
	dst = p.appendLegal(dst, noisy, &th)
	return p.appendLegal(dst, untested, &th)
}

// sessionMoves is Moves in an open session.
func (p *Position) sessionMoves(dst []engine.Move) []engine.Move {
	start := len(dst)
	dst = p.sessionSteps(dst)
	th := p.assess()
	dst = p.appendLegal(dst[:start], dst[start:], &th)
	if p.canCommit() {
		dst = append(dst, commit)
	}
	return dst
}

// appendLegal appends the legal steps of a list. The list may follow dst in the same array.
func (p *Position) appendLegal(dst, list []engine.Move, th *threats) []engine.Move {
	for _, m := range list {
		if p.surelyLegal(m, th) || p.testLegal(m, th) {
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
	if p.missesEvasions(fromOf(m), toOf(m), th) {
		return false
	}
	if legal, known := p.commanderStepLegal(m, th); known {
		return legal
	}
	before := p.save()
	ok := p.tryStep(m)
	p.restore(&before)
	return ok
}

// tryStep applies a pseudo-legal step and reports whether it was legal. It does not end the
// turn. The caller restores the position if the step was not legal.
func (p *Position) tryStep(m engine.Move) bool {
	if moverOf(m) < deploy {
		p.apply(m)
		return !p.danger(p.turn)
	}
	// The first deploy step of a stack without the commander must leave the commander safe
	// at once. Other deploy steps only need a continuation that can commit.
	mayFinishLater := p.session.open() || facts[p.cells[fromOf(m)]&511].commander != 0
	p.apply(m)
	if !mayFinishLater && p.danger(p.turn) {
		return false
	}
	return p.canFinish(1)
}

// threats describes how a step could put the own commander in danger.
type threats struct {
	blockers         Rays  // stacks around the commander that alone block an attack on it
	commander        uint8 // the own commander, center of blockers
	lineBlocker      uint8 // the stack that alone blocks the line to the enemy commander, or noSquare
	evasions         Board // if groundAttack: where a step must go to end it, unless it moves or joins the commander
	testAll          bool  // the commander is in danger now, or promotionPending: no step is surely legal
	fewEnemies       bool  // a capture could leave the enemy a last guard, which is promoted
	airNear          bool  // an air force that air defense can stop has the commander in range
	promotionPending bool  // any step may promote: a last guard waits, or the enemy commander is attacked already
	groundAttack     bool  // the commander is attacked, and air defense cannot stop it
}

// assess returns the threats to the side to move.
func (p *Position) assess() (th threats) {
	us := p.turn & 1
	own, enemy := p.own(), p.enemy()
	th.commander, th.lineBlocker = own.commander, noSquare
	th.fewEnemies = enemy.n <= 3
	th.promotionPending = p.promotionPending(us)
	th.testAll = th.promotionPending || p.commanderAttack(us) != noAttack || p.commandersFace()
	if th.testAll {
		p.findEvasions(&th, us)
		return th
	}
	occupied := p.occupied()
	p.findBlockers(&th, us, own.commander, occupied)
	if e := enemy.commander; e != noSquare && sameLine(own.commander, e) {
		if b := occupied.between(own.commander, e); b.Count() == 1 {
			th.lineBlocker = uint8(b.First())
		}
	}
	return th
}

// promotionPending reports whether a piece is promoted whatever the next step is. In play a
// last guard is promoted at once; only a position that was set up can have one that is not
// heroic.
func (p *Position) promotionPending(us uint8) bool {
	own, enemy := &p.sides[us&1], &p.sides[us&1^1]
	return enemy.n <= 2 && p.lastGuardToPromote(us^1) != noSquare ||
		own.n <= 2 && p.lastGuardToPromote(us) != noSquare ||
		enemy.commander != noSquare && p.commanderAttack(us^1) != noAttack
}

// findBlockers notes the stacks that alone block an attack on the commander of side us on
// sq, and air forces that have it in range.
func (p *Position) findBlockers(th *threats, us, sq uint8, occupied Board) {
	candidates := attackRange[sq].And(p.sides[us&1^1].occupied)
	if candidates.Empty() {
		return
	}
	kind := p.targetKind(sq)
	for !candidates.Empty() {
		from := candidates.pop()
		bit, code := bitBetween[from-sq]&63, p.cells[from]&511
		e := attackSlots[kind&1][code][bit]
		th.airNear = th.airNear || e&7&facts[code].plainAir != 0
		if e&7 != e>>3 {
			th.blockers |= onlyBlocker(occupied, sq, bit)
		}
	}
}

// onlyBlocker returns the stack between a square and the one of the given bit, if there is
// exactly one.
func onlyBlocker(occupied Board, sq, bit uint8) (blocker Rays) {
	for bit&7 != 0 {
		bit--
		if occupied.has(sq + steps[bit&63]) {
			if blocker != 0 {
				return 0
			}
			blocker = 1 << bit
		}
	}
	return blocker
}

// blocks reports whether the stack on a square alone blocks an attack or the line between the
// commanders.
func (th *threats) blocks(sq uint8) bool {
	return th.blockers>>bitBetween[sq-th.commander]&1 != 0 || sq == th.lineBlocker
}

// quietLegal reports whether every quiet step of the stack on a square is legal, apart from
// the terrain under a remnant.
func (th *threats) quietLegal(from uint8, f *stackFacts) bool {
	return !th.testAll && !th.airNear && !th.blocks(from) && f.commander == 0
}

// surelyLegal reports that a pseudo-legal step is legal. If it returns false, the step
// needs a test.
func (p *Position) surelyLegal(m engine.Move, th *threats) bool {
	from, to, mover := fromOf(m), toOf(m), moverOf(m)
	own := p.own().commander
	if th.testAll || to == own || from == own && mover < deploy || th.blocks(from) {
		return false
	}
	if th.airNear && p.mayChangeAirDefense(m) {
		return false
	}
	if isCapture(m) && !th.captureHarmless(to, effectOf(m), own) {
		return false
	}
	return mover < deploy || p.deploymentHarmless(m, own)
}

// mayChangeAirDefense reports whether a step could change the own air defense by moving a
// provider, covering one or promoting one.
func (p *Position) mayChangeAirDefense(m engine.Move) bool {
	from, to := fromOf(m), toOf(m)
	return p.mayPromote(from, to) || facts[p.cells[from]&511].level != 0 ||
		effectOf(m) == cotulenh.Join && facts[p.cells[to]&511].level != 0
}

// captureHarmless reports that the removal of the enemy on a square cannot endanger the own
// commander. A capture leaves its square occupied; a suicide can empty two squares of one
// line.
func (th *threats) captureHarmless(to uint8, effect cotulenh.Effect, own uint8) bool {
	if th.fewEnemies {
		return false
	}
	return effect == cotulenh.Capture ||
		!th.blocks(to) && (effect == cotulenh.Stay || !inAttackRange[to-own] && !sameLine(to, own))
}

// deploymentHarmless reports that a deploy step neither moves the commander nor changes
// what attacks it, and that the remnant may stay on the origin.
func (p *Position) deploymentHarmless(m engine.Move, own uint8) bool {
	from, slot := fromOf(m), moverOf(m)-deploy
	s := p.cells[from]
	f := &facts[s&511]
	if from == own && (f.level != 0 || cotulenh.Type(f.kinds[slot&3]>>1) == cotulenh.Commander) {
		return false
	}
	if effectOf(m) != cotulenh.Stay {
		s = kept[s&511][^(1<<slot)&7]
	}
	return remnantFits(s, from)
}

// mayPromote reports whether a step could promote members of the side to move: it may
// attack the enemy commander, uncover an attack on it, or leave a last guard. A promoted
// provider has a wider zone, which can help the enemy: an air force that was lost when it
// left the zone now stays inside.
func (p *Position) mayPromote(from, to uint8) bool {
	enemy := p.enemy().commander
	return inAttackRange[from-enemy] || inAttackRange[to-enemy] || p.own().n <= 3
}

// airInRange reports whether an air force that air defense can stop has a square of side us
// in range.
func (p *Position) airInRange(us, sq uint8) bool {
	for candidates := attackRange[sq].And(p.sides[us&1^1].occupied); !candidates.Empty(); {
		from := candidates.pop()
		code := p.cells[from] & 511
		if attackSlots[landTarget][code][bitBetween[from-sq]&63]&7&facts[code].plainAir != 0 {
			return true
		}
	}
	return false
}

// missesEvasions reports that a step cannot end an attack that air defense does not stop:
// it neither moves nor joins the commander and goes to no evasion square. In a session a
// later step may still help, so findEvasions finds none there.
func (p *Position) missesEvasions(from, to uint8, th *threats) bool {
	own := p.own().commander
	return th.groundAttack && from != own && to != own && !th.evasions.has(to)
}

// findEvasions sets groundAttack and evasions for side us, if its commander is attacked at
// the start of a turn.
func (p *Position) findEvasions(th *threats, us uint8) {
	sq := p.sides[us&1].commander
	if sq == noSquare || p.sides[us&1].attacked != groundAttack || p.session.open() {
		return
	}
	th.groundAttack = true
	th.evasions = Valid
	var attackers attackerList
	p.attackersOn(us, sq, &attackers)
	for _, a := range attackers.list[:attackers.n] {
		code := p.cells[a.sq] & 511
		ground := a.slots &^ facts[code].plainAir
		if ground == 0 {
			continue // a change of air defense may stop it
		}
		// Only a capture of the attacker ends its attack, or a stack in between if no
		// attacking member attacks over it. (A plain air force flies over it, but new air
		// defense may stop that.)
		bit := bitBetween[a.sq-sq] & 63
		ends := squareBoards[a.sq]
		if over := attackSlots[p.targetKind(sq)&1][code][bit] >> 3; ground&over == 0 {
			for bit&7 != 0 {
				bit--
				ends.add(sq + steps[bit])
			}
		}
		th.evasions = th.evasions.And(ends)
	}
}

// commanderStepLegal decides about a step of the commander, with its whole stack or out of
// it, by the attacks on the new square alone. known is false if they do not decide it.
func (p *Position) commanderStepLegal(m engine.Move, th *threats) (legal, known bool) {
	us := p.turn & 1
	from, to, mover := fromOf(m), toOf(m), moverOf(m)
	if from != p.own().commander || p.changesMoreThanSquare(m, th) {
		return false, false
	}
	s, occupied := p.cells[from], p.occupied()
	behind := cotulenh.Empty
	if mover >= deploy {
		slot := mover - deploy
		behind = kept[s&511][^(1<<slot)&7]
		if cotulenh.Type(facts[s&511].kinds[slot&3]>>1) != cotulenh.Commander || !remnantFits(behind, from) {
			return false, false
		}
	}
	if behind == cotulenh.Empty {
		occupied = occupied.AndNot(squareBoards[from])
	}
	kind := landTarget
	if effectOf(m) == cotulenh.Join {
		kind = p.targetKind(to) // a navy keeps the lead
	}
	found := p.attackOn(us, to, kind, occupied)
	faces := p.wouldFace(us, to, occupied)
	switch {
	case found == noAttack && !faces:
		return true, true
	case mover >= deploy:
		return false, false // a later step of the session may help
	}
	return false, faces || found == groundAttack
}

// changesMoreThanSquare reports whether a step of the commander's stack may change attacks
// on it by more than its new square: own air defense or a promotion.
func (p *Position) changesMoreThanSquare(m engine.Move, th *threats) bool {
	from, to, e := fromOf(m), toOf(m), effectOf(m)
	return facts[p.cells[from]&511].level != 0 || e == cotulenh.Stay || e == cotulenh.Suicide ||
		th.promotionPending || th.fewEnemies && e == cotulenh.Capture || p.mayPromote(from, to) && p.airInRange(p.turn&1, to)
}
