package cotulenh

import "selfplay/engine"

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
		case quietLegal: // generate by hand, without a commander
			sc := p.scope(from, in.kinds[0], near)
			if sc.noisy != 0 {
				p.noisy = p.appendNoisy(p.noisy, newStep(from, 0, Whole, Normal), in.kinds[0], in.composition, sc)
			}
			dst = appendQuiet(dst, newStep(from, 0, Whole, Normal), sc.quiet)
		case s == loneCommanders[p.turn&1]:
			first = len(p.untested)
			p.untested, p.noisy = p.generate(p.untested, p.noisy, from, in.kinds[0], s, Whole, near)
			p.untested = p.appendCommanderSteps(p.untested[:first], p.untested[first:], &th)
			tested = len(p.untested)
		default:
			p.untested, p.noisy = p.generate(p.untested, p.noisy, from, in.kinds[0], s, Whole, near)
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
	in := &infos[s&511]
	for slot := range in.size {
		kind, member, mover := in.kinds[slot&3], kept[s&511][1<<slot&7], engine.Move(Deploy+slot)
		if quietLegal && remnantFits(kept[s&511][^(1<<slot)&7], from) {
			dst, p.noisy = p.generate(dst, p.noisy, from, kind, member, mover, near)
		} else {
			p.untested, p.noisy = p.generate(p.untested, p.noisy, from, kind, member, mover, near)
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

// appendLegal appends the legal steps of a list. The list may follow dst in the same
// array.
func (p *Position) appendLegal(dst, list []engine.Move, th *threats) []engine.Move {
	for _, m := range list {
		if p.surelyLegal(m, th) || p.testLegal(m, th) { // isLegal by hand, which saves a call
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
	if p.missesEvasions(fromOf(m), toOf(m), th) || p.opensLine(m, th) {
		return false
	}
	if legal, known := p.commanderStepLegal(m, th); known {
		return legal
	}
	return p.playLegal(m)
}

// playLegal decides about a step by playing it.
func (p *Position) playLegal(m engine.Move) bool {
	before := p.save()
	ok := p.tryStep(m)
	p.restore(&before)
	return ok
}

// tryStep applies a pseudo-legal step and reports whether it was legal. It does not
// end the turn. The caller restores the position if the step was not legal.
func (p *Position) tryStep(m engine.Move) bool {
	if moverOf(m) < Deploy {
		p.apply(m)
		return !p.danger(p.turn)
	}
	// The first deploy step of a stack without the commander must leave the commander
	// safe at once. Other deploy steps only need a continuation that can commit.
	mayFinishLater := p.session.open() || infos[p.cells[fromOf(m)]&511].commander != 0
	p.apply(m)
	if !mayFinishLater && p.danger(p.turn) {
		return false
	}
	return p.canFinish(1)
}
