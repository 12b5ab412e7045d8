package cotulenh

import "math/bits"

// The attack test differs from move generation: it ignores terrain, a missile attacks
// diagonally at full range, and every member of a stack attacks, cargo too.

// What a target is decides how far a navy attacks it. It is an index of
// attackSlots.
const (
	navyTarget = 0 // a navy leads the target
	landTarget = 1 // anything else, also an empty square: one step less
)

// attackSlots holds which members of a stack attack a square. The indices are the
// kind of target, the code, and relation.index of the stack seen from the target. Bits 0-2
// are the slots that attack if nothing stands between, bits 3-5 those that attack
// over anything between.
var attackSlots = func() (table [2][512][16]uint8) {
	for kind := range table {
		for code := Stack(1); code < NumStacks; code++ {
			for slot, m := range code.Members() {
				addAttacks(&table[kind][code], slot, m, kind)
			}
		}
	}
	return table
}()

func addAttacks(table *[16]uint8, slot int, m Member, kind int) {
	if m.Type == Headquarters && !m.Heroic {
		return
	}
	r := reachOf(m.Type, m.Heroic)
	if m.Type == Navy && kind == landTarget {
		r.capture--
	}
	slots := uint8(1) << slot
	switch m.Type {
	case Artillery, Missile, Navy, AirForce:
		slots |= 8 << slot
	}
	for n := 1; n <= r.capture; n++ {
		table[n] |= slots
		if r.diagonal {
			table[8|n] |= slots
		}
	}
}

// clearBetween reports whether the first n-1 squares after from are empty.
func (p *Position) clearBetween(from, dir, n uint8) bool {
	for n--; n > 0; n-- {
		from += dir
		if p.cells[from] != Empty {
			return false
		}
	}
	return true
}

// targetKind returns navyTarget or landTarget for what stands on a square.
func (p *Position) targetKind(sq uint8) int {
	if s := p.cells[sq]; s != Empty && infos[s&511].lead == Navy {
		return navyTarget
	}
	return landTarget
}

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
	kind := p.targetKind(sq)
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
	a.attacked = p.attackOn(us&1, a.commander, p.targetKind(a.commander))
	return a.attacked
}

// danger reports whether side us may not end its turn here: its commander is
// missing, attacked or faces the other commander.
func (p *Position) danger(us uint8) bool {
	return p.commanderAttack(us) != noAttack || p.commandersFace()
}

// Check reports whether the side to move has its commander attacked or missing.
func (p *Position) Check() bool { return p.commanderAttack(p.turn) != noAttack }
