package cotulenh

import (
	"math/rand/v2"

	"selfplay/engine"
)

// Random play needs one legal step, not the list. It draws a ticket: a stack, a
// member or the whole of it, and a target on the empty board. Every pseudo-legal
// step has exactly one ticket, so the tickets that are steps are drawn uniformly,
// and those of them that are legal too. Most tickets are dealt with in a few
// nanoseconds; about two are drawn a step.

// patience is how much drawing may fail before the full list is made instead. A
// ticket that is no step costs 1, an illegal step illegalCost. Both numbers, like
// the order of all draws, belong to the version of the player.
const (
	patience    = 128
	illegalCost = 6
)

// ticketsOf returns how many tickets a stack on a square has: one a target for
// each member that could deploy, and those of the whole stack behind its lead.
func ticketsOf(in *stackInfo, sq uint8) uint8 {
	n := spans[in.kinds[0]&31][sq].whole
	if in.size > 1 {
		n += spans[in.kinds[0]&31][sq].count + spans[in.kinds[1]&31][sq].count
		if in.size > 2 {
			n += spans[in.kinds[2]&31][sq].count
		}
	}
	return n
}

// DoRandom plays a uniformly drawn legal step.
func (p *Position) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if p.session.open() {
		return p.randomInSession(src)
	}
	if p.ended() {
		return 0, false
	}
	own := &p.sides[p.turn&1]
	if own.total == 0 {
		return 0, false
	}
	if p.attackedNow(p.turn) == byGround {
		return p.randomCure(src)
	}
	p.past = append(p.past, p.save())
	for cost := 0; cost < patience; cost++ {
		m := p.drawTicket(src, own)
		if m == 0 {
			continue
		}
		if p.try(m) {
			p.finish(m)
			return m, true
		}
		p.restore(&p.past[len(p.past)-1])
		cost += illegalCost
	}
	p.past = p.past[:len(p.past)-1]
	return p.randomFromList(src)
}

// randomFromList draws from the list of legal steps.
func (p *Position) randomFromList(src *rand.PCG) (engine.Move, bool) {
	list := p.Moves(p.list[:0])
	p.list = list
	if len(list) == 0 {
		return 0, false
	}
	m := list[engine.Below(src, uint32(len(list)))]
	p.Do(m)
	return m, true
}

// randomCure draws for a side that is attacked in a way that air defense cannot
// stop: few of its steps are legal, and it is known where they must go to.
func (p *Position) randomCure(src *rand.PCG) (engine.Move, bool) {
	var d doubt
	p.prescribe(&d, p.turn)
	own := &p.sides[p.turn&1]
	list := p.list[:0]
	for _, from := range own.list[:own.n] {
		s := p.cells[from]
		in := &infos[s&511]
		if from == own.commander {
			list = p.pseudoLegalFrom(list, from)
			continue
		}
		if in.size > 1 {
			for slot := range in.size {
				list = p.appendCures(list, &d, from, in.kinds[slot&3], kept[s&511][1<<slot&7], engine.Move(deploy+slot))
			}
		}
		list = p.appendCures(list, &d, from, in.kinds[0], s, whole)
	}
	p.list = list
	return p.drawFrom(src, list)
}

// appendCures appends the pseudo-legal steps of one mover that are not hopeless.
func (p *Position) appendCures(dst []engine.Move, d *doubt, from, kind uint8, moved Stack, what engine.Move) []engine.Move {
	at := spans[kind&31][from]
	for _, t := range targets[at.first:][:at.count] {
		to := from + t.jump
		if p.hopeless(from, to, d) {
			continue
		}
		e, ok := p.aim(from, to, kind, moved, t)
		if !ok {
			continue
		}
		dst = appendStrike(dst, engine.Move(from)|what<<whatShift, to, kind, e)
	}
	return dst
}

// randomInSession draws from the pseudo-legal steps of the open session and
// commit, one of which always is legal.
func (p *Position) randomInSession(src *rand.PCG) (engine.Move, bool) {
	list := append(p.sessionSteps(p.list[:0]), commit)
	p.list = list
	return p.drawFrom(src, list)
}

// drawFrom plays a step drawn uniformly from those of the list that are legal;
// false if none is. It reorders the list.
func (p *Position) drawFrom(src *rand.PCG, list []engine.Move) (engine.Move, bool) {
	p.past = append(p.past, p.save())
	for len(list) > 0 {
		i := engine.Below(src, uint32(len(list)))
		m := list[i]
		if m == commit {
			if p.canCommit() {
				p.endTurn()
				return m, true
			}
		} else if p.try(m) {
			p.finish(m)
			return m, true
		}
		p.restore(&p.past[len(p.past)-1])
		list[i] = list[len(list)-1]
		list = list[:len(list)-1]
	}
	p.past = p.past[:len(p.past)-1]
	return 0, false
}

// drawTicket draws a ticket of a side and returns the step it stands for, 0 if
// there is none on this board.
func (p *Position) drawTicket(src *rand.PCG, own *army) engine.Move {
	r := engine.Below(src, own.total)
	slot := uint8(0)
	for {
		t := uint32(own.tickets[slot])
		if r < t {
			return p.ticket(own.list[slot], r)
		}
		r -= t
		slot++
	}
}

// ticket returns the step of the r-th ticket of the stack on a square: first those
// of its members alone, then those of the whole.
func (p *Position) ticket(from uint8, r uint32) engine.Move {
	s := p.cells[from]
	in := &infos[s&511]
	what := engine.Move(whole)
	kind := in.kinds[0]
	second := false
	if in.size > 1 {
		for i := range in.size {
			n := uint32(spans[in.kinds[i&3]&31][from].count)
			if r < n {
				what, kind, s = engine.Move(deploy+i), in.kinds[i&3], kept[s&511][1<<i&7]
				break
			}
			r -= n
		}
	}
	if what == whole && kind&^heroicBit == airKind {
		second = r&1 != 0
		r >>= 1
	}
	t := targets[spans[kind&31][from].first+uint16(r)]
	to := from + t.jump
	if second && infos[p.cells[to]&511].side != p.turn^1 {
		return 0
	}
	e, ok := p.aim(from, to, kind, s, t)
	if !ok || second && e != capture {
		return 0
	}
	if second {
		e = stay
	}
	if e == stay && what == whole {
		what = wholeStay
	}
	return newStep(from, to, what, e)
}

// aim returns what a mover of this kind does to a target; false if it is no step.
// It agrees with generate, target by target.
func (p *Position) aim(from, to, kind uint8, moved Stack, t target) (effect, bool) {
	q := p.cells[to]
	in := &infos[q&511]
	switch in.side {
	case sideNone:
		return normal, t.flags&canMove != 0 && p.reachesEmpty(from, kind, t)
	case p.turn:
		if t.flags&canJoin == 0 {
			return join, false
		}
		lead := sums[infos[moved&511].group&63][in.group&63]
		return join, fits[lead&15][to] && p.reachesFriend(from, kind, t)
	}
	return p.aimAtEnemy(from, kind, in, t)
}

func (p *Position) reachesEmpty(from, kind uint8, t target) bool {
	switch Type(kind >> 1) {
	case AirForce:
		return kind&heroicBit != 0 || p.zones[p.turn&1^1].fly(from, t.dir, int(t.n)) == safe
	case Commander:
		return p.clearBetween(from, t.dir, t.n) && !p.barredOnWay(from, t)
	}
	return p.reachesFriend(from, kind, t)
}

func (p *Position) reachesFriend(from, kind uint8, t target) bool {
	switch Type(kind >> 1) {
	case AirForce:
		return kind&heroicBit != 0 || p.zones[p.turn&1^1].fly(from, t.dir, int(t.n)) != destroyed
	case Navy:
		for n := t.n; n > 1; n-- {
			from += t.dir
			if q := p.cells[from]; q != Empty && infos[q&511].lead == Navy {
				return false
			}
		}
		return true
	case Commander:
		t.n-- // the friend's own square is occupied and so not barred
		return t.n == 0 || p.clearBetween(from, t.dir, t.n+1) && !p.barredOnWay(from, t)
	}
	return t.n == 1 || p.clearBetween(from, t.dir, t.n)
}

// barredOnWay reports whether a line of the enemy commander bars one of the empty
// squares up to and with the target.
func (p *Position) barredOnWay(from uint8, t target) bool {
	sq := from
	for range t.n {
		sq += t.dir
		if p.barred(from, sq) {
			return true
		}
	}
	return false
}

func (p *Position) aimAtEnemy(from, kind uint8, in *stackInfo, t target) (effect, bool) {
	e := take(t.flags)
	switch Type(kind >> 1) {
	case AirForce:
		if kind&heroicBit == 0 {
			switch p.zones[p.turn&1^1].fly(from, t.dir, int(t.n)) {
			case kamikaze:
				return suicide, true
			case destroyed:
				return e, false
			}
		}
		return e, true
	case Commander:
		return e, t.flags&canTake != 0 && !(in.lead == Commander && link[t.dir].diagonal != 0)
	case Navy:
		return e, t.flags&canTake != 0 || t.flags&canTakeN != 0 && in.lead == Navy
	case Artillery, Missile:
		return e, t.flags&canTake != 0
	}
	return e, t.flags&canTake != 0 && (t.n == 1 || p.clearBetween(from, t.dir, t.n))
}
