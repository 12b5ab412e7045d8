package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

// Moves appends every legal step. Most are legal without being played: the doubt
// of the position names the few that could bring the own commander in danger.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	if p.session.open() {
		return p.sessionMoves(dst)
	}
	a := &p.sides[p.turn&1]
	if a.commander == noSquare {
		return dst
	}
	d := p.assess()
	doubtful, sharp := p.doubtful[:0], p.sharp[:0]
	for _, from := range a.list[:a.n] {
		s := p.cells[from]
		in := &infos[s&511]
		calm := d.calm(from, in)
		if in.size > 1 {
			for slot := range in.size {
				kind, member, what := in.kinds[slot&3], kept[s&511][1<<slot&7], engine.Move(deploy+slot)
				if calm && p.leaves(s, slot, from, normal) {
					dst, sharp = p.generate(dst, sharp, from, kind, member, what)
				} else {
					doubtful, sharp = p.generate(doubtful, sharp, from, kind, member, what)
				}
			}
		}
		if calm {
			dst, sharp = p.generate(dst, sharp, from, in.kinds[0], s, whole)
		} else {
			doubtful, sharp = p.generate(doubtful, sharp, from, in.kinds[0], s, whole)
		}
	}
	p.doubtful, p.sharp = doubtful, sharp
	for _, m := range sharp {
		if p.sure(m, &d) || p.legal(m, &d) {
			dst = append(dst, m)
		}
	}
	for _, m := range doubtful {
		if p.sure(m, &d) || p.legal(m, &d) {
			dst = append(dst, m)
		}
	}
	return dst
}

// sessionMoves is Moves in an open session.
func (p *Position) sessionMoves(dst []engine.Move) []engine.Move {
	start := len(dst)
	dst = p.sessionSteps(dst)
	d := p.assess()
	keep := start
	for _, m := range dst[start:] {
		if p.sure(m, &d) || p.legal(m, &d) {
			dst[keep] = m
			keep++
		}
	}
	dst = dst[:keep]
	if p.canCommit() {
		dst = append(dst, commit)
	}
	return dst
}

// legal decides about a doubtful step.
func (p *Position) legal(m engine.Move, d *doubt) bool {
	if p.hopeless(fromOf(m), toOf(m), d) {
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
	all     bool      // it is in danger now, or pending
	guards  bool      // a capture could leave the enemy one guard, which is promoted
	air     bool      // an enemy air force is near: any change of own air defense counts
	pending bool      // the next step, whatever it is, may promote: a last guard, or what attacks the enemy commander already
	hot     bool      // it is attacked by something that air defense cannot stop
	cure    squareSet // if hot: where a step must go to end that, unless it moves or joins the commander
}

// assess finds the doubt of the position for the side to move.
func (p *Position) assess() (d doubt) {
	us := p.turn & 1
	own, enemy := &p.sides[us], &p.sides[us^1]
	d.guards = enemy.n <= 3
	d.pending = enemy.n <= 2 && p.lastGuardWaits(us^1) || own.n <= 2 && p.lastGuardWaits(us) ||
		enemy.commander != noSquare && p.attackedNow(us^1) != unharmed
	d.all = d.pending || p.attackedNow(us) != unharmed || p.facing()
	if d.all {
		p.prescribe(&d, us)
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

// calm reports that every quiet step of the stack on a square is legal, but for
// what a deployment would leave behind.
func (d *doubt) calm(from uint8, in *stackInfo) bool {
	return !d.all && !d.air && !d.open.has(from) && in.commander == 0
}

// sure reports that a step is legal for certain.
func (p *Position) sure(m engine.Move, d *doubt) bool {
	from, to, e, what := fromOf(m), toOf(m), effectOf(m), whatOf(m)
	own := p.sides[p.turn&1].commander
	if d.all || to == own || from == own && what < deploy || d.open.has(from) {
		return false
	}
	s := p.cells[from]
	in := &infos[s&511]
	if d.air && (p.mayPromote(from, to) || in.level != 0 || e == join && infos[p.cells[to]&511].level != 0) {
		return false
	}
	switch e {
	case capture:
		if d.guards {
			return false
		}
	case stay:
		if d.guards || d.open.has(to) {
			return false
		}
	case suicide:
		// It can empty two squares of one line at once.
		if d.guards || d.open.has(to) || inStar[to-own] || (to^own)&0x0F == 0 || (to^own)&0xF0 == 0 {
			return false
		}
	}
	if what < deploy {
		return true
	}
	slot := what - deploy
	if from == own && (in.level != 0 || Type(in.kinds[slot&3]>>1) == Commander) {
		return false
	}
	return p.leaves(s, slot, from, e)
}

// mayPromote reports whether a step could make heroes of the side to move: it may
// attack or uncover an attack on the enemy commander, or leave one guard. A
// provider of air defense that becomes a hero has a wider zone, and that can help
// the enemy: an air force that was lost when it left the zone stays inside.
func (p *Position) mayPromote(from, to uint8) bool {
	enemy := p.sides[p.turn&1^1].commander
	return inStar[from-enemy] || inStar[to-enemy] || p.sides[p.turn&1].n <= 3
}

// airNear reports whether an air force that air defense could stop is in range of
// a square of side us.
func (p *Position) airNear(us, sq uint8) bool {
	star, them := &stars[sq], &p.occ[us^1]
	for w := range 3 {
		for set := star[w] & them[w]; set != 0; set &= set - 1 {
			from := uint8(w<<6 | bits.TrailingZeros64(set))
			l, code := &link[from-sq], p.cells[from]&511
			if reaches[1][code][l.diagonal<<3|l.n]&7&infos[code].plainAir != 0 {
				return true
			}
		}
	}
	return false
}

// leaves reports whether what is left when a slot deploys may stay there.
func (p *Position) leaves(s Stack, slot, from uint8, e effect) bool {
	if e != stay {
		s = kept[s&511][^(1<<slot)&7]
	}
	return s == Empty || fits[infos[s&511].lead&15][from]
}

// hopeless reports that a step cannot end an attack that air defense does not
// stop: the commander stays where it is, nothing joins it, and the step goes to
// no square of d.cure. In an open session a later step may still help.
func (p *Position) hopeless(from, to uint8, d *doubt) bool {
	own := &p.sides[p.turn&1]
	return d.hot && from != own.commander && to != own.commander && !d.cure.has(to)
}

// prescribe fills d.cure for a side that is attacked.
func (p *Position) prescribe(d *doubt, us uint8) {
	sq := p.sides[us].commander
	if sq == noSquare || p.sides[us].attacked != byGround || p.session.open() {
		return
	}
	d.hot = true
	d.cure = squareSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	var h hits
	p.attackersOn(us, sq, &h)
	land := p.landTarget(sq)
	for _, hit := range h.list[:h.n] {
		code := p.cells[hit.sq] & 511
		ground := hit.slots &^ infos[code].plainAir
		if ground == 0 {
			continue // air defense may stop it
		}
		// Capturing the attacker ends its attack; so does stepping between, if
		// none of its attacking members shoots over what stands there. (A plain
		// air force flies over it, but may meet new air defense.)
		var cure squareSet
		cure.set(hit.sq)
		l := &link[hit.sq-sq]
		if over := reaches[land][code][l.diagonal<<3|l.n] >> 3; ground&over == 0 {
			for n, between := l.n, sq+l.dir; n > 1; n, between = n-1, between+l.dir {
				cure.set(between)
			}
		}
		for w := range d.cure {
			d.cure[w] &= cure[w]
		}
	}
}

// strolls decides about a commander that leaves its square, with its whole stack
// or out of it: it is attacked on its new square or not. Known is false if that
// does not settle it.
func (p *Position) strolls(m engine.Move, d *doubt) (legal, known bool) {
	us := p.turn & 1
	from, to, e, what := fromOf(m), toOf(m), effectOf(m), whatOf(m)
	s := p.cells[from]
	in := &infos[s&511]
	if from != p.sides[us].commander || in.level != 0 || e == stay || e == suicide ||
		d.pending || d.guards && e == capture || p.mayPromote(from, to) && p.airNear(us, to) {
		return false, false
	}
	behind := Empty
	if what >= deploy {
		slot := what - deploy
		if Type(in.kinds[slot&3]>>1) != Commander || !p.leaves(s, slot, from, e) {
			return false, false
		}
		behind = kept[s&511][^(1<<slot)&7]
	}
	land := 1
	if e == join {
		land = p.landTarget(to) // a ship keeps the lead; nothing else changes the target
	}
	p.cells[from] = behind
	found := p.attackOn(us, to, land)
	faces := p.faces(us, to)
	p.cells[from] = s
	switch {
	case found == unharmed && !faces:
		return true, true
	case what >= deploy:
		return false, false // a later step may help
	}
	return false, faces || found == byGround
}
