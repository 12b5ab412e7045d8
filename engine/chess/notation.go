package chess

import "strconv"

// A position text is FEN: six fields separated by one blank each.
//
//	placement side castling en-passant half-move full-move
//
// String writes canonical FEN: castling rights in the order KQkq, and an en passant
// square only if such a capture is legal. Set accepts a little more, see read.go.

// StartText is the text of the start of the game.
const StartText = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// pieceLetters are the FEN letters by piece code.
const pieceLetters = "?????????PNBRQK??pnbrqk?"

const rightLetters = "KQkq"

// String returns the canonical text.
func (p *Position) String() string { return string(p.appendText(make([]byte, 0, 96))) }

func (p *Position) appendText(b []byte) []byte {
	for rank := range 8 {
		if rank > 0 {
			b = append(b, '/')
		}
		b = p.appendRank(b, rank)
	}
	b = append(b, ' ', "wb"[p.turn()], ' ')
	b = appendRights(b, p.Castling())
	b = append(b, ' ')
	if cell, ok := p.passantCell(); ok {
		b = append(b, cellName(cell)...)
	} else {
		b = append(b, '-')
	}
	b = append(b, ' ')
	b = strconv.AppendUint(b, uint64(p.HalfMove()), 10)
	b = append(b, ' ')
	return strconv.AppendUint(b, uint64(p.FullMove()), 10)
}

func (p *Position) appendRank(b []byte, rank int) []byte {
	gap := byte(0)
	for _, sq := range mailbox64[rank*8:][:8] {
		piece := p.board[sq]
		if piece == empty {
			gap++
			continue
		}
		if gap > 0 {
			b = append(b, '0'+gap)
			gap = 0
		}
		b = append(b, pieceLetters[piece])
	}
	if gap > 0 {
		b = append(b, '0'+gap)
	}
	return b
}

func appendRights(b []byte, rights uint8) []byte {
	if rights == 0 {
		return append(b, '-')
	}
	for i := range len(rightLetters) {
		if rights>>i&1 != 0 {
			b = append(b, rightLetters[i])
		}
	}
	return b
}
