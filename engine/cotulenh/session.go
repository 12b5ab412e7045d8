package cotulenh

// session is an open deployment. It holds only what the rest of the turn depends on.
type session struct {
	origin uint8    // square of the deploying stack, NoSquare if no session is open
	rest   uint8    // slots of the stack now on origin that may still deploy
	landed [2]uint8 // squares where members landed, in order; NoSquare if fewer
}

var noSession = session{origin: NoSquare, landed: [2]uint8{NoSquare, NoSquare}}

func (s *session) open() bool { return s.origin != NoSquare }

// severalLeft reports whether more than one member may still deploy.
func (s *session) severalLeft() bool { return s.rest&(s.rest-1) != 0 }

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
		if l == NoSquare {
			s.landed[i] = sq
			return
		}
	}
}

// Session returns the origin of the open session. The origin means nothing if open
// is false.
func (p *Position) Session() (origin Square, open bool) {
	return Square(p.session.origin), p.session.open()
}

// Rest returns the slots of the stack on the session's origin that may still deploy:
// bit k for slot k.
func (p *Position) Rest() uint8 { return p.session.rest }

// Landed returns the n squares where members of the session landed, in order.
func (p *Position) Landed() (list [2]Square, n int) {
	for _, sq := range p.session.landed {
		if sq != NoSquare {
			list[n] = Square(sq)
			n++
		}
	}
	return list, n
}

// canCommit reports whether the open session may end here: the remnant may stand on
// the origin, and the own commander is safe.
func (p *Position) canCommit() bool {
	return remnantFits(p.cells[p.session.origin], p.session.origin) && !p.danger(p.turn)
}

// canFinish reports whether some continuation of the session, possibly empty, can
// commit. depth numbers the nested lists, from 1.
func (p *Position) canFinish(depth int) bool {
	if p.canCommit() {
		return true
	}
	if p.session.rest == 0 {
		return false
	}
	list := p.sessionSteps(p.deployments[depth][:0])
	p.deployments[depth] = list
	th := p.assess()
	before := p.save()
	for _, m := range list {
		if p.surelyLegal(m, &th) {
			return true // and the turn can end after it
		}
		if p.missesEvasions(fromOf(m), toOf(m), &th) {
			continue
		}
		ok, known := p.commanderStepLegal(m, &th)
		if !known {
			p.apply(m)
			ok = p.canFinish(depth + 1)
			p.restore(&before)
		}
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
