package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

// attackingSlots returns the slots of the enemy stack on from that attack sq, a
// square of side us. stoppable reports whether air defense could stop all of them.
func (p *Position) attackingSlots(us, from, sq uint8, kind int) (slots uint8, stoppable bool) {
	r := &relations[from-sq]
	code := p.cells[from]
	e := attackSlots[kind][code&511][r.index()]
	if e == 0 {
		return 0, false
	}
	if e&7 != e>>3 && !p.clearBetween(sq, r.dir, r.dist) {
		e >>= 3
	}
	slots = e & 7
	plain := slots & infos[code&511].plainAir
	if plain != 0 {
		if p.zones[us].fly(from, -r.dir, int(r.dist)) == destroyed {
			slots &^= plain
		} else if slots == plain {
			return slots, true
		}
	}
	return slots, false
}

// attackOn returns the attack on a square of side us. It stops at the first attacker
// that air defense cannot stop.
func (p *Position) attackOn(us, sq uint8, kind int) attack {
	found := noAttack
	near, them := &attackRange[sq], &p.occ[us^1]
	for w := range 3 {
		for set := near[w] & them[w]; set != 0; set &= set - 1 {
			from := uint8(w<<6 | bits.TrailingZeros64(set))
			slots, stoppable := p.attackingSlots(us, from, sq, kind)
			if slots == 0 {
				continue
			}
			if !stoppable {
				return groundAttack
			}
			found = airAttack
		}
	}
	return found
}

// attackerList lists attackers: squares with the slots that attack.
type attackerList struct {
	list [8 * maxAttack]struct{ sq, slots uint8 } // the most squares an attack range has
	n    int
}

// attackersOn is attackOn with the list of all attackers.
func (p *Position) attackersOn(us, sq uint8, attackers *attackerList) attack {
	found := noAttack
	kind := targetKind(p.cells[sq])
	near, them := &attackRange[sq], &p.occ[us^1]
	attackers.n = 0
	for w := range 3 {
		for set := near[w] & them[w]; set != 0; set &= set - 1 {
			from := uint8(w<<6 | bits.TrailingZeros64(set))
			slots, stoppable := p.attackingSlots(us, from, sq, kind)
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
	}
	return found
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

// commanderAttack returns the attack on a side's commander and keeps the answer. A
// missing commander counts as attacked.
func (p *Position) commanderAttack(us uint8) attack {
	if known := p.sides[us&1].attacked; known != attackUnknown {
		return known
	}
	return p.findCommanderAttack(us)
}

// findCommanderAttack is commanderAttack if the answer is not known.
func (p *Position) findCommanderAttack(us uint8) attack {
	a := &p.sides[us&1]
	if a.commander == NoSquare {
		return groundAttack
	}
	a.attacked = p.attackOn(us&1, a.commander, targetKind(p.cells[a.commander]))
	return a.attacked
}

// Attacked reports whether a side's commander is attacked or missing, without what is known
// of it from earlier positions. It measures the attack test.
func (p *Position) Attacked(side engine.Side) bool {
	p.sides[side&1].attacked = attackUnknown
	return p.commanderAttack(uint8(side)) != noAttack
}

// Check reports whether the side to move has its commander attacked or missing.
func (p *Position) Check() bool { return p.commanderAttack(p.turn) != noAttack }

// danger reports whether side us may not end its turn here: its commander is
// missing, attacked or faces the other commander.
func (p *Position) danger(us uint8) bool {
	return p.commanderAttack(us) != noAttack || p.commandersFace()
}

// Two commanders face each other if they share a rank or file and nothing stands
// between them. Neither side may end its turn like that.

// commandersFace reports whether the commanders face each other.
func (p *Position) commandersFace() bool {
	own := p.sides[0].commander
	return own != NoSquare && p.wouldFace(0, own)
}

// wouldFace reports whether a commander of side us on sq would face the other one.
func (p *Position) wouldFace(us, sq uint8) bool {
	enemy := p.sides[us&1^1].commander
	if enemy == NoSquare || enemy == sq || !sameLine(sq, enemy) {
		return false
	}
	dir := lineDir(sq, enemy)
	for sq += dir; sq != enemy; sq += dir {
		if p.cells[sq] != Empty {
			return false
		}
	}
	return true
}

// exposed reports whether the empty square sq is exposed to the enemy commander, so
// that the own commander on from may not enter or cross it. The enemy commander
// exposes two rays, each up to the first stack: one along its file, towards the rank of
// from, or south if it is the same rank; one along its rank, towards the file of from, or
// none if it is the same file. The commander on from does not end a ray.
func (p *Position) exposed(from, sq uint8) bool {
	e := p.sides[p.turn&1^1].commander
	return sameLine(sq, e) && e != NoSquare && p.exposedOnLine(from, sq, e)
}

// exposedOnLine is exposed for a square on the rank or file of the enemy commander on e.
func (p *Position) exposedOnLine(from, sq, e uint8) bool {
	switch (sq ^ e) & 0x0F {
	case 0:
		if (sq > e) != (from>>4 >= e>>4) {
			return false
		}
	default:
		if f, g := from&15, e&15; f == g || (sq < e) != (f < g) {
			return false
		}
	}
	dir := lineDir(e, sq)
	for e += dir; e != sq; e += dir {
		if e != from && p.cells[e] != Empty {
			return false
		}
	}
	return true
}

// pathExposed reports whether one of the first n squares in a direction is exposed.
func (p *Position) pathExposed(from, dir, n uint8) bool {
	sq := from
	for range n {
		sq += dir
		if p.exposed(from, sq) {
			return true
		}
	}
	return false
}
