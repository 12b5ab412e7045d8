package bitboard

import "selfplay/engine"

// Moves appends every legal step to dst. Most steps are legal without a test by playing;
// threats describes the position's exceptions. The order is that of package cotulenh: quiet
// steps that need no test, then captures and joins, then the other quiet steps.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	if p.session.open() {
		return p.sessionMoves(dst)
	}
	own := p.own()
	if own.commander == noSquare {
		return dst
	}
	th := p.assess()
	occupied := p.occupied()
	untested, noisy := p.untested[:0], p.noisy[:0]
	for _, from := range own.squares[:own.n] {
		f := &facts[p.cells[from]&511]
		around := p.around(occupied, from)
		quietLegal := th.quietLegal(from, f)
		if f.size > 1 {
			for slot := range f.size {
				if quietLegal && remnantFits(kept[p.cells[from]&511][^(1<<slot)&7], from) {
					dst, noisy = p.generate(dst, noisy, p.memberOf(from, slot), around)
				} else {
					untested, noisy = p.generate(untested, noisy, p.memberOf(from, slot), around)
				}
			}
		}
		if quietLegal {
			dst, noisy = p.generate(dst, noisy, p.wholeOf(from), around)
		} else {
			untested, noisy = p.generate(untested, noisy, p.wholeOf(from), around)
		}
	}
	p.untested, p.noisy = untested, noisy
	dst = p.appendLegal(dst, noisy, &th)
	return p.appendLegal(dst, untested, &th)
}

// sessionMoves is Moves in an open session.
func (p *Position) sessionMoves(dst []engine.Move) []engine.Move {
	start := len(dst)
	dst = p.sessionSteps(dst)
	th := p.assess()
	dst = p.appendLegal(dst[:start], dst[start:], &th)
	if p.canCommit() {
		dst = append(dst, commit)
	}
	return dst
}

// appendLegal appends the legal steps of a list. The list may follow dst in the same array.
func (p *Position) appendLegal(dst, list []engine.Move, th *threats) []engine.Move {
	for _, m := range list {
		if p.surelyLegal(m, th) || p.testLegal(m, th) {
			dst = append(dst, m)
		}
	}
	return dst
}

// isLegal reports whether a pseudo-legal step is legal.
func (p *Position) isLegal(m engine.Move, th *threats) bool {
	return p.surelyLegal(m, th) || p.testLegal(m, th)
}

// testLegal decides about a step that surelyLegal does not confirm.
func (p *Position) testLegal(m engine.Move, th *threats) bool {
	if p.missesEvasions(fromOf(m), toOf(m), th) {
		return false
	}
	if legal, known := p.commanderStepLegal(m, th); known {
		return legal
	}
	before := p.save()
	ok := p.tryStep(m)
	p.restore(&before)
	return ok
}

// tryStep applies a pseudo-legal step and reports whether it was legal. It does not end the
// turn. The caller restores the position if the step was not legal.
func (p *Position) tryStep(m engine.Move) bool {
	if moverOf(m) < deploy {
		p.apply(m)
		return !p.danger(p.turn)
	}
	// The first deploy step of a stack without the commander must leave the commander safe
	// at once. Other deploy steps only need a continuation that can commit.
	mayFinishLater := p.session.open() || facts[p.cells[fromOf(m)]&511].commander != 0
	p.apply(m)
	if !mayFinishLater && p.danger(p.turn) {
		return false
	}
	return p.canFinish(1)
}
