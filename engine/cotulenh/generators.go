package cotulenh

import (
	"selfplay/engine"
)

// These functions find the steps of one mover. near holds the stacks around its square,
// base the square and the mover of the steps, leads the row of joinLeads for what moves.

// quietTargets returns the empty squares that a mover other than a commander may enter.
func (p *Position) quietTargets(from, kind uint8, near rays) rays {
	set := kindMoves[kind&31][from]
	switch classes[kind&31] {
	case navyClass:
		return set &^ near & p.beforeNavies(from, near&set)
	case airClass:
		return set &^ near & p.safeFlights(from)
	case heroicAirClass:
		return set &^ near
	}
	return set & near.before()
}

// beforeNavies returns the squares before the first navy of each ray among some stacks.
func (p *Position) beforeNavies(from uint8, stacks rays) rays {
	navies := rays(0)
	for ; stacks != 0; stacks &= stacks - 1 {
		i := stacks.next()
		if infos[p.cells[from+raySquares[i]]&511].lead == Navy {
			navies |= 1 << i
		}
	}
	return navies.before()
}

// safeFlights returns the squares before the first one of each ray that enemy air defense
// covers.
func (p *Position) safeFlights(from uint8) rays {
	cover := p.coverage(p.turn&1 ^ 1)
	if shared(cover, &attackRange[from]) == 0 {
		return rayBits
	}
	return raysAround(cover, from).before()
}

// appendQuiet appends a step to each empty square of a set.
func appendQuiet(dst []engine.Move, base engine.Move, set rays) []engine.Move {
	base = quietStep(base, fromOf(base))
	for ; set != 0; set &= set - 1 {
		dst = append(dst, base+raySteps[set.next()])
	}
	return dst
}

// appendNoisy appends the captures and joins of a mover other than a commander.
func (p *Position) appendNoisy(dst []engine.Move, kind uint8, base engine.Move, near rays, leads *[64]Type) []engine.Move {
	from, class := fromOf(base), classes[kind&31]
	joins, captures := kindMoves[kind&31][from], kindCaptures[kind&31]
	switch class {
	case groundClass:
		near = near.first()
	case rangedClass:
		joins &= near.first()
	case navyClass:
		captures |= kindNavyCaptures[kind&31]
	default:
		joins = kindJoins[kind&31]
	}
	for set := near & (joins | captures); set != 0; set &= set - 1 {
		i := set.next()
		to := from + raySquares[i]
		in := &infos[p.cells[to]&511]
		switch {
		case in.side == p.turn:
			if joins>>i&1 != 0 && fits[leads[in.composition&63]&15][to] && (class <= rangedClass || p.canReachOwn(from, kind, rayTarget(i))) {
				dst = append(dst, noisyStep(base, to, join))
			}
		case captures>>i&1 != 0:
			if e, ok := p.effectOnEnemy(from, kind, in, captureTarget(kind, to, i)); ok {
				dst = appendStep(dst, base, to, kind, e)
			}
		}
	}
	return dst
}

// generateCommander serves the commander. Any piece stops it, and so does a square
// that is exposed to the enemy commander.
func (p *Position) generateCommander(quiet, noisy []engine.Move, kind uint8, base engine.Move, leads *[64]Type) ([]engine.Move, []engine.Move) {
	us, from := p.turn, fromOf(base)
	at := spans[kind&31][from]
	blocked := false
	for _, t := range targets[at.first:][:at.count] {
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
