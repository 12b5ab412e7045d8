package cotulenh

import "selfplay/engine"

// Moves appends every legal step to dst. Most steps are legal without a test by
// playing; threats describes the position's exceptions.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	if p.session.open() {
		return p.sessionMoves(dst)
	}
	own := &p.sides[p.turn&1]
	if own.commander == noSquare {
		return dst
	}
	th, all := p.assess(), p.occupied()
	untested, noisy := p.untested[:0], p.noisy[:0]
	first, tested := 0, 0 // of untested: steps that have been tested already
	for _, from := range own.squares[:own.n] {
		s, near := p.cells[from], raysAround(&all, from)
		in := &infos[s&511]
		quietLegal := th.quietLegal(from, in)
		if in.size > 1 {
			dst, untested, noisy = p.generateDeployments(dst, untested, noisy, from, near, quietLegal)
		}
		switch {
		case quietLegal: // generate by hand, without a commander
			sc := p.scope(from, in.kinds[0], near)
			dst = appendQuiet(dst, newStep(from, 0, whole, normal), sc.quiet)
			if sc.noisy != 0 {
				noisy = p.appendNoisy(noisy, newStep(from, 0, whole, normal), in.kinds[0], in.composition, sc)
			}
		case s == loneCommanders[p.turn&1]:
			first = len(untested)
			untested, noisy = p.generate(untested, noisy, from, in.kinds[0], s, whole, near)
			untested = p.appendCommanderSteps(untested[:first], untested[first:], &th)
			tested = len(untested)
		default:
			untested, noisy = p.generate(untested, noisy, from, in.kinds[0], s, whole, near)
		}
	}
	p.untested, p.noisy = untested, noisy
	dst = p.appendLegal(dst, noisy, &th)
	dst = p.appendLegal(dst, untested[:first], &th)
	dst = append(dst, untested[first:tested]...)
	return p.appendLegal(dst, untested[tested:], &th)
}

// generateDeployments generates the steps of the members of a stack. The quiet ones go
// to legal if they are legal without a test.
func (p *Position) generateDeployments(legal, untested, noisy []engine.Move, from uint8, near rays, quietLegal bool) (a, b, c []engine.Move) {
	s := p.cells[from]
	in := &infos[s&511]
	for slot := range in.size {
		kind, member, mover := in.kinds[slot&3], kept[s&511][1<<slot&7], engine.Move(deploy+slot)
		if quietLegal && remnantFits(kept[s&511][^(1<<slot)&7], from) {
			legal, noisy = p.generate(legal, noisy, from, kind, member, mover, near)
		} else {
			untested, noisy = p.generate(untested, noisy, from, kind, member, mover, near)
		}
	}
	return legal, untested, noisy
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
	if p.missesEvasions(fromOf(m), toOf(m), th) {
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
	if moverOf(m) < deploy {
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
