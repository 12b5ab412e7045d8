package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// targetKind returns navyTarget or landTarget for what stands on a square.
func (p *Position) targetKind(sq uint8) int {
	if s := p.cells[sq]; s != cotulenh.Empty && facts[s&511].lead == cotulenh.Navy {
		return navyTarget
	}
	return landTarget
}

// attackedSquare is a square whose attackers are looked for.
type attackedSquare struct {
	us, sq   uint8
	kind     int
	occupied Board // what blocks attacks
}

// sees reports whether nothing stands between the square and the one of the given bit. That
// is at most two squares: what attacks from farther away attacks over pieces. So it tests
// them one by one; gathering all rays takes three times as long.
func (a *attackedSquare) sees(bit uint8) bool {
	for bit&7 != 0 {
		bit--
		if a.occupied.has(a.sq + steps[bit&63]) {
			return false
		}
	}
	return true
}

// attackingSlots returns the slots of the enemy stack on from that attack. stoppable
// reports whether air defense could stop all of them.
func (p *Position) attackingSlots(a *attackedSquare, from uint8) (slots uint8, stoppable bool) {
	bit, code := bitBetween[from-a.sq]&63, p.cells[from]&511
	e := attackSlots[a.kind&1][code][bit]
	if e == 0 {
		return 0, false
	}
	if e&7 != e>>3 && bit&7 != 0 && !a.sees(bit) {
		e >>= 3
	}
	slots = e & 7
	if plain := slots & facts[code].plainAir; plain != 0 {
		if p.shotDown(a.us, from, a.sq) {
			slots &^= plain
		} else if slots == plain {
			return slots, true
		}
	}
	return slots, false
}

// shotDown reports whether air defense of side us destroys an enemy air force on its way
// from a square to a square of us on one of its rays. A suicide capture is an attack.
func (p *Position) shotDown(us, from, to uint8) bool {
	safe, suicide := p.flights(us^1, from)
	return (safe|suicide)>>(bitBetween[to-from]&63)&1 == 0
}

// attackOn returns the attack on a square of side us, if the given squares are occupied. It
// stops at the first attacker that air defense cannot stop.
func (p *Position) attackOn(us, sq uint8, kind int, occupied Board) attack {
	found := noAttack
	candidates := attackRange[sq].And(p.sides[us&1^1].occupied)
	if candidates.Empty() {
		return found
	}
	a := attackedSquare{us: us, sq: sq, kind: kind, occupied: occupied}
	for !candidates.Empty() {
		slots, stoppable := p.attackingSlots(&a, candidates.pop())
		if slots == 0 {
			continue
		}
		if !stoppable {
			return groundAttack
		}
		found = airAttack
	}
	return found
}

// attackerList lists attackers: squares with the slots that attack.
type attackerList struct {
	list [8 * maxDistance]struct{ sq, slots uint8 }
	n    int
}

// attackersOn is attackOn with the list of all attackers.
func (p *Position) attackersOn(us, sq uint8, attackers *attackerList) attack {
	found := noAttack
	attackers.n = 0
	candidates := attackRange[sq].And(p.sides[us&1^1].occupied)
	if candidates.Empty() {
		return found
	}
	a := attackedSquare{us: us, sq: sq, kind: p.targetKind(sq), occupied: p.occupied()}
	for !candidates.Empty() {
		from := candidates.pop()
		slots, stoppable := p.attackingSlots(&a, from)
		if slots == 0 {
			continue
		}
		attackers.list[attackers.n].sq, attackers.list[attackers.n].slots = from, slots
		attackers.n++
		if !stoppable {
			found = groundAttack
		} else if found == noAttack {
			found = airAttack
		}
	}
	return found
}

// commanderAttack returns the attack on a side's commander and keeps the answer. A missing
// commander counts as attacked.
func (p *Position) commanderAttack(us uint8) attack {
	s := &p.sides[us&1]
	if s.attacked == attackUnknown {
		if s.commander == noSquare {
			return groundAttack
		}
		s.attacked = p.attackOn(us&1, s.commander, p.targetKind(s.commander), p.occupied())
	}
	return s.attacked
}

// danger reports whether side us may not end its turn here: its commander is missing,
// attacked or faces the other commander.
func (p *Position) danger(us uint8) bool {
	return p.commanderAttack(us) != noAttack || p.commandersFace()
}

// Check reports whether the side to move has its commander attacked or missing.
func (p *Position) Check() bool { return p.commanderAttack(p.turn) != noAttack }

// Attacked reports whether a side's commander is attacked or missing, without what is known
// of it from earlier positions. It measures the attack test.
func (p *Position) Attacked(side engine.Side) bool {
	p.sides[side&1].attacked = attackUnknown
	return p.commanderAttack(uint8(side)) != noAttack
}
