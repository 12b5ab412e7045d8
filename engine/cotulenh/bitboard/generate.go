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
