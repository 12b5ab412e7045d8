package cotulenh

import "selfplay/engine"

// Move generation appends quiet and noisy steps to two lists. A quiet step goes to an
// empty square; a noisy step captures or joins. They are kept apart because a quiet
// step of most stacks is legal without a test.

// generate appends the pseudo-legal steps of one mover. kind is the kind of its lead,
// moved the stack that leaves from.
func (p *Position) generate(quiet, noisy []engine.Move, from, kind uint8, moved Stack, mover engine.Move) ([]engine.Move, []engine.Move) {
	at := spans[kind&31][from]
	run := targets[at.first:][:at.count]
	base := engine.Move(from) | mover<<moverShift
	leads := &joinLeads[infos[moved&511].composition&63]
	switch Type(kind >> 1) {
	case Commander:
		return p.generateCommander(quiet, noisy, run, base, leads)
	case AirForce:
		return p.generateAir(quiet, noisy, run, base, leads, kind&heroicBit != 0)
	case Artillery, Missile:
		return p.generateRanged(quiet, noisy, run, base, leads, false)
	case Navy:
		return p.generateRanged(quiet, noisy, run, base, leads, true)
	}
	return p.generateGround(quiet, noisy, run, base, leads)
}

// generateAll is generate with a single list: quiet steps, then noisy ones.
func (p *Position) generateAll(dst []engine.Move, from, kind uint8, moved Stack, mover engine.Move) []engine.Move {
	quiet, noisy := p.generate(dst, p.generated[:0], from, kind, moved, mover)
	p.generated = noisy
	return append(quiet, noisy...)
}

// pseudoLegalFrom appends the pseudo-legal steps of the stack on one square, outside a
// session: each member of a stack alone, then the whole stack.
func (p *Position) pseudoLegalFrom(dst []engine.Move, from uint8) []engine.Move {
	s := p.cells[from]
	in := &infos[s&511]
	if in.size > 1 {
		for slot := range in.size {
			dst = p.generateAll(dst, from, in.kinds[slot&3], kept[s&511][1<<slot&7], engine.Move(deploy+slot))
		}
	}
	return p.generateAll(dst, from, in.kinds[0], s, whole)
}

// quietStep completes a step to an empty square.
func quietStep(base engine.Move, to uint8) engine.Move { return base | engine.Move(to)<<toShift }

// noisyStep completes a capture or join. A whole stack that captures and stays is a
// mover of its own.
func noisyStep(base engine.Move, to uint8, e effect) engine.Move {
	if e == stay && base>>moverShift == whole {
		base |= wholeStay << moverShift
	}
	return base | engine.Move(to)<<toShift | engine.Move(e)<<effectShift
}

// captureOrStay returns the effect of a capture as terrain decides it.
func captureOrStay(flags uint8) effect {
	if flags&canStand != 0 {
		return capture
	}
	return stay
}
