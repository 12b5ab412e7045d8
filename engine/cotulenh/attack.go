package cotulenh

import "math/bits"

// The attack test is not move generation: it knows no terrain, lets a missile
// reach its full range diagonally, and asks every member of a stack, cargo too.

// reaches tells which members of a stack attack a square. The index is the code,
// then link.diagonal<<3 | link.n. Bits 0-2 are the slots that attack when nothing
// stands between, bits 3-5 those that attack all the same; [0] is for a target
// that a ship leads, [1] for any other, which ships attack from one step less.
var reaches = func() (table [2][512][16]uint8) {
	for land := range table {
		for code := Stack(1); code < NumStacks; code++ {
			for slot, m := range code.Members() {
				r := reachOf(m.Type, m.Heroic)
				if m.Type == Headquarter && !m.Heroic {
					continue
				}
				if m.Type == Navy && land == 1 {
					r.capture--
				}
				for diagonal := range 2 {
					if diagonal == 1 && !r.diagonal {
						continue
					}
					for n := 1; n <= r.capture; n++ {
						e := &table[land][code][diagonal<<3|n]
						*e |= 1 << slot
						switch m.Type {
						case Artillery, Missile, Navy, AirForce:
							*e |= 8 << slot
						}
					}
				}
			}
		}
	}
	return table
}()

// clearBetween reports whether nothing stands on the n-1 squares after from.
func (p *Position) clearBetween(from, dir, n uint8) bool {
	for n--; n > 0; n-- {
		from += dir
		if p.cells[from] != Empty {
			return false
		}
	}
	return true
}

// landTarget is the index of reaches for what stands on a square.
func (p *Position) landTarget(sq uint8) int {
	if s := p.cells[sq]; s != Empty && infos[s&511].lead == Navy {
		return 0
	}
	return 1
}

// attackersAt returns the slots of the stack on from that attack sq, whose link
// is l, and whether air defense of side us could stop all of them.
func (p *Position) attackersAt(us, from, sq uint8, land int) (slots uint8, byAir bool) {
	l := &link[from-sq]
	code := p.cells[from]
	e := reaches[land][code&511][l.diagonal<<3|l.n]
	if e == 0 {
		return 0, false
	}
	if e&7 != e>>3 && !p.clearBetween(sq, l.dir, l.n) {
		e >>= 3
	}
	slots = e & 7
	plain := slots & infos[code&511].plainAir
	if plain != 0 {
		if p.zones[us].fly(from, -l.dir, int(l.n)) == destroyed {
			slots &^= plain
		} else if slots == plain {
			return slots, true
		}
	}
	return slots, false
}

// hits is a list of attackers: squares with the slots that attack.
type hits struct {
	list [40]struct{ sq, slots uint8 } // a star has at most 40 squares
	n    int
}

// attackOn finds out who attacks a square of side us; land as in landTarget.
func (p *Position) attackOn(us, sq uint8, land int) attack {
	found := unharmed
	star, them := &stars[sq], &p.occ[us^1]
	for w := range 3 {
		for set := star[w] & them[w]; set != 0; set &= set - 1 {
			from := uint8(w<<6 | bits.TrailingZeros64(set))
			slots, byAir := p.attackersAt(us, from, sq, land)
			if slots == 0 {
				continue
			}
			if !byAir {
				return byGround
			}
			found = byAirOnly
		}
	}
	return found
}

// attackersOn is attackOn with the list of all attackers.
func (p *Position) attackersOn(us, sq uint8, h *hits) attack {
	found := unharmed
	land := p.landTarget(sq)
	star, them := &stars[sq], &p.occ[us^1]
	h.n = 0
	for w := range 3 {
		for set := star[w] & them[w]; set != 0; set &= set - 1 {
			from := uint8(w<<6 | bits.TrailingZeros64(set))
			slots, byAir := p.attackersAt(us, from, sq, land)
			if slots == 0 {
				continue
			}
			h.list[h.n].sq, h.list[h.n].slots = from, slots
			h.n++
			if !byAir {
				found = byGround
			} else if found == unharmed {
				found = byAirOnly
			}
		}
	}
	return found
}

// attackedNow brings what is known of attacks on a side's commander up to date.
// A side without a commander counts as attacked.
func (p *Position) attackedNow(us uint8) attack {
	a := &p.sides[us&1]
	if a.attacked == unknown {
		if a.commander == noSquare {
			return byGround
		}
		a.attacked = p.attackOn(us&1, a.commander, p.landTarget(a.commander))
	}
	return a.attacked
}

// facing reports whether the commanders see each other along a rank or file with
// nothing between: neither side may leave it so.
func (p *Position) facing() bool {
	own := p.sides[0].commander
	return own != noSquare && p.faces(0, own)
}

// faces reports whether a commander of side us on sq would face the other one.
func (p *Position) faces(us, sq uint8) bool {
	enemy := p.sides[us&1^1].commander
	if d := sq ^ enemy; d&0x0F != 0 && d&0xF0 != 0 || enemy == noSquare || d == 0 {
		return false
	}
	return p.seesAlong(sq, enemy)
}

// seesAlong reports whether nothing stands between two squares of one rank or
// file.
func (p *Position) seesAlong(a, b uint8) bool {
	dir := lineDir(a, b)
	for sq := a + dir; sq != b; sq += dir {
		if p.cells[sq] != Empty {
			return false
		}
	}
	return true
}

// lineDir returns the direction from a to b on one rank or file.
func lineDir(a, b uint8) uint8 {
	step := uint8(16)
	if (a^b)&0xF0 == 0 {
		step = 1
	}
	if b < a {
		return -step
	}
	return step
}

// danger reports whether side us may not leave the position so: its commander is
// gone, attacked, or faces the other one.
func (p *Position) danger(us uint8) bool {
	return p.attackedNow(us) != unharmed || p.facing()
}

// Check reports whether the side to move has its commander attacked, or none.
func (p *Position) Check() bool { return p.attackedNow(p.turn) != unharmed }
