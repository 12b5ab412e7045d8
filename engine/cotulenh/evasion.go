package cotulenh

import "selfplay/engine"

// missesEvasions reports that a step cannot end an attack that air defense does not
// stop: it neither moves nor joins the commander and goes to no evasion square. In a
// session with several members left a later step may still help, so findEvasions finds
// none there.
func (p *Position) missesEvasions(from, to uint8, th *threats) bool {
	own := &p.sides[p.turn&1]
	return th.groundAttack && from != own.commander && to != own.commander && !th.evasions.has(to)
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
	kind := p.targetKind(sq)
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

// loneCommanders holds the codes of the commanders without cargo that are not heroic.
var loneCommanders = [2]Stack{codeOf(0, 1<<Commander, 0), codeOf(1, 1<<Commander, 0)}

// appendCommanderSteps appends the legal ones of the quiet steps of a commander that
// stands alone. The list may follow dst in the same array.
func (p *Position) appendCommanderSteps(dst, list []engine.Move, th *threats) []engine.Move {
	us := p.turn & 1
	from, enemy := p.sides[us].commander, p.sides[us^1].commander
	s := p.cells[from]
	mayPromote := inAttackRange[from-enemy] || p.sides[us].n <= 3
	for _, m := range list {
		to := toOf(m)
		if th.promotionPending || (mayPromote || inAttackRange[to-enemy]) && p.airInRange(us, to) {
			if p.playLegal(m) {
				dst = append(dst, m)
			}
			continue
		}
		p.cells[from] = Empty
		safe := !p.wouldFace(us, to) && p.attackOn(us, to, landTarget) == noAttack
		p.cells[from] = s
		if safe {
			dst = append(dst, m)
		}
	}
	return dst
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
		behind = kept[s&511][^(1<<slot)&7]
		if Type(infos[s&511].kinds[slot&3]>>1) != Commander || !remnantFits(behind, from) {
			return false, false
		}
	}
	kind := landTarget
	if effectOf(m) == Join {
		kind = p.targetKind(to) // a navy keeps the lead
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
