package cotulenh

import "selfplay/engine"

// Legal reports whether Moves lists a step. It looks at what moves alone.
func (p *Position) Legal(m engine.Move) bool {
	if m == commit {
		return p.session.open() && p.canCommit()
	}
	if p.sides[p.turn&1].commander == noSquare {
		return false
	}
	p.list = p.stepsLike(p.list[:0], m)
	if !contains(p.list, m) {
		return false
	}
	d := p.assess()
	return p.sure(m, &d) || p.legal(m, &d)
}

// stepsLike appends the pseudo-legal steps of the piece that a step moves; none if
// no such piece may.
func (p *Position) stepsLike(dst []engine.Move, m engine.Move) []engine.Move {
	from, what := fromOf(m), whatOf(m)
	s := p.cells[from]
	in := &infos[s&511]
	slot := uint8(what - deploy)
	switch {
	case p.session.open():
		if from != p.session.origin || what < deploy || p.session.rest>>slot&1 == 0 {
			return dst
		}
		return p.memberSteps(dst, slot)
	case in.side != p.turn:
		return dst
	case what < deploy:
		return p.generateAll(dst, from, in.kinds[0], s, whole)
	case in.size < 2 || slot >= in.size:
		return dst
	}
	return p.generateAll(dst, from, in.kinds[slot&3], kept[s&511][1<<slot&7], engine.Move(what))
}
