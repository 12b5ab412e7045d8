package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

// threats describes how a step could put the own commander in danger.
type threats struct {
	blockers         squareSet // own and enemy stacks that alone block an attack on the commander or the line to the enemy commander
	testAll          bool      // the commander is in danger now, or promotionPending: no step is surely legal
	fewEnemies       bool      // a capture could leave the enemy a last guard, which is promoted
	airNear          bool      // an air force that air defense can stop has the commander in range
	promotionPending bool      // any step may promote: a last guard waits, or the enemy commander is attacked already
	groundAttack     bool      // the commander is attacked, and air defense cannot stop it
	evasions         squareSet // if groundAttack: where a step must go to end it, unless it moves or joins the commander
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

// findAttackBlockers notes the stacks that alone block an attack on the commander of
// side us on sq, and air forces that have it in range.
func (p *Position) findAttackBlockers(th *threats, us, sq uint8) {
	kind := p.targetKind(sq)
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

// opensLine reports that a capture that leaves its square empty removes the only stack
// between the own commander and an attacker or the other commander. It decides nothing in
// a session, where a later step may help, and nothing about the commander's stack.
func (p *Position) opensLine(m engine.Move, th *threats) bool {
	e := effectOf(m)
	return (e == Stay || e == Suicide) && th.blockers.has(toOf(m)) &&
		fromOf(m) != p.sides[p.turn&1].commander && !p.session.open()
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
		s = kept[s&511][^(1<<slot)&7]
	}
	return remnantFits(s, from)
}

// mayPromote reports whether a step could promote members of the side to move: it may
// attack the enemy commander, uncover an attack on it, or leave a last guard. A
// promoted provider has a wider zone, which can help the enemy: an air force that was
// lost when it left the zone now stays inside.
func (p *Position) mayPromote(from, to uint8) bool {
	enemy := p.sides[p.turn&1^1].commander
	return inAttackRange[from-enemy] || inAttackRange[to-enemy] || p.sides[p.turn&1].n <= 3
}

// airInRange reports whether an air force that air defense can stop has a square of
// side us in range.
func (p *Position) airInRange(us, sq uint8) bool {
	near, them := &attackRange[sq], &p.occ[us^1]
	for w := range 3 {
		for set := near[w] & them[w]; set != 0; set &= set - 1 {
			from := uint8(w<<6 | bits.TrailingZeros64(set))
			r, code := &relations[from-sq], p.cells[from]&511
			if attackSlots[landTarget][code][r.index()]&7&infos[code].plainAir != 0 {
				return true
			}
		}
	}
	return false
}
