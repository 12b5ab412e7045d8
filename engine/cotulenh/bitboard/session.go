package bitboard

import (
	"slices"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// session is an open deployment. It holds only what the rest of the turn depends on.
type session struct {
	origin uint8    // square of the deploying stack, noSquare if no session is open
	rest   uint8    // slots of the stack now on origin that may still deploy
	landed [2]uint8 // squares where members landed, in order; noSquare if fewer
}

var noSession = session{origin: noSquare, landed: [2]uint8{noSquare, noSquare}}

func (s *session) open() bool { return s.origin != noSquare }

func (s *session) key() uint64 {
	return cotulenh.SessionKey(cotulenh.Square(s.origin), s.rest, s.landed)
}

// drop removes a slot from rest; higher slots move down by one.
func (s *session) drop(slot uint8) {
	below := uint8(1)<<slot - 1
	s.rest = s.rest&below | s.rest>>1&^below
}

// land records that a member landed on a square. Each square is recorded once.
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

// Session returns the origin of the open session. The origin means nothing if open is
// false.
func (p *Position) Session() (origin cotulenh.Square, open bool) {
	return cotulenh.Square(p.session.origin), p.session.open()
}

// Rest returns the slots of the stack on the session's origin that may still deploy: bit k
// for slot k.
func (p *Position) Rest() uint8 { return p.session.rest }

// Landed returns the n squares where members of the session landed, in order.
func (p *Position) Landed() (list [2]cotulenh.Square, n int) {
	for _, sq := range p.session.landed {
		if sq != noSquare {
			list[n] = cotulenh.Square(sq)
			n++
		}
	}
	return list, n
}

// canCommit reports whether the open session may end here: the remnant may stand on the
// origin, and the own commander is safe.
func (p *Position) canCommit() bool {
	return remnantFits(p.cells[p.session.origin], p.session.origin) && !p.danger(p.turn)
}

// canFinish reports whether some continuation of the session, possibly empty, can commit.
// depth numbers the nested lists, from 1.
func (p *Position) canFinish(depth int) bool {
	if p.canCommit() {
		return true
	}
	if p.session.rest == 0 {
		return false
	}
	list := p.sessionSteps(p.deployments[depth][:0])
	p.deployments[depth] = list
	before := p.save()
	for _, m := range list {
		p.apply(m)
		ok := p.canFinish(depth + 1)
		p.restore(&before)
		if ok {
			return true
		}
	}
	return false
}

// canContinue reports whether the open session has a legal step other than commit.
func (p *Position) canContinue() bool {
	if p.session.rest == 0 {
		return false
	}
	th := p.assess()
	for slot := range uint8(3) {
		if p.session.rest>>slot&1 == 0 {
			continue
		}
		list := p.memberSteps(p.deployments[0][:0], slot)
		p.deployments[0] = list
		for _, m := range list {
			if p.isLegal(m, &th) {
				return true
			}
		}
	}
	return false
}

// applyDeploy executes a deploy step on the cells and in the session, which it opens if
// necessary.
func (p *Position) applyDeploy(m engine.Move) {
	from, to, slot := fromOf(m), toOf(m), moverOf(m)-deploy
	s := p.cells[from]
	if p.session.open() {
		p.hash ^= p.session.key()
	} else {
		p.session = noSession
		p.session.origin = from
		p.session.rest = 1<<facts[s&511].size - 1
	}
	if effectOf(m) == cotulenh.Stay {
		p.set(to, cotulenh.Empty)
		p.session.rest &^= 1 << slot
	} else {
		p.set(from, kept[s&511][^(1<<slot)&7])
		p.session.drop(slot)
		p.arrive(to, kept[s&511][1<<slot&7], effectOf(m))
	}
	p.hash ^= p.session.key()
}

// arrive executes the effect of a deploying member that leaves its stack.
func (p *Position) arrive(to uint8, member cotulenh.Stack, effect cotulenh.Effect) {
	switch effect {
	case cotulenh.Suicide:
		p.set(to, cotulenh.Empty)
		return
	case cotulenh.Join:
		member = combine(member, p.cells[to])
	}
	p.set(to, member)
	p.session.land(to)
}

// sessionSteps appends the pseudo-legal steps of the open session except commit.
func (p *Position) sessionSteps(dst []engine.Move) []engine.Move {
	for slot := range uint8(3) {
		if p.session.rest>>slot&1 == 1 {
			dst = p.memberSteps(dst, slot)
		}
	}
	return dst
}

// memberSteps appends the pseudo-legal steps of one member in the open session: its own
// steps from the origin, and joins to the members that landed earlier. Those joins have no
// range or path condition.
func (p *Position) memberSteps(dst []engine.Move, slot uint8) []engine.Move {
	from, start := p.session.origin, len(dst)
	m := p.memberOf(from, slot)
	dst = p.generateAll(dst, m)
	for _, to := range p.session.landed {
		if to == noSquare {
			break
		}
		q := p.cells[to]
		sum := combine(m.moved, q)
		if sum == cotulenh.Empty || facts[sum&511].lead != facts[q&511].lead {
			continue
		}
		if step := m.step(to, cotulenh.Join); !slices.Contains(dst[start:], step) {
			dst = append(dst, step)
		}
	}
	return dst
}

var _ engine.Orderer = (*Position)(nil)

// Canonical reports whether a step is in canonical order after the last one, the same as
// package cotulenh.
func (p *Position) Canonical(m engine.Move) bool {
	if !p.session.open() || p.half == 0 || m == commit || effectOf(m) != cotulenh.Normal || p.sides[0].n <= 2 || p.sides[1].n <= 2 {
		return true
	}
	o := cotulenh.DeployOrder{
		Cells: &p.cells, Us: p.turn & 1, Commanders: [2]uint8{p.sides[0].commander, p.sides[1].commander},
		Origin: p.session.origin, Landed: p.session.landed,
	}
	return !o.Swaps(m) || p.danger(p.turn) || p.commanderAttack(p.turn^1) != noAttack
}
