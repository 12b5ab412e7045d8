package chessdata

import (
	"encoding/binary"
	"fmt"
	"math"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// Game is a game from any position on.
type Game struct {
	Start  chess.Parts
	Moves  []Move
	Scores []int16       // of the position before each move, from the view of the side to move, or NoScore
	Result engine.Result // NoResult, of a game that was cut off, is written as a draw
}

// A game in viriformat is its first position, its moves, and four bytes 0. Numbers are little
// endian. The position has 32 bytes:
//
//	 0  8  occupied squares, bit 0 for a1
//	 8 16  4 bits per piece in the order of its square, the low half of a byte first:
//	       pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5, rook that may castle 6,
//	       plus 8 for black
//	24  1  en passant square, 64 for none, plus 128 with black to move
//	25  1  half-move clock
//	26  2  number of the full move
//	28  2  score: 0, as every move has its own
//	30  1  result: 0 black won, 1 draw, 2 white won
//	31  1  0
//
// A move has 2 bytes of move and 2 of score from the view of White, of the position before the
// move. The move is from | to<<6 | (promotion - knight)<<12 | kind<<14 with the kinds 0 normal,
// 1 en passant, 2 castling and 3 promotion; castling goes to the cell of the rook.
const (
	viriStart    = 32
	viriMove     = 4
	viriUnmoved  = 6
	viriNoSquare = 64
	viriBlack    = 128
)

// maxMoves bounds the moves of a game: a record has no more.
const maxMoves = math.MaxUint16

var viriKinds = [...]uint16{Normal: 0, EnPassant: 1, Castling: 2, Promotion: 3}

// AppendViri appends a game in viriformat.
func AppendViri(dst []byte, g *Game) ([]byte, error) {
	if len(g.Scores) != len(g.Moves) {
		return dst, fmt.Errorf("%d moves and %d scores", len(g.Moves), len(g.Scores))
	}
	dst, err := appendViriStart(dst, g)
	if err != nil {
		return dst, err
	}
	turn := g.Start.Turn
	for i := range g.Moves {
		dst = binary.LittleEndian.AppendUint16(dst, viriNumber(&g.Moves[i]))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(seenByWhite(g.Scores[i], turn)))
		turn ^= 1
	}
	return append(dst, 0, 0, 0, 0), nil
}

func appendViriStart(dst []byte, g *Game) ([]byte, error) {
	var out [viriStart]byte
	occupied, n := uint64(0), 0
	for square := range 64 {
		code := g.Start.Cells[square^flip]
		if code == 0 {
			continue
		}
		if n == maxPieces {
			return dst, errPieces
		}
		occupied |= 1 << square
		nibble := (code-1)%perSide | uint8(sideOf(code))<<3
		if right := castlingRight(square ^ flip); right != 0 && g.Start.Castling&right != 0 {
			nibble = nibble&8 | viriUnmoved
		}
		out[8+n/2] |= nibble << (n % 2 * 4)
		n++
	}
	binary.LittleEndian.PutUint64(out[:], occupied)
	out[24] = viriNoSquare
	if g.Start.EnPassant >= 0 {
		out[24] = uint8(passantCell(&g.Start) ^ flip)
	}
	if g.Start.Turn == engine.Second {
		out[24] |= viriBlack
	}
	out[25] = g.Start.HalfMove
	binary.LittleEndian.PutUint16(out[26:], g.Start.FullMove)
	switch g.Result {
	case engine.FirstWins:
		out[30] = 2
	case engine.SecondWins:
		out[30] = 0
	default:
		out[30] = 1
	}
	return append(dst, out[:]...), nil
}

// castlingRight returns the right that belongs to the rook on a cell, 0 for none.
func castlingRight(cell int) uint8 {
	switch cell {
	case 63:
		return 1
	case 56:
		return 2
	case 7:
		return 4
	case 0:
		return 8
	}
	return 0
}

// passantCell returns the cell that an en passant capture goes to: on rank 6 with White to
// move, else on rank 3.
func passantCell(p *chess.Parts) int {
	if p.Turn == engine.First {
		return 16 + p.EnPassant
	}
	return 40 + p.EnPassant
}

func viriNumber(m *Move) uint16 {
	to := m.To
	if m.Kind == Castling {
		to = m.rookCell()
	}
	n := uint16(m.From^flip) | uint16(to^flip)<<6 | viriKinds[m.Kind]<<14
	if m.Kind == Promotion {
		n |= uint16(m.Promotion-2) << 12
	}
	return n
}
