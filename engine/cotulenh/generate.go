package cotulenh

import "selfplay/engine"

// The generators walk the targets of one mover and append what it may do: quiet
// steps go to an empty square, sharp ones capture or join. The two are kept apart
// because a quiet step of most stacks is legal without another look.

// generate appends the steps of one mover: moved is what leaves from, led by a
// piece of this kind; what is its part of the step.
func (p *Position) generate(quiet, sharp []engine.Move, from, kind uint8, moved Stack, what engine.Move) ([]engine.Move, []engine.Move) {
	at := spans[kind&31][from]
	run := targets[at.first:][:at.count]
	base := engine.Move(from) | what<<whatShift
	leads := &sums[infos[moved&511].group&63] // of what the mover forms with others
	switch Type(kind >> 1) {
	case Commander:
		return p.generateCommander(quiet, sharp, run, base, leads)
	case AirForce:
		return p.generateAir(quiet, sharp, run, base, leads, kind&heroicBit != 0)
	case Navy:
		return p.generateNavy(quiet, sharp, run, base, leads)
	case Artillery, Missile:
		return p.generateShooter(quiet, sharp, run, base, leads)
	}
	return p.generateWalker(quiet, sharp, run, base, leads)
}

// generateAll appends quiet and sharp steps to one list.
func (p *Position) generateAll(dst []engine.Move, from, kind uint8, moved Stack, what engine.Move) []engine.Move {
	quiet, sharp := p.generate(dst, p.mixed[:0], from, kind, moved, what)
	p.mixed = sharp
	return append(quiet, sharp...)
}

// pseudoLegalFrom appends the steps of the stack on one square, whatever becomes
// of the own commander.
func (p *Position) pseudoLegalFrom(dst []engine.Move, from uint8) []engine.Move {
	s := p.cells[from]
	in := &infos[s&511]
	if in.size > 1 {
		for slot := range in.size {
			dst = p.generateAll(dst, from, in.kinds[slot&3], kept[s&511][1<<slot&7], engine.Move(deploy+slot))
		}
	}
	return p.generateAll(dst, from, in.kinds[0], s, whole)
}

// sharpStep completes a capture or a join. A whole stack that captures and stays
// is a what of its own.
func sharpStep(base engine.Move, to uint8, e effect) engine.Move {
	if e == stay && base>>whatShift == whole {
		base |= wholeStay << whatShift
	}
	return base | engine.Move(to)<<8 | engine.Move(e)<<effectShift
}

func quietStep(base engine.Move, to uint8) engine.Move { return base | engine.Move(to)<<8 }

// take is the effect of a capture that the ground decides.
func take(flags uint8) effect {
	if flags&canStand != 0 {
		return capture
	}
	return stay
}

// generateWalker is for the pieces that anything stops: infantry, tank, militia,
// engineer, anti-air, headquarter.
func (p *Position) generateWalker(quiet, sharp []engine.Move, run []target, base engine.Move, leads *[64]Type) ([]engine.Move, []engine.Move) {
	us, from := p.turn, fromOf(base)
	stopped := false
	for _, t := range run {
		if t.n == 1 {
			stopped = false
		} else if stopped {
			continue
		}
		to := from + t.jump
		q := p.cells[to]
		if q == Empty {
			if t.flags&canMove != 0 {
				quiet = append(quiet, quietStep(base, to))
			}
			continue
		}
		stopped = true
		if in := &infos[q&511]; in.side != us {
			if t.flags&canTake != 0 {
				sharp = append(sharp, sharpStep(base, to, take(t.flags)))
			}
		} else if t.flags&canJoin != 0 && leads[in.group&63] != noLead {
			sharp = append(sharp, sharpStep(base, to, join))
		}
	}
	return quiet, sharp
}

// generateShooter is for artillery and missile, which shoot over everything.
func (p *Position) generateShooter(quiet, sharp []engine.Move, run []target, base engine.Move, leads *[64]Type) ([]engine.Move, []engine.Move) {
	us, from := p.turn, fromOf(base)
	stopped := false
	for _, t := range run {
		if t.n == 1 {
			stopped = false
		}
		to := from + t.jump
		q := p.cells[to]
		if q == Empty {
			if t.flags&canMove != 0 && !stopped {
				quiet = append(quiet, quietStep(base, to))
			}
			continue
		}
		if in := &infos[q&511]; in.side != us {
			if t.flags&canTake != 0 {
				sharp = append(sharp, sharpStep(base, to, take(t.flags)))
			}
		} else if t.flags&canJoin != 0 && !stopped && leads[in.group&63] != noLead {
			sharp = append(sharp, sharpStep(base, to, join))
		}
		stopped = true
	}
	return quiet, sharp
}

// generateNavy is for ships: only ships stop them, they shoot over everything,
// and one step farther at ships.
func (p *Position) generateNavy(quiet, sharp []engine.Move, run []target, base engine.Move, leads *[64]Type) ([]engine.Move, []engine.Move) {
	us, from := p.turn, fromOf(base)
	stopped := false
	for _, t := range run {
		if t.n == 1 {
			stopped = false
		}
		to := from + t.jump
		q := p.cells[to]
		if q == Empty {
			if t.flags&canMove != 0 && !stopped {
				quiet = append(quiet, quietStep(base, to))
			}
			continue
		}
		in := &infos[q&511]
		if in.side != us {
			if t.flags&canTake != 0 || t.flags&canTakeN != 0 && in.lead == Navy {
				sharp = append(sharp, sharpStep(base, to, take(t.flags)))
			}
		} else if t.flags&canJoin != 0 && !stopped && fits[leads[in.group&63]&15][to] {
			sharp = append(sharp, sharpStep(base, to, join))
		}
		stopped = stopped || in.lead == Navy
	}
	return quiet, sharp
}

// generateAir is for the air force, which only air defense stops.
func (p *Position) generateAir(quiet, sharp []engine.Move, run []target, base engine.Move, leads *[64]Type, hero bool) ([]engine.Move, []engine.Move) {
	us, from := p.turn, fromOf(base)
	zones := &p.zones[us&1^1]
	seen := uint32(0) // the zone flown into, as in zoneMap.fly
	lost := false
	for _, t := range run {
		if t.n == 1 {
			seen, lost = 0, false
		} else if lost {
			continue
		}
		to := from + t.jump
		if v := zones[to]; v != seen && !hero {
			if seen != 0 || v >= 2*zoneCount {
				lost = true
				continue
			}
			seen = v
		}
		q := p.cells[to]
		if q == Empty {
			if t.flags&canMove != 0 && seen == 0 {
				quiet = append(quiet, quietStep(base, to))
			}
			continue
		}
		in := &infos[q&511]
		switch {
		case in.side == us:
			if t.flags&canJoin != 0 && fits[leads[in.group&63]&15][to] {
				sharp = append(sharp, sharpStep(base, to, join))
			}
		case seen != 0:
			sharp = append(sharp, sharpStep(base, to, suicide))
		case t.flags&canStand != 0 && base>>whatShift == whole:
			sharp = append(sharp, sharpStep(base, to, capture), sharpStep(base, to, stay))
		default:
			sharp = append(sharp, sharpStep(base, to, take(t.flags)))
		}
	}
	return quiet, sharp
}

// generateCommander is for the commander, which anything stops, and which may not
// enter or cross the lines of the other commander.
func (p *Position) generateCommander(quiet, sharp []engine.Move, run []target, base engine.Move, leads *[64]Type) ([]engine.Move, []engine.Move) {
	us, from := p.turn, fromOf(base)
	stopped := false
	for _, t := range run {
		if t.n == 1 {
			stopped = false
		} else if stopped {
			continue
		}
		to := from + t.jump
		q := p.cells[to]
		if q == Empty {
			if p.barred(from, to) {
				stopped = true
			} else if t.flags&canMove != 0 {
				quiet = append(quiet, quietStep(base, to))
			}
			continue
		}
		stopped = true
		if in := &infos[q&511]; in.side != us {
			if t.flags&canTake != 0 && !(in.lead == Commander && link[t.dir].diagonal != 0) {
				sharp = append(sharp, sharpStep(base, to, take(t.flags)))
			}
		} else if t.flags&canJoin != 0 && fits[leads[in.group&63]&15][to] {
			sharp = append(sharp, sharpStep(base, to, join))
		}
	}
	return quiet, sharp
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
