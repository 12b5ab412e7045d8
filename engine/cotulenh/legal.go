package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

// Moves appends every legal step. Most are legal without being played: the doubt
// of the position names the few that could bring the own commander in danger.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	start := len(dst)
	if p.session.open() {
		dst = p.keepLegal(p.sessionSteps(dst), start)
		if p.canCommit() {
			dst = append(dst, commit)
		}
		return dst
	}
	if p.sides[p.turn&1].commander == noSquare {
		return dst
	}
	return p.keepLegal(p.pseudoLegal(dst), start)
}

// keepLegal drops the illegal steps from list[start:].
func (p *Position) keepLegal(list []engine.Move, start int) []engine.Move {
	d := p.assess()
	keep := start
	for _, m := range list[start:] {
		if p.sure(m, &d) || p.legal(m, &d) {
			list[keep] = m
			keep++
		}
	}
	return list[:keep]
}

// legal decides about a doubtful step.
func (p *Position) legal(m engine.Move, d *doubt) bool {
	if p.hopeless(m) {
		return false
	}
	if safe, known := p.strolls(m, d); known {
		return safe
	}
	here := p.save()
	ok := p.try(m)
	p.restore(&here)
	return ok
}

// try plays a pseudo-legal step and reports whether it was legal. The turn stays
// open; if the step was not legal the caller restores.
func (p *Position) try(m engine.Move) bool {
	if whatOf(m) < deploy {
		p.play(m)
		return !p.danger(p.turn)
	}
	// The first step of another stack must leave the commander safe at once;
	// the commander's own stack and later steps need only a way to finish.
	free := p.session.open() || infos[p.cells[fromOf(m)]&511].commander != 0
	p.play(m)
	if !free && p.danger(p.turn) {
		return false
	}
	return p.canFinish(1)
}

// doubt says which steps could leave the own commander in danger.
type doubt struct {
	open    squareSet // squares that hide the commander from an attack or from the other commander
	all     bool      // it is in danger now, or the next step promotes an enemy
	guards  bool      // a capture could leave the enemy one guard, which is promoted
	air     bool      // an enemy air force is near: own air defense counts
	pending bool      // the next step, whatever it is, promotes an enemy
}

// assess finds the doubt of the position for the side to move.
func (p *Position) assess() (d doubt) {
	us := p.turn & 1
	own, enemy := &p.sides[us], &p.sides[us^1]
	d.guards = enemy.n <= 3
	d.pending = enemy.n <= 2 && p.lastGuardWaits(us^1)
	d.all = d.pending || p.attackedNow(us) != unharmed || p.facing()
	if d.all {
		return d
	}
	sq := own.commander
	land := p.landTarget(sq)
	star, them := &stars[sq], &p.occ[us^1]
	for w := range 3 {
		for set := star[w] & them[w]; set != 0; set &= set - 1 {
			from := uint8(w<<6 | bits.TrailingZeros64(set))
			l := &link[from-sq]
			code := p.cells[from] & 511
			e := reaches[land][code][l.diagonal<<3|l.n]
			d.air = d.air || e&7&infos[code].plainAir != 0
			if e&7 != e>>3 {
				p.shield(&d, sq, from, l.dir)
			}
		}
	}
	if e := enemy.commander; e != noSquare && ((sq^e)&0x0F == 0 || (sq^e)&0xF0 == 0) {
		p.shield(&d, sq, e, lineDir(sq, e))
	}
	return d
}

// shield notes the only stack between two squares, if it is the only one.
func (p *Position) shield(d *doubt, from, to, dir uint8) {
	found := uint8(noSquare)
	for sq := from + dir; sq != to; sq += dir {
		if p.cells[sq] != Empty {
			if found != noSquare {
				return
			}
			found = sq
		}
	}
	if found != noSquare {
		d.open.set(found)
	}
}

// lastGuardWaits reports whether a side has a last guard that is not a hero yet:
// possible only in positions that were not reached by play.
func (p *Position) lastGuardWaits(side uint8) bool {
	a := &p.sides[side]
	guards, waits := 0, false
	for _, sq := range a.list[:a.n] {
		if in := &infos[p.cells[sq]&511]; in.lead != Commander {
			guards++
			waits = in.size == 1 && in.heroic == 0
		}
	}
	return guards == 1 && waits
}

// sure reports that a step is legal for certain.
func (p *Position) sure(m engine.Move, d *doubt) bool {
	from, to, e := fromOf(m), toOf(m), effectOf(m)
	own := p.sides[p.turn&1].commander
	if d.all || from == own || to == own || e == suicide || d.open.has(from) {
		return false
	}
	if e == stay && d.open.has(to) || d.guards && (e == stay || e == capture) {
		return false
	}
	s := p.cells[from]
	if d.air && (infos[s&511].level != 0 || e == join && infos[p.cells[to]&511].level != 0) {
		return false
	}
	if what := whatOf(m); what >= deploy && e != stay {
		rest := kept[s&511][^(1<<(what-deploy))&7]
		return rest == Empty || fits[infos[rest&511].lead&15][from]
	}
	return whatOf(m) < deploy || fits[infos[s&511].lead&15][from]
}

// hopeless reports that a step cannot end an attack that air defense does not
// stop: it touches neither the commander nor any square that could see it.
func (p *Position) hopeless(m engine.Move) bool {
	a := &p.sides[p.turn&1]
	return a.attacked == byGround && !p.session.open() &&
		!inStar[fromOf(m)-a.commander] && !inStar[toOf(m)-a.commander]
}

// strolls decides about a commander that walks alone to an empty square: it is
// attacked there or not. Known is false if that does not settle it.
func (p *Position) strolls(m engine.Move, d *doubt) (legal, known bool) {
	us := p.turn & 1
	from, to := fromOf(m), toOf(m)
	s := p.cells[from]
	if from != p.sides[us].commander || infos[s&511].size > 1 || effectOf(m) != normal || d.pending {
		return false, false
	}
	p.cells[from] = Empty
	found := p.attackOn(us, to)
	enemy := p.sides[us^1].commander
	faces := enemy != noSquare && ((to^enemy)&0x0F == 0 || (to^enemy)&0xF0 == 0) && p.seesAlong(to, enemy)
	p.cells[from] = s
	if faces {
		return false, true
	}
	return found == unharmed, found != byAirOnly
}
