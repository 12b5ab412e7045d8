package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

// Moves appends every legal step to dst. Most steps are legal without a test by
// playing; threats describes the position's exceptions.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	if p.session.open() {
		return p.sessionMoves(dst)
	}
	own := &p.sides[p.turn&1]
	if own.commander == NoSquare {
		return dst
	}
	th, all := p.assess(), p.occupied()
	p.untested, p.noisy = p.untested[:0], p.noisy[:0]
	first, tested := 0, 0 // of untested: steps that have been tested already
	for _, from := range own.squares[:own.n] {
		s, near := p.cells[from], raysAround(&all, from)
		in := &infos[s&511]
		quietLegal := th.quietLegal(from, in)
		if in.size > 1 {
			dst = p.generateDeployments(dst, from, near, quietLegal)
		}
		switch {
		case quietLegal: // no commander leads, so this is generate without the call
			sc := p.scope(from, in.kinds[0], near)
			if sc.noisy != 0 {
				p.noisy = p.appendNoisy(p.noisy, newStep(from, 0, Whole, Normal), in, sc)
			}
			dst = appendQuiet(dst, newStep(from, 0, Whole, Normal), sc.quiet)
		case s == loneCommanders[p.turn&1]:
			first = len(p.untested)
			p.untested, p.noisy = p.generate(p.untested, p.noisy, from, Whole, near)
			p.untested = p.appendCommanderSteps(p.untested[:first], p.untested[first:], &th)
			tested = len(p.untested)
		default:
			p.untested, p.noisy = p.generate(p.untested, p.noisy, from, Whole, near)
		}
	}
	dst = p.appendLegal(dst, p.noisy, &th)
	dst = p.appendLegal(dst, p.untested[:first], &th)
	dst = append(dst, p.untested[first:tested]...)
	return p.appendLegal(dst, p.untested[tested:], &th)
}

// generateDeployments generates the steps of the members of a stack. Quiet ones that are
// legal without a test go to dst, the others to p.untested and p.noisy.
func (p *Position) generateDeployments(dst []engine.Move, from uint8, near rays, quietLegal bool) []engine.Move {
	s := p.cells[from]
	for slot := range uint8(s.Size()) {
		if quietLegal && remnantFits(s.without(slot), from) {
			dst, p.noisy = p.generate(dst, p.noisy, from, Deploy+slot, near)
		} else {
			p.untested, p.noisy = p.generate(p.untested, p.noisy, from, Deploy+slot, near)
		}
	}
	return dst
}

// sessionMoves is Moves in an open session.
func (p *Position) sessionMoves(dst []engine.Move) []engine.Move {
	start := len(dst)
	dst = p.sessionSteps(dst)
	th := p.assess()
	dst = p.appendLegal(dst[:start], dst[start:], &th)
	if p.canCommit() {
		dst = append(dst, Commit)
	}
	return dst
}

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
			quiet, noisy := p.generate(p.noisy[:0], listed, from, Whole, near)
			p.noisy, listed = quiet, noisy
			n += len(p.appendCommanderSteps(quiet[:0], quiet, &th))
		case in.size > 1 || !th.quietLegal(from, in):
			listed = p.pseudoLegalFrom(listed, from, near)
		default:
			sc := p.scope(from, in.kinds[0], near)
			n += bits.OnesCount64(uint64(sc.quiet))
			listed = p.appendNoisy(listed, newStep(from, 0, Whole, Normal), in, sc)
		}
	}
	p.untested = listed
	return n + len(p.appendLegal(listed[:0], listed, &th))
}

// loneCommanders holds the codes of the commanders without cargo that are not heroic.
var loneCommanders = [2]Stack{codeOf(0, 1<<Commander, 0), codeOf(1, 1<<Commander, 0)}

// appendCommanderSteps appends the legal ones of the quiet steps of a commander that
// stands alone. The list may follow dst in the same array.
func (p *Position) appendCommanderSteps(dst, list []engine.Move, th *threats) []engine.Move {
	us := p.turn & 1
	from, enemy := p.sides[us].commander, p.sides[us^1].commander
	s := p.cells[from]
	mayPromote := inAttackRange[from-enemy] || p.sides[us].n <= 3
	for _, m := range list {
		to := toOf(m)
		if th.promotionPending || (mayPromote || inAttackRange[to-enemy]) && p.airInRange(us, to) {
			if p.playLegal(m) {
				dst = append(dst, m)
			}
			continue
		}
		p.cells[from] = Empty
		safe := !p.wouldFace(us, to) && p.attackOn(us, to, landTarget) == noAttack
		p.cells[from] = s
		if safe {
			dst = append(dst, m)
		}
	}
	return dst
}
