package cotulenh

import (
	"slices"

	"selfplay/engine"
)

// pseudoLegalFrom appends the pseudo-legal steps of the stack on one square, outside a
// session: each member of a stack alone, then the whole stack.
func (p *Position) pseudoLegalFrom(dst []engine.Move, from uint8, near rays) []engine.Move {
	if size := infos[p.cells[from]&511].size; size > 1 {
		for slot := range size {
			dst = p.generateAll(dst, from, Deploy+slot, near)
		}
	}
	return p.generateAll(dst, from, Whole, near)
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
	member, start := p.cells[from].member(slot), len(dst)
	dst = p.generateAll(dst, from, Deploy+slot, p.near(from))
	for _, to := range p.session.landed {
		if to == NoSquare {
			break
		}
		q := p.cells[to]
		sum := combine(member, q)
		if sum == Empty || infos[sum&511].lead != infos[q&511].lead {
			continue
		}
		if m := newStep(from, to, Deploy+slot, Join); !slices.Contains(dst[start:], m) {
			dst = append(dst, m)
		}
	}
	return dst
}

// Move generation appends quiet and noisy steps to two lists. A quiet step goes to an
// empty square; a noisy step captures or joins. They are kept apart because a quiet
// step of most stacks is legal without a test.

// generate appends the pseudo-legal steps of one mover of the stack on from. near holds the
// stacks around from.
func (p *Position) generate(quiet, noisy []engine.Move, from, mover uint8, near rays) ([]engine.Move, []engine.Move) {
	base, in := newStep(from, 0, mover, Normal), &infos[p.cells[from].moving(mover)&511]
	if in.lead == Commander {
		return p.generateCommander(quiet, noisy, base, in)
	}
	sc := p.scope(from, in.kinds[0], near)
	quiet = appendQuiet(quiet, base, sc.quiet)
	if sc.noisy != 0 {
		noisy = p.appendNoisy(noisy, base, in, sc)
	}
	return quiet, noisy
}

// generateAll is generate with a single list: quiet steps, then noisy ones.
func (p *Position) generateAll(dst []engine.Move, from, mover uint8, near rays) []engine.Move {
	base, in := newStep(from, 0, mover, Normal), &infos[p.cells[from].moving(mover)&511]
	if in.lead == Commander {
		quiet, noisy := p.generateCommander(dst, p.generated[:0], base, in)
		p.generated = noisy
		return append(quiet, noisy...)
	}
	sc := p.scope(from, in.kinds[0], near)
	return p.appendNoisy(appendQuiet(dst, base, sc.quiet), base, in, sc)
}

// appendQuiet appends a step to each empty square of a set. base holds the square and the
// mover of the steps.
func appendQuiet(dst []engine.Move, base engine.Move, set rays) []engine.Move {
	base = quietStep(base, fromOf(base))
	for ; set != 0; set &= set - 1 {
		dst = append(dst, base+raySteps[set.next()])
	}
	return dst
}

// appendNoisy appends the captures and joins of a mover other than a commander. moved
// describes the stack that moves.
func (p *Position) appendNoisy(dst []engine.Move, base engine.Move, moved *stackInfo, sc scope) []engine.Move {
	from, kind := fromOf(base), moved.kinds[0]
	ground, leads := kindScopes[kind&31].class <= rangedClass, &joinLeads[moved.composition&63]
	for set := sc.noisy; set != 0; set &= set - 1 {
		i := set.next()
		to := from + raySquares[i]
		in := &infos[p.cells[to]&511]
		if in.side == p.turn {
			lead := leads[in.composition&63]
			if lead != noLead && sc.joins>>i&1 != 0 && fits[lead&15][to] && (ground || p.canReachOwn(from, kind, &rayTargets[i&63])) {
				dst = append(dst, noisyStep(base, to, Join))
			}
			continue
		}
		t := captureTarget(kind, from, to)
		if e, ok := p.effectOnEnemy(from, kind, in, &t); ok {
			dst = appendStep(dst, base, to, kind, e)
		}
	}
	return dst
}

// appendStep appends the step with this effect. An air force that captures as a whole
// stack may also stay.
func appendStep(dst []engine.Move, base engine.Move, to, kind uint8, e Effect) []engine.Move {
	dst = append(dst, noisyStep(base, to, e))
	if e == Capture && base>>MoverShift == Whole && kind&^heroicBit == airKind {
		dst = append(dst, noisyStep(base, to, Stay))
	}
	return dst
}

// generateCommander is generate for the commander. Any stack stops it, and so does a
// square that is exposed to the enemy commander. It captures on adjacent squares only.
func (p *Position) generateCommander(quiet, noisy []engine.Move, base engine.Move, moved *stackInfo) ([]engine.Move, []engine.Move) {
	from, kind, leads := fromOf(base), moved.kinds[0], &joinLeads[moved.composition&63]
	dirs := directions[:4]
	if kind&heroicBit != 0 {
		dirs = directions[:]
	}
	for d, dir := range dirs {
		to := from + uint8(dir)
		for p.cells[to] == Empty && fits[Commander][to] && !p.exposed(from, to) {
			quiet = append(quiet, quietStep(base, to))
			to += uint8(dir)
		}
		switch in := &infos[p.cells[to]&511]; in.side {
		case p.turn:
			if fits[Commander][to] && fits[leads[in.composition&63]&15][to] {
				noisy = append(noisy, noisyStep(base, to, Join))
			}
		case p.turn ^ 1:
			if to == from+uint8(dir) && (d < 4 || in.lead != Commander) {
				noisy = append(noisy, noisyStep(base, to, captureOrStay(captureTarget(kind, from, to).flags)))
			}
		}
	}
	return quiet, noisy
}
