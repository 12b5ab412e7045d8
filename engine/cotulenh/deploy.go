package cotulenh

import (
	"slices"

	"selfplay/engine"
)

// applyDeploy executes a deploy step on the cells and in the session, which it opens
// if necessary.
func (p *Position) applyDeploy(m engine.Move) {
	from, to, slot := fromOf(m), toOf(m), moverOf(m)-Deploy
	s := p.cells[from]
	if p.session.open() {
		p.hash ^= p.session.key()
	} else {
		p.session = noSession
		p.session.origin = from
		p.session.rest = 1<<infos[s&511].size - 1
	}
	member := kept[s&511][1<<slot&7]
	if effectOf(m) == Stay {
		p.set(to, Empty)
		p.session.rest &^= 1 << slot
	} else {
		p.set(from, kept[s&511][^(1<<slot)&7])
		p.session.drop(slot)
		switch effectOf(m) {
		case Suicide:
			p.set(to, Empty)
		case Join:
			p.set(to, combine(member, p.cells[to]))
			p.session.land(to)
		default:
			p.set(to, member)
			p.session.land(to)
		}
	}
	p.hash ^= p.session.key()
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

// memberSteps appends the pseudo-legal steps of one member in the open session: its
// own steps from the origin, and joins to the members that landed earlier. Those joins
// have no range or path condition.
func (p *Position) memberSteps(dst []engine.Move, slot uint8) []engine.Move {
	from := p.session.origin
	s := p.cells[from]
	member, mover := kept[s&511][1<<slot&7], engine.Move(Deploy+slot)
	start := len(dst)
	dst = p.generateAll(dst, from, infos[s&511].kinds[slot&3], member, mover, p.near(from))
	for _, to := range p.session.landed {
		if to == NoSquare {
			break
		}
		q := p.cells[to]
		sum := combine(member, q)
		if sum == Empty || infos[sum&511].lead != infos[q&511].lead {
			continue
		}
		if m := newStep(from, to, mover, Join); !slices.Contains(dst[start:], m) {
			dst = append(dst, m)
		}
	}
	return dst
}
