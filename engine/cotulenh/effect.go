package cotulenh

// The functions here decide about single targets. They agree with the generators,
// target by target.

// effectOn returns what a mover of this kind does on a target, or false if it has no
// pseudo-legal step there.
func (p *Position) effectOn(from, to, kind uint8, moved Stack, t *target) (Effect, bool) {
	q := p.cells[to]
	in := &infos[q&511]
	switch in.side {
	case sideNone:
		return Normal, t.flags&canMove != 0 && p.canReachEmpty(from, kind, t)
	case p.turn:
		if t.flags&canJoin == 0 {
			return Join, false
		}
		lead := joinLeads[infos[moved&511].composition&63][in.composition&63]
		return Join, fits[lead&15][to] && p.canReachOwn(from, kind, t)
	}
	return p.effectOnEnemy(from, kind, in, t)
}

// canReachEmpty reports whether the way to an empty target is free.
func (p *Position) canReachEmpty(from, kind uint8, t *target) bool {
	switch Type(kind >> 1) {
	case AirForce:
		return kind&heroicBit != 0 || p.zones[p.turn&1^1].fly(from, t.dir, int(t.dist)) == safe
	case Commander:
		return p.clearBetween(from, t.dir, t.dist) && !p.pathExposed(from, t.dir, t.dist)
	}
	return p.canReachOwn(from, kind, t)
}

// canReachOwn reports whether the way to a target with an own stack is free.
func (p *Position) canReachOwn(from, kind uint8, t *target) bool {
	switch Type(kind >> 1) {
	case AirForce:
		return kind&heroicBit != 0 || p.zones[p.turn&1^1].fly(from, t.dir, int(t.dist)) != destroyed
	case Navy:
		for n := t.dist; n > 1; n-- {
			from += t.dir
			if q := p.cells[from]; q != Empty && infos[q&511].lead == Navy {
				return false
			}
		}
		return true
	case Commander:
		// An occupied square is never exposed.
		return t.dist == 1 || p.clearBetween(from, t.dir, t.dist) && !p.pathExposed(from, t.dir, t.dist-1)
	}
	return t.dist == 1 || p.clearBetween(from, t.dir, t.dist)
}

// effectOnEnemy returns how a mover of this kind captures an enemy stack on a target,
// or false if it cannot.
func (p *Position) effectOnEnemy(from, kind uint8, in *stackInfo, t *target) (Effect, bool) {
	e := captureOrStay(t.flags)
	switch Type(kind >> 1) {
	case AirForce:
		if kind&heroicBit == 0 {
			switch p.zones[p.turn&1^1].fly(from, t.dir, int(t.dist)) {
			case inZone:
				return Suicide, true
			case destroyed:
				return e, false
			}
		}
		return e, true
	case Commander:
		return e, t.flags&canCapture != 0 && !(in.lead == Commander && relations[t.dir].diagonal != 0)
	case Navy:
		return e, t.flags&canCapture != 0 || t.flags&canCaptureNavy != 0 && in.lead == Navy
	case Artillery, Missile:
		return e, t.flags&canCapture != 0
	}
	return e, t.flags&canCapture != 0 && (t.dist == 1 || p.clearBetween(from, t.dir, t.dist))
}
