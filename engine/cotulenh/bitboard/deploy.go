package bitboard

import (
	"slices"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

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
