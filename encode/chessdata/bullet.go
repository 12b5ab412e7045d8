package chessdata

import (
	"encoding/binary"
	"errors"

	"selfplay/engine"
)

// BulletBytes is the size of a position in bulletformat. A file has nothing else.
//
//	 0  8  occupied squares, bit 0 for a1, little endian
//	 8 16  4 bits per piece in the order of its square, the low half of a byte first:
//	       pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5, plus 8 for the other side
//	24  2  score, little endian
//	26  1  result: 0 lost, 1 drawn, 2 won
//	27  1  square of the own king
//	28  1  square of the other king, seen from the other side
//	29  3  0
//
// All of it is seen by the side to move: with black to move, ranks and sides are exchanged. The
// format has neither castling rights nor en passant, clocks or moves, and no number for a
// missing score.
const BulletBytes = 32

// ErrNoScore is the error of a position without a score in a format that has no number for it.
var ErrNoScore = errors.New("the position has no score")

// AppendBullet appends a position in bulletformat.
func AppendBullet(dst []byte, r *Row) ([]byte, error) {
	if r.Score == NoScore {
		return dst, ErrNoScore
	}
	var out [BulletBytes]byte
	view := uint8(flip) // from squares, as the side to move sees them, to cells
	if r.Position.Turn == engine.Second {
		view = 0
	}
	occupied, n := uint64(0), 0
	for square := range uint8(64) {
		code := r.Position.Cells[square^view]
		if code == 0 {
			continue
		}
		if n == maxPieces {
			return dst, errPieces
		}
		nibble := (code-1)%perSide | uint8(sideOf(code)^r.Position.Turn)<<3
		switch nibble {
		case bulletKing:
			out[27] = square
		case bulletKing | 8:
			out[28] = square ^ flip
		}
		occupied |= 1 << square
		out[8+n/2] |= nibble << (n % 2 * 4)
		n++
	}
	binary.LittleEndian.PutUint64(out[:], occupied)
	binary.LittleEndian.PutUint16(out[24:], uint16(r.Score))
	out[26] = uint8(r.Result + 1)
	return append(dst, out[:]...), nil
}

const bulletKing = 5
