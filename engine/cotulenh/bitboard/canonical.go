package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

var _ engine.Orderer = (*Position)(nil)

// Canonical reports whether a step is in canonical order after the last one, the same as
// package cotulenh.
func (p *Position) Canonical(m engine.Move) bool {
	if !p.session.open() || p.half == 0 || m == commit || effectOf(m) != cotulenh.Normal || p.sides[0].n <= 2 || p.sides[1].n <= 2 {
		return true
	}
	o := cotulenh.DeployOrder{
		Cells: &p.cells, Us: p.turn & 1, Commanders: [2]uint8{p.sides[0].commander, p.sides[1].commander},
		Origin: p.session.origin, Landed: p.session.landed,
	}
	return !o.Swaps(m) || p.danger(p.turn) || p.commanderAttack(p.turn^1) != noAttack
}
