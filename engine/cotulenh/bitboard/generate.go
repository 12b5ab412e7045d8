package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Move generation appends quiet and noisy steps to two lists. A quiet step goes to an empty
// square; a noisy step captures or joins. They are kept apart because a quiet step of most
// stacks is legal without a test.

// mover is what leaves a square: a whole stack, or a member that deploys.
type mover struct {
	base  engine.Move    // the bits of the square and the mover
	moved cotulenh.Stack // what leaves
	from  uint8
	kind  uint8 // of the lead of what leaves
}

func (p *Position) wholeOf(from uint8) mover {
	s := p.cells[from]
	return mover{newStep(from, 0, whole, cotulenh.Normal), s, from, facts[s&511].kinds[0]}
}

func (p *Position) memberOf(from, slot uint8) mover {
	s := p.cells[from] & 511
	return mover{newStep(from, 0, deploy+engine.Move(slot), cotulenh.Normal), kept[s][1<<slot&7], from, facts[s].kinds[slot&3]}
}

// step completes a step. A whole stack that captures and stays is a mover of its own.
func (m *mover) step(to uint8, effect cotulenh.Effect) engine.Move {
	base := m.base
	if effect == cotulenh.Stay && base>>cotulenh.MoverShift == whole {
		base |= wholeStay << cotulenh.MoverShift
	}
	return base | engine.Move(to)<<cotulenh.ToShift | engine.Move(effect)<<cotulenh.EffectShift
}

// joinLeads returns the leads of the stacks that the mover forms with others, by their
// composition.
func (m *mover) joinLeads() *[64]cotulenh.Type {
	return &joinLeads[facts[m.moved&511].composition&63]
}

// around returns the occupied squares around a stack, as far as its members need them.
func (p *Position) around(occupied Board, from uint8) Rays {
	r := occupied.straightAt(from)
	if diagonalCodes[p.cells[from]&511] {
		r |= occupied.diagonalAt(from)
	}
	return r
}

// diagonalCodes says which stacks have a member that goes diagonally.
var diagonalCodes = func() (table [512]bool) {
	for code := cotulenh.Stack(1); code < cotulenh.NumStacks; code++ {
		for _, m := range code.Members() {
			_, _, diagonal := cotulenh.Range(m.Type, m.Heroic)
			table[code] = table[code] || diagonal
		}
	}
	return table
}()

// generate appends the pseudo-legal steps of one mover. occupied holds what is around it.
func (p *Position) generate(quiet, noisy []engine.Move, m mover, occupied Rays) ([]engine.Move, []engine.Move) {
	if cotulenh.Type(m.kind>>1) == cotulenh.Commander {
		return p.generateCommander(quiet, noisy, &m)
	}
	r := p.reach(m.kind, m.from, occupied)
	quiet = appendQuiet(quiet, &m, r.quiet)
	if r.capture|r.captureNavy|r.join != 0 {
		noisy = p.appendNoisy(noisy, &m, &r)
	}
	return quiet, noisy
}

// generateAll is generate with a single list: quiet steps, then noisy ones.
func (p *Position) generateAll(dst []engine.Move, m mover) []engine.Move {
	quiet, noisy := p.generate(dst, p.generated[:0], m, p.around(p.occupied(), m.from))
	p.generated = noisy
	return append(quiet, noisy...)
}

// pseudoLegalFrom appends the pseudo-legal steps of the stack on one square, outside a
// session: each member of a stack alone, then the whole stack.
func (p *Position) pseudoLegalFrom(dst []engine.Move, from uint8) []engine.Move {
	if size := facts[p.cells[from]&511].size; size > 1 {
		for slot := range size {
			dst = p.generateAll(dst, p.memberOf(from, slot))
		}
	}
	return p.generateAll(dst, p.wholeOf(from))
}

// appendQuiet appends the steps to empty squares.
func appendQuiet(dst []engine.Move, m *mover, to Rays) []engine.Move {
	base, from := m.base, m.from
	for to != 0 {
		dst = append(dst, base|engine.Move(from+steps[to.pop()])<<cotulenh.ToShift)
	}
	return dst
}

// reach is what a mover can do around its square: where it may move, and on which occupied
// squares it may capture an enemy or join an own stack.
type reach struct {
	quiet, join Rays
	capture     Rays
	captureNavy Rays // captures only of stacks that a navy leads
	suicide     Rays // captures that lose the capturer too
}

// reach returns the reach of a kind of piece other than a commander. occupied holds the
// squares around it.
func (p *Position) reach(kind, from uint8, occupied Rays) reach {
	switch cotulenh.Type(kind >> 1) {
	case cotulenh.AirForce:
		return p.reachInAir(kind, from, occupied)
	case cotulenh.Artillery, cotulenh.Missile:
		return reachOverPieces(kind, from, occupied, occupied)
	case cotulenh.Navy:
		navies := p.sides[0].leads[cotulenh.Navy].Or(p.sides[1].leads[cotulenh.Navy])
		return reachOverPieces(kind, from, occupied, navies.raysAt(from))
	}
	return reachOnGround(kind, from, occupied)
}

// reachOnGround serves the pieces that the first piece on a ray stops: infantry, tank,
// militia, engineer, anti-air and headquarters.
func reachOnGround(kind, from uint8, occupied Rays) reach {
	first := occupied & occupied.upTo()
	return reach{
		quiet:   moveRays(kind, from) & occupied.before(),
		capture: first & captureRays[kind&31],
		join:    first & joinRays[kind&31][from],
	}
}

// reachOverPieces serves artillery, missile and navy, which capture over any piece. Moves
// and joins end at the first blocker: any piece for artillery and missile, a navy lead for
// a navy.
func reachOverPieces(kind, from uint8, occupied, blockers Rays) reach {
	return reach{
		quiet:       moveRays(kind, from) & blockers.before() &^ occupied,
		capture:     occupied & captureRays[kind&31],
		captureNavy: occupied & captureNavyRays[kind&31],
		join:        occupied & joinRays[kind&31][from] & blockers.upTo(),
	}
}

// reachInAir serves the air force, which only air defense stops.
func (p *Position) reachInAir(kind, from uint8, occupied Rays) reach {
	safe, suicide := raysAll, Rays(0)
	if kind == airKind {
		safe, suicide = p.flights(p.turn, from)
	}
	alive := occupied & captureRays[kind&31] & (safe | suicide)
	return reach{
		quiet:   moveRays(kind, from) & safe &^ occupied,
		capture: alive,
		suicide: suicide,
		join:    alive,
	}
}

// appendNoisy appends the captures and joins.
func (p *Position) appendNoisy(dst []engine.Move, m *mover, r *reach) []engine.Move {
	us, leads := p.turn, m.joinLeads()
	for all := r.capture | r.captureNavy | r.join; all != 0; {
		bit := all.pop()
		to := m.from + steps[bit]
		f := &facts[p.cells[to]&511]
		switch {
		case f.side == us:
			if r.join>>bit&1 != 0 && fits[leads[f.composition&63]&15][to] {
				dst = append(dst, m.step(to, cotulenh.Join))
			}
		case r.capture>>bit&1 != 0 || r.captureNavy>>bit&1 != 0 && f.lead == cotulenh.Navy:
			dst = appendCapture(dst, m, to, r.suicide>>bit&1 != 0)
		}
	}
	return dst
}

// appendCapture appends the capture of an enemy. An air force that captures as a whole
// stack may also stay.
func appendCapture(dst []engine.Move, m *mover, to uint8, suicide bool) []engine.Move {
	effect := captureEffect(m.kind, to, suicide)
	dst = append(dst, m.step(to, effect))
	if effect == cotulenh.Capture && m.base>>cotulenh.MoverShift == whole && m.kind&^1 == airKind {
		dst = append(dst, m.step(to, cotulenh.Stay))
	}
	return dst
}

// captureEffect returns the effect of a capture as air defense and terrain decide it.
func captureEffect(kind, to uint8, suicide bool) cotulenh.Effect {
	switch {
	case suicide:
		return cotulenh.Suicide
	case fits[kind>>1&15][to]:
		return cotulenh.Capture
	}
	return cotulenh.Stay
}

// generateCommander appends the pseudo-legal steps of a commander. It moves as far as the
// board is free, which is farther than Rays reach. Any piece stops it, and so does a square
// that is exposed to the enemy commander.
func (p *Position) generateCommander(quiet, noisy []engine.Move, m *mover) ([]engine.Move, []engine.Move) {
	occupied, exposed := p.occupied(), p.exposed(m.from)
	stops := occupied.Or(exposed)
	count := 4
	if m.kind&1 != 0 {
		count = 8
	}
	for d := range count {
		free := openSteps(stops, m.from, d)
		limit := commanderLimits[m.from][d]
		to := m.from
		for range min(free, limit) {
			to += uint8(directions[d])
			quiet = append(quiet, m.step(to, cotulenh.Normal))
		}
		if free == edges[m.from][d] {
			continue
		}
		to = m.from + (free+1)*uint8(directions[d])
		if occupied.has(to) {
			noisy = p.appendCommanderStep(noisy, m, to, d, free+1)
		}
	}
	return quiet, noisy
}

// appendCommanderStep appends the capture or the join on the first stack in a direction.
func (p *Position) appendCommanderStep(dst []engine.Move, m *mover, to uint8, d int, distance uint8) []engine.Move {
	f := &facts[p.cells[to]&511]
	if f.side != p.turn {
		if distance == 1 && (f.lead != cotulenh.Commander || d < 4) {
			dst = append(dst, m.step(to, captureEffect(m.kind, to, false)))
		}
		return dst
	}
	if distance <= commanderLimits[m.from][d] && fits[m.joinLeads()[f.composition&63]&15][to] {
		dst = append(dst, m.step(to, cotulenh.Join))
	}
	return dst
}
