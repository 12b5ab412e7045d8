package chess

import (
	"slices"

	"selfplay/engine"
)

// Legal reports whether Moves lists a move.
func (p *Position) Legal(m engine.Move) bool {
	if p.board[fromOf(m)] != pieceOf(m) || p.board[toOf(m)] != takenOf(m) {
		return false
	}
	p.list = p.Moves(p.list[:0])
	return slices.Contains(p.list, m)
}
