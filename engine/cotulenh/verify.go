package cotulenh

import (
	"slices"

	"selfplay/engine"
)

// Legal reports whether Moves lists a step. It generates only the steps of the same
// mover.
func (p *Position) Legal(m engine.Move) bool {
	if m == Commit {
		return p.session.open() && p.canCommit()
	}
	if p.sides[p.turn&1].commander == NoSquare {
		return false
	}
	p.moves = p.stepsOfMover(p.moves[:0], m)
	if !slices.Contains(p.moves, m) {
		return false
	}
	th := p.assess()
	return p.isLegal(m, &th)
}

// stepsOfMover appends the pseudo-legal steps of the mover of a step. It appends
// nothing if that mover does not exist here.
func (p *Position) stepsOfMover(dst []engine.Move, m engine.Move) []engine.Move {
	from, mover := fromOf(m), moverOf(m)
	s := p.cells[from]
	in := &infos[s&511]
	slot := mover - Deploy
	switch {
	case p.session.open():
		if from != p.session.origin || mover < Deploy || p.session.rest>>slot&1 == 0 {
			return dst
		}
		return p.memberSteps(dst, slot)
	case in.side != p.turn:
		return dst
	case mover < Deploy:
		return p.generateAll(dst, from, in.kinds[0], s, Whole, p.near(from))
	case in.size < 2 || slot >= in.size:
		return dst
	}
	return p.generateAll(dst, from, in.kinds[slot&3], kept[s&511][1<<slot&7], engine.Move(mover), p.near(from))
}
