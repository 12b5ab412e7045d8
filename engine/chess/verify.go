package chess

import "selfplay/engine"

// Legal reports whether Moves lists a move that it listed somewhere.
func (p *Position) Legal(m engine.Move) bool {
	if p.board[fromOf(m)] != pieceOf(m) || p.board[toOf(m)] != takenOf(m) {
		return false
	}
	here, ok := p.pack(Unpack(m))
	return ok && here == m
}
