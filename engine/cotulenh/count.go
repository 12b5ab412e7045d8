package cotulenh

import "math/bits"

// Count returns the number of steps that Moves lists. It counts the quiet steps of most
// stacks without listing them.
func (p *Position) Count() int {
	own := &p.sides[p.turn&1]
	if p.session.open() || own.commander == NoSquare {
		p.moves = p.Moves(p.moves[:0])
		return len(p.moves)
	}
	th, all := p.assess(), p.occupied()
	listed := p.untested[:0]
	n := 0
	for _, from := range own.squares[:own.n] {
		s, near := p.cells[from], raysAround(&all, from)
		in := &infos[s&511]
		switch {
		case s == loneCommanders[p.turn&1]:
			quiet, noisy := p.generate(p.noisy[:0], listed, from, in.kinds[0], s, Whole, near)
			p.noisy, listed = quiet, noisy
			n += len(p.appendCommanderSteps(quiet[:0], quiet, &th))
		case in.size > 1 || !th.quietLegal(from, in):
			listed = p.pseudoLegalNear(listed, from, near)
		default:
			sc := p.scope(from, in.kinds[0], near)
			n += bits.OnesCount64(uint64(sc.quiet))
			listed = p.appendNoisy(listed, newStep(from, 0, Whole, Normal), in.kinds[0], in.composition, sc)
		}
	}
	p.untested = listed
	return n + len(p.appendLegal(listed[:0], listed, &th))
}
