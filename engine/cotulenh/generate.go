package cotulenh

import "selfplay/engine"

// pseudoLegal appends every step that the movement rules give, whatever becomes
// of the own commander.
func (p *Position) pseudoLegal(dst []engine.Move) []engine.Move {
	a := &p.sides[p.turn&1]
	for _, from := range a.list[:a.n] {
		dst = p.pseudoLegalFrom(dst, from)
	}
	return dst
}

// pseudoLegalFrom appends the steps of the stack on one square: first each member
// alone, then the whole stack behind its lead.
func (p *Position) pseudoLegalFrom(dst []engine.Move, from uint8) []engine.Move {
	s := p.cells[from]
	in := &infos[s&511]
	if in.size > 1 {
		for slot := range in.size {
			dst = p.generate(dst, from, in.kinds[slot&3%3], kept[s&511][1<<slot&7], engine.Move(deploy+slot))
		}
	}
	return p.generate(dst, from, in.kinds[0], s, whole)
}

// generate appends the steps of one mover: moved is what leaves from, led by a
// piece of this kind.
func (p *Position) generate(dst []engine.Move, from, kind uint8, moved Stack, what engine.Move) []engine.Move {
	s := spans[kind&31][from]
	run := targets[s.first:][:s.count]
	base := engine.Move(from) | what<<whatShift
	switch Type(kind >> 1) {
	case Commander:
		return p.generateCommander(dst, run, base, moved)
	case AirForce:
		return p.generateAir(dst, run, base, moved, kind)
	case Navy:
		return p.generateNavy(dst, run, base, moved)
	case Artillery, Missile:
		return p.generateShooter(dst, run, base, moved)
	}
	return p.generateWalker(dst, run, base, moved)
}

// addStep completes a step; a whole stack that captures and stays is another What.
func addStep(dst []engine.Move, base engine.Move, to uint8, e effect) []engine.Move {
	if e == stay && base>>whatShift == whole {
		base |= wholeStay << whatShift
	}
	return append(dst, base|engine.Move(to)<<8|engine.Move(e)<<effectShift)
}

// take is the effect of a capture that the ground decides.
func take(flags uint8) effect {
	if flags&canStand != 0 {
		return capture
	}
	return stay
}

// generateWalker is for the pieces that anything stops: infantry, tank, militia,
// engineer, anti-air, headquarter.
func (p *Position) generateWalker(dst []engine.Move, run []target, base engine.Move, moved Stack) []engine.Move {
	us := p.turn
	stopped := false
	for _, t := range run {
		if t.n == 1 {
			stopped = false
		} else if stopped {
			continue
		}
		q := p.cells[t.to]
		if q == Empty {
			if t.flags&canMove != 0 {
				dst = append(dst, base|engine.Move(t.to)<<8)
			}
			continue
		}
		stopped = true
		if infos[q&511].side != us {
			if t.flags&canTake != 0 {
				dst = addStep(dst, base, t.to, take(t.flags))
			}
		} else if t.flags&canJoin != 0 && combine(moved, q) != Empty {
			dst = addStep(dst, base, t.to, join)
		}
	}
	return dst
}

// generateShooter is for artillery and missile, which shoot over everything.
func (p *Position) generateShooter(dst []engine.Move, run []target, base engine.Move, moved Stack) []engine.Move {
	us := p.turn
	stopped := false
	for _, t := range run {
		if t.n == 1 {
			stopped = false
		}
		q := p.cells[t.to]
		if q == Empty {
			if t.flags&canMove != 0 && !stopped {
				dst = append(dst, base|engine.Move(t.to)<<8)
			}
			continue
		}
		if infos[q&511].side != us {
			if t.flags&canTake != 0 {
				dst = addStep(dst, base, t.to, take(t.flags))
			}
		} else if t.flags&canJoin != 0 && !stopped && combine(moved, q) != Empty {
			dst = addStep(dst, base, t.to, join)
		}
		stopped = true
	}
	return dst
}

// generateNavy is for ships: only ships stop them, they shoot over everything,
// and one step farther at ships.
func (p *Position) generateNavy(dst []engine.Move, run []target, base engine.Move, moved Stack) []engine.Move {
	us := p.turn
	stopped := false
	for _, t := range run {
		if t.n == 1 {
			stopped = false
		}
		q := p.cells[t.to]
		if q == Empty {
			if t.flags&canMove != 0 && !stopped {
				dst = append(dst, base|engine.Move(t.to)<<8)
			}
			continue
		}
		in := &infos[q&511]
		if in.side != us {
			if t.flags&canTake != 0 || t.flags&canTakeN != 0 && in.lead == Navy {
				dst = addStep(dst, base, t.to, take(t.flags))
			}
		} else if t.flags&canJoin != 0 && !stopped {
			if sum := combine(moved, q); sum != Empty && fits[infos[sum&511].lead&15][t.to] {
				dst = addStep(dst, base, t.to, join)
			}
		}
		stopped = stopped || in.lead == Navy
	}
	return dst
}

// generateAir is for the air force, which only air defense stops.
func (p *Position) generateAir(dst []engine.Move, run []target, base engine.Move, moved Stack, kind uint8) []engine.Move {
	us := p.turn
	zones := &p.zones[us^1&1]
	hero := kind&heroicBit != 0
	seen := uint32(0) // the zone flown into, as in zoneMap.fly
	lost := false
	for _, t := range run {
		if t.n == 1 {
			seen, lost = 0, hero
			lost = false
		}
		if lost {
			continue
		}
		if v := zones[t.to]; v != seen && !hero {
			if seen != 0 || v >= 2*zoneCount {
				lost = true
				continue
			}
			seen = v
		}
		q := p.cells[t.to]
		if q == Empty {
			if t.flags&canMove != 0 && seen == 0 {
				dst = append(dst, base|engine.Move(t.to)<<8)
			}
			continue
		}
		if infos[q&511].side == us {
			if sum := combine(moved, q); t.flags&canJoin != 0 && sum != Empty && fits[infos[sum&511].lead&15][t.to] {
				dst = addStep(dst, base, t.to, join)
			}
			continue
		}
		if seen != 0 {
			dst = addStep(dst, base, t.to, suicide)
			continue
		}
		dst = addStep(dst, base, t.to, take(t.flags))
		if t.flags&canStand != 0 && base>>whatShift == whole {
			dst = addStep(dst, base, t.to, stay)
		}
	}
	return dst
}

// generateCommander is for the commander, which anything stops, and which may not
// enter or cross the lines of the other commander.
func (p *Position) generateCommander(dst []engine.Move, run []target, base engine.Move, moved Stack) []engine.Move {
	us, from := p.turn, fromOf(base)
	stopped := false
	for _, t := range run {
		if t.n == 1 {
			stopped = false
		} else if stopped {
			continue
		}
		q := p.cells[t.to]
		if q == Empty {
			if p.barred(from, t.to) {
				stopped = true
			} else if t.flags&canMove != 0 {
				dst = append(dst, base|engine.Move(t.to)<<8)
			}
			continue
		}
		stopped = true
		if in := &infos[q&511]; in.side != us {
			if t.flags&canTake != 0 && !(in.lead == Commander && link[t.dir].diagonal != 0) {
				dst = addStep(dst, base, t.to, take(t.flags))
			}
		} else if t.flags&canJoin != 0 {
			if sum := combine(moved, q); sum != Empty && fits[infos[sum&511].lead&15][t.to] {
				dst = addStep(dst, base, t.to, join)
			}
		}
	}
	return dst
}

// barred reports whether the empty square sq lies on a line that the enemy
// commander holds against the commander on from. It holds two rays: along its
// file towards the other's rank (south if they share it) and along its rank
// towards the other's file (none if they share it), each up to the first stack;
// the commander on from does not end them.
func (p *Position) barred(from, sq uint8) bool {
	e := p.sides[p.turn&1^1].commander
	if e == noSquare {
		return false
	}
	switch {
	case (sq^e)&0x0F == 0:
		if (sq > e) != (from>>4 >= e>>4) {
			return false
		}
	case (sq^e)&0xF0 == 0:
		if f, g := from&15, e&15; f == g || (sq < e) != (f < g) {
			return false
		}
	default:
		return false
	}
	dir := lineDir(e, sq)
	for e += dir; e != sq; e += dir {
		if e != from && p.cells[e] != Empty {
			return false
		}
	}
	return true
}
