package cotulenh

import "selfplay/engine"

// Each generator follows the run of targets of one mover, ray by ray. base holds the
// square and the mover of the steps, leads the row of joinLeads for what moves.

// generateGround serves the pieces that the first piece on a ray stops: infantry,
// tank, militia, engineer, anti-air and headquarter.
func (p *Position) generateGround(quiet, noisy []engine.Move, run []target, base engine.Move, leads *[64]Type) ([]engine.Move, []engine.Move) {
	us, from := p.turn, fromOf(base)
	blocked := false
	for _, t := range run {
		if t.dist == 1 {
			blocked = false
		} else if blocked {
			continue
		}
		to := from + t.offset
		q := p.cells[to]
		if q == Empty {
			if t.flags&canMove != 0 {
				quiet = append(quiet, quietStep(base, to))
			}
			continue
		}
		blocked = true
		if in := &infos[q&511]; in.side != us {
			if t.flags&canCapture != 0 {
				noisy = append(noisy, noisyStep(base, to, captureOrStay(t.flags)))
			}
		} else if t.flags&canJoin != 0 && leads[in.composition&63] != noLead {
			noisy = append(noisy, noisyStep(base, to, join))
		}
	}
	return quiet, noisy
}

// generateRanged serves artillery, missile and navy, which capture over any piece. Any
// piece blocks moves and joins of artillery and missile; only a navy lead blocks those
// of a navy.
func (p *Position) generateRanged(quiet, noisy []engine.Move, run []target, base engine.Move, leads *[64]Type, navy bool) ([]engine.Move, []engine.Move) {
	us, from := p.turn, fromOf(base)
	blocked := false
	for _, t := range run {
		if t.dist == 1 {
			blocked = false
		}
		to := from + t.offset
		q := p.cells[to]
		if q == Empty {
			if t.flags&canMove != 0 && !blocked {
				quiet = append(quiet, quietStep(base, to))
			}
			continue
		}
		in := &infos[q&511]
		if in.side != us {
			if t.flags&canCapture != 0 || t.flags&canCaptureNavy != 0 && in.lead == Navy {
				noisy = append(noisy, noisyStep(base, to, captureOrStay(t.flags)))
			}
		} else if t.flags&canJoin != 0 && !blocked && fits[leads[in.composition&63]&15][to] {
			noisy = append(noisy, noisyStep(base, to, join))
		}
		blocked = blocked || !navy || in.lead == Navy
	}
	return quiet, noisy
}

// generateAir serves the air force, which only air defense stops.
func (p *Position) generateAir(quiet, noisy []engine.Move, run []target, base engine.Move, leads *[64]Type, heroic bool) ([]engine.Move, []engine.Move) {
	us, from := p.turn, fromOf(base)
	zones := &p.zones[us&1^1]
	entered := uint32(0) // the zone entered on this ray, as in zoneMap.fly
	lost := false
	for _, t := range run {
		if t.dist == 1 {
			entered, lost = 0, false
		} else if lost {
			continue
		}
		to := from + t.offset
		if v := zones[to]; v != entered && !heroic {
			if entered != 0 || v >= 2*providerUnit {
				lost = true
				continue
			}
			entered = v
		}
		q := p.cells[to]
		if q == Empty {
			if t.flags&canMove != 0 && entered == 0 {
				quiet = append(quiet, quietStep(base, to))
			}
			continue
		}
		in := &infos[q&511]
		switch {
		case in.side == us:
			if t.flags&canJoin != 0 && fits[leads[in.composition&63]&15][to] {
				noisy = append(noisy, noisyStep(base, to, join))
			}
		case entered != 0:
			noisy = append(noisy, noisyStep(base, to, suicide))
		case t.flags&canStand != 0 && base>>moverShift == whole:
			noisy = append(noisy, noisyStep(base, to, capture), noisyStep(base, to, stay))
		default:
			noisy = append(noisy, noisyStep(base, to, captureOrStay(t.flags)))
		}
	}
	return quiet, noisy
}

// generateCommander serves the commander. Any piece stops it, and so does a square
// that is exposed to the enemy commander.
func (p *Position) generateCommander(quiet, noisy []engine.Move, run []target, base engine.Move, leads *[64]Type) ([]engine.Move, []engine.Move) {
	us, from := p.turn, fromOf(base)
	blocked := false
	for _, t := range run {
		if t.dist == 1 {
			blocked = false
		} else if blocked {
			continue
		}
		to := from + t.offset
		q := p.cells[to]
		if q == Empty {
			if p.exposed(from, to) {
				blocked = true
			} else if t.flags&canMove != 0 {
				quiet = append(quiet, quietStep(base, to))
			}
			continue
		}
		blocked = true
		if in := &infos[q&511]; in.side != us {
			if t.flags&canCapture != 0 && !(in.lead == Commander && relations[t.dir].diagonal != 0) {
				noisy = append(noisy, noisyStep(base, to, captureOrStay(t.flags)))
			}
		} else if t.flags&canJoin != 0 && fits[leads[in.composition&63]&15][to] {
			noisy = append(noisy, noisyStep(base, to, join))
		}
	}
	return quiet, noisy
}
