package chess

import "selfplay/engine"

// Legal reports whether Moves lists m in this position. Moves must have listed m in
// some position.
func (p *Position) Legal(m engine.Move) bool {
	if p.board[fromOf(m)] != pieceOf(m) || p.board[toOf(m)] != takenOf(m) {
		return false
	}
	legal, ok := p.pack(Unpack(m))
	return ok && legal == m
}
