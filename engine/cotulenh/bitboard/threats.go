package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

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
