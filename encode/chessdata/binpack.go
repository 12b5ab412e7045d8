package chessdata

import (
	"encoding/binary"
	"fmt"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// A file in Stockfish's binpack is a series of blocks: the letters BINP, the number of bytes
// that follow as 32 bits, little endian, and chains. A chain is a position of 32 bytes, the
// number of positions that continue it, 16 bits, and movetext. Numbers inside are big endian:
//
//	 0  8  occupied squares, bit 0 for a1
//	 8 16  4 bits per piece in the order of its square, the low half of a byte first:
//	       0 to 11 P p N n B b R r Q q K k; 12 pawn that can be captured en passant,
//	       13 and 14 white and black rook that may castle, 15 black king with black to move
//	24  2  move: kind<<14 | from<<8 | to<<2 | (promotion - knight), kinds 0 normal,
//	       1 promotion, 2 castling to the cell of the rook, 3 en passant
//	26  2  score of the side to move, zigzag: 2*n or -2*n-1
//	28  2  plies before the position, plus result<<14, zigzag, of the side to move
//	30  2  half-move clock
//
// Each further position comes from playing the move of the one before; its result is the
// opposite. Movetext has for each its move and its score, as bits from the highest of a byte to
// the lowest. The last byte of a chain is filled with zeros. n choices take as many bits as n-1
// has, none if n is 1:
//
//	the moving piece  its number among the pieces of the side to move, by square
//	where it goes     its number among the choices of the piece, see choices
//	the score         the difference to the score before, seen by the same side, zigzag: groups
//	                  of 4 bits, the low ones first, each after a bit that says whether more follow
const (
	binpackStem  = 32
	binpackCount = 2 // bytes of the number of further positions
	binpackPly   = 1<<14 - 1
	binpackGroup = 4 // bits of a group of a score
)

// Codes of pieces that say more.
const (
	binpackPassant   = 12
	binpackWhiteRook = 13
	binpackBlackRook = 14
	binpackBlackTurn = 15
)

var binpackKinds = [...]uint16{Normal: 0, Promotion: 1, Castling: 2, EnPassant: 3}

// appendStem appends the first position of a chain. The number of plies is at most binpackPly.
func appendStem(dst []byte, r *Row) ([]byte, error) {
	var out [binpackStem]byte
	p := &r.Position
	occupied, n := uint64(0), 0
	for square := range 64 {
		if p.Cells[square^flip] == 0 {
			continue
		}
		if n == maxPieces {
			return dst, errPieces
		}
		occupied |= 1 << square
		out[8+n/2] |= binpackPiece(p, square^flip) << (n % 2 * 4)
		n++
	}
	ply := plyOf(p)
	if ply > binpackPly {
		return dst, fmt.Errorf("ply %d: the format counts to %d", ply, binpackPly)
	}
	binary.BigEndian.PutUint64(out[:], occupied)
	binary.BigEndian.PutUint16(out[24:], binpackMove(&r.Move))
	binary.BigEndian.PutUint16(out[26:], zigzag(r.Score))
	binary.BigEndian.PutUint16(out[28:], uint16(ply)|zigzag(int16(r.Result))<<14)
	binary.BigEndian.PutUint16(out[30:], uint16(p.HalfMove))
	return append(dst, out[:]...), nil
}

func zigzag(n int16) uint16   { return uint16(n<<1) ^ uint16(n>>15) }
func unzigzag(n uint16) int16 { return int16(n>>1) ^ -int16(n&1) }

// binpackPiece returns the code of the piece on a cell.
func binpackPiece(p *chess.Parts, cell int) uint8 {
	code := p.Cells[cell]
	right := castlingRight(cell)
	switch {
	case p.EnPassant >= 0 && cell == passantPawn(p):
		return binpackPassant
	case code == whiteRook && right&3&p.Castling != 0:
		return binpackWhiteRook
	case code == blackRook && right&12&p.Castling != 0:
		return binpackBlackRook
	case code == blackKing && p.Turn == engine.Second:
		return binpackBlackTurn
	case code < blackPawn:
		return 2 * (code - whitePawn)
	}
	return 2*(code-blackPawn) + 1
}

// passantPawn returns the cell of the pawn that can be captured en passant.
func passantPawn(p *chess.Parts) int {
	if p.Turn == engine.First {
		return passantCell(p) + 8
	}
	return passantCell(p) - 8
}

func binpackMove(m *Move) uint16 {
	to := m.To
	if m.Kind == Castling {
		to = m.rookCell()
	}
	n := binpackKinds[m.Kind]<<14 | uint16(m.From^flip)<<8 | uint16(to^flip)<<2
	if m.Kind == Promotion {
		n |= uint16(m.Promotion - 2)
	}
	return n
}
