package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

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
