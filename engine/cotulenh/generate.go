package cotulenh

import "selfplay/engine"

// Move generation appends quiet and noisy steps to two lists. A quiet step goes to an
// empty square; a noisy step captures or joins. They are kept apart because a quiet
// step of most stacks is legal without a test.

// generate appends the pseudo-legal steps of one mover. kind is the kind of its lead,
// moved the stack that leaves from, near the stacks around from.
func (p *Position) generate(quiet, noisy []engine.Move, from, kind uint8, moved Stack, mover engine.Move, near rays) ([]engine.Move, []engine.Move) {
	base, composition := engine.Move(from)|mover<<MoverShift, infos[moved&511].composition
	if kind>>1 == uint8(Commander) {
		return p.generateCommander(quiet, noisy, from, kind, base, &joinLeads[composition&63])
	}
	sc := p.scope(from, kind, near)
	quiet = appendQuiet(quiet, base, sc.quiet)
	if sc.noisy != 0 {
		noisy = p.appendNoisy(noisy, base, kind, composition, sc)
	}
	return quiet, noisy
}

// generateAll is generate with a single list: quiet steps, then noisy ones.
func (p *Position) generateAll(dst []engine.Move, from, kind uint8, moved Stack, mover engine.Move, near rays) []engine.Move {
	base, composition := engine.Move(from)|mover<<MoverShift, infos[moved&511].composition
	if kind>>1 == uint8(Commander) {
		quiet, noisy := p.generateCommander(dst, p.generated[:0], from, kind, base, &joinLeads[composition&63])
		p.generated = noisy
		return append(quiet, noisy...)
	}
	sc := p.scope(from, kind, near)
	return p.appendNoisy(appendQuiet(dst, base, sc.quiet), base, kind, composition, sc)
}

// near returns the stacks around a square.
func (p *Position) near(sq uint8) rays {
	all := p.occupied()
	return raysAround(&all, sq)
}

// occupied returns the squares that hold a stack.
func (p *Position) occupied() squareSet {
	a, b := &p.occ[0], &p.occ[1]
	return squareSet{a[0] | b[0], a[1] | b[1], a[2] | b[2]}
}

// pseudoLegalFrom appends the pseudo-legal steps of the stack on one square, outside a
// session: each member of a stack alone, then the whole stack.
func (p *Position) pseudoLegalFrom(dst []engine.Move, from uint8) []engine.Move {
	return p.pseudoLegalNear(dst, from, p.near(from))
}

// pseudoLegalNear is pseudoLegalFrom if the stacks around the square are known.
func (p *Position) pseudoLegalNear(dst []engine.Move, from uint8, near rays) []engine.Move {
	s := p.cells[from]
	in := &infos[s&511]
	if in.size > 1 {
		for slot := range in.size {
			dst = p.generateAll(dst, from, in.kinds[slot&3], kept[s&511][1<<slot&7], engine.Move(Deploy+slot), near)
		}
	}
	return p.generateAll(dst, from, in.kinds[0], s, Whole, near)
}

// quietStep completes a step to an empty square.
func quietStep(base engine.Move, to uint8) engine.Move { return base | engine.Move(to)<<ToShift }

// noisyStep completes a capture or join. A whole stack that captures and stays is a
// mover of its own.
func noisyStep(base engine.Move, to uint8, e Effect) engine.Move {
	if e == Stay && base>>MoverShift == Whole {
		base |= WholeStay << MoverShift
	}
	return base | engine.Move(to)<<ToShift | engine.Move(e)<<EffectShift
}

// captureOrStay returns the effect of a capture as terrain decides it.
func captureOrStay(flags uint8) Effect {
	if flags&canStand != 0 {
		return Capture
	}
	return Stay
}
