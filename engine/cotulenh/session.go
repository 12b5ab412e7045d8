package cotulenh

import "selfplay/engine"

// session is an open deployment: one stack leaves its square member by member.
// It holds just what the rest of the turn depends on.
type session struct {
	origin uint8    // where the stack stands or stood; noSquare outside a session
	rest   uint8    // slots of the stack now on origin that may still deploy
	landed [2]uint8 // where members came to stand, in order; noSquare if fewer
}

var noSession = session{origin: noSquare, landed: [2]uint8{noSquare, noSquare}}

func (s *session) open() bool { return s.origin != noSquare }

// drop takes a slot out of rest; the slots behind it move up.
func (s *session) drop(slot uint8) {
	below := uint8(1)<<slot - 1
	s.rest = s.rest&below | s.rest>>1&^below
}

// land notes that a member came to stand on a square.
func (s *session) land(sq uint8) {
	for i, l := range s.landed {
		if l == sq {
			return
		}
		if l == noSquare {
			s.landed[i] = sq
			return
		}
	}
}

// Session returns the square that a stack is being deployed from.
func (p *Position) Session() (origin Square, open bool) {
	return Square(p.session.origin), p.session.open()
}

// Rest returns the slots of the stack on the session's origin that may still
// deploy, bit k for slot k.
func (p *Position) Rest() uint8 { return p.session.rest }

// Landed returns the squares where members of the session came to stand, in
// order.
func (p *Position) Landed() (list [2]Square, n int) {
	for _, sq := range p.session.landed {
		if sq != noSquare {
			list[n] = Square(sq)
			n++
		}
	}
	return list, n
}

// playDeploy executes a deploy step on the cells and in the session.
func (p *Position) playDeploy(m engine.Move) {
	from, to, slot := fromOf(m), toOf(m), whatOf(m)-deploy
	s := p.cells[from]
	if p.session.open() {
		p.hash ^= p.session.key()
	} else {
		p.session = noSession
		p.session.origin = from
		p.session.rest = 1<<infos[s&511].size - 1
	}
	member := kept[s&511][1<<slot&7]
	if effectOf(m) == stay {
		p.set(to, Empty)
		p.session.rest &^= 1 << slot
	} else {
		p.set(from, kept[s&511][^(1<<slot)&7])
		p.session.drop(slot)
		switch effectOf(m) {
		case suicide:
			p.set(to, Empty)
		case join:
			p.set(to, combine(member, p.cells[to]))
			p.session.land(to)
		default:
			p.set(to, member)
			p.session.land(to)
		}
	}
	p.hash ^= p.session.key()
}

// canCommit reports whether the session may end here: what is left on the origin
// stands on its own ground, and the commander is safe.
func (p *Position) canCommit() bool {
	return p.restFits(p.cells[p.session.origin]) && !p.danger(p.turn)
}

// restFits reports whether a remnant may stay on the session's origin.
func (p *Position) restFits(s Stack) bool {
	return s == Empty || fits[infos[s&511].lead&15][p.session.origin]
}

// canFinish reports whether some continuation of the session, possibly none, can
// commit. Level numbers the nested lists, from 1.
func (p *Position) canFinish(level int) bool {
	if p.canCommit() {
		return true
	}
	if p.session.rest == 0 {
		return false
	}
	list := p.sessionSteps(p.steps[level][:0])
	p.steps[level] = list
	here := p.save()
	for _, m := range list {
		p.play(m)
		ok := p.canFinish(level + 1)
		p.restore(&here)
		if ok {
			return true
		}
	}
	return false
}

// canGoOn reports whether the open session has a legal step other than commit.
func (p *Position) canGoOn() bool {
	if p.session.rest == 0 {
		return false
	}
	d := p.assess()
	here := p.save()
	for slot := range uint8(3) {
		if p.session.rest>>slot&1 == 0 {
			continue
		}
		list := p.memberSteps(p.steps[0][:0], slot)
		p.steps[0] = list
		for _, m := range list {
			if p.sure(m, &d) {
				return true
			}
			ok := p.try(m)
			p.restore(&here)
			if ok {
				return true
			}
		}
	}
	return false
}

// sessionSteps appends the pseudo-legal steps of the open session but commit.
func (p *Position) sessionSteps(dst []engine.Move) []engine.Move {
	for slot := range uint8(3) {
		if p.session.rest>>slot&1 == 1 {
			dst = p.memberSteps(dst, slot)
		}
	}
	return dst
}

// memberSteps appends what the member in a slot may do in the open session: what
// it could do alone from the origin, and the joins to members that landed before,
// which know neither range nor path.
func (p *Position) memberSteps(dst []engine.Move, slot uint8) []engine.Move {
	from := p.session.origin
	s := p.cells[from]
	member, what := kept[s&511][1<<slot&7], engine.Move(deploy+slot)
	start := len(dst)
	dst = p.generateAll(dst, from, infos[s&511].kinds[slot&3], member, what)
	for _, to := range p.session.landed {
		if to == noSquare {
			break
		}
		q := p.cells[to]
		sum := combine(member, q)
		if sum == Empty || infos[sum&511].lead != infos[q&511].lead {
			continue
		}
		if m := newStep(from, to, what, join); !contains(dst[start:], m) {
			dst = append(dst, m)
		}
	}
	return dst
}

func contains(list []engine.Move, m engine.Move) bool {
	for _, x := range list {
		if x == m {
			return true
		}
	}
	return false
}
