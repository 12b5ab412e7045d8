package cotulenh

import "math/bits"

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
