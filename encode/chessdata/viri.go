package chessdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"

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
		dst = binary.LittleEndian.AppendUint16(dst, viriNumber(&g.Moves[i], g.Start.Chess960))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(seenByWhite(g.Scores[i], turn)))
		turn ^= 1
	}
	return append(dst, 0, 0, 0, 0), nil
}

func appendViriStart(dst []byte, g *Game) ([]byte, error) {
	var out [viriStart]byte
	rooks := g.Start.RookCells()
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
		if slices.Contains(rooks[:], square^flip) {
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

func viriNumber(m *Move, chess960 bool) uint16 {
	to := m.To
	if m.Kind == Castling && !chess960 {
		to = m.rookCell()
	}
	n := uint16(m.From^flip) | uint16(to^flip)<<6 | viriKinds[m.Kind]<<14
	if m.Kind == Promotion {
		n |= uint16(m.Promotion-2) << 12
	}
	return n
}

// ReadViri reads a game in viriformat into g, whose memory it reuses. It is of the variant of
// g.Start, which the format does not say. It checks the ranges of all numbers, and no rules. At the end of the games the error is io.EOF, within a game it is
// io.ErrUnexpectedEOF.
func ReadViri(r io.Reader, g *Game) error {
	var start [viriStart]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return err
		}
		return fmt.Errorf("read viriformat: first position: %w", err)
	}
	if err := decodeViriStart(start[:], g); err != nil {
		return fmt.Errorf("read viriformat: first position: %w", err)
	}
	g.Moves, g.Scores = g.Moves[:0], g.Scores[:0]
	for turn := g.Start.Turn; ; turn ^= 1 {
		end, err := readViriMove(r, g, turn)
		if err != nil {
			return fmt.Errorf("read viriformat: move %d: %w", len(g.Moves)+1, err)
		}
		if end {
			return nil
		}
	}
}

// readViriMove reads a move and its score, or the end of the game.
func readViriMove(r io.Reader, g *Game, turn engine.Side) (end bool, err error) {
	var data [viriMove]byte
	if _, err := io.ReadFull(r, data[:]); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return false, err
	}
	if data == [viriMove]byte{} {
		return true, nil
	}
	if len(g.Moves) == maxMoves {
		return false, fmt.Errorf("the game has more than %d moves", maxMoves)
	}
	m, err := decodeViriMove(binary.LittleEndian.Uint16(data[:]), g.Start.Chess960)
	if err != nil {
		return false, err
	}
	score := int16(binary.LittleEndian.Uint16(data[2:]))
	if score == math.MinInt16 {
		return false, errScore
	}
	if score == -NoScore {
		score = NoScore
	}
	g.Moves = append(g.Moves, m)
	g.Scores = append(g.Scores, seenByWhite(score, turn))
	return false, nil
}

func decodeViriMove(n uint16, chess960 bool) (m Move, err error) {
	kind, from, to := Kind(slices.Index(viriKinds[:], n>>14)), uint8(n&63)^flip, uint8(n>>6&63)^flip
	if kind == Castling && chess960 { // to the rook, as a step of Chess960 is
		m, err = decodeMove(n, Normal, from, to, uint8(n>>12&3))
		m.Kind = Castling
		return m, err
	}
	return decodeMove(n, kind, from, to, uint8(n>>12&3))
}

func decodeViriStart(data []byte, g *Game) error {
	occupied := binary.LittleEndian.Uint64(data)
	if bits.OnesCount64(occupied) > maxPieces {
		return errPieces
	}
	p := &g.Start
	*p = chess.Parts{
		Chess960: p.Chess960, Turn: engine.Side(data[24] >> 7), EnPassant: -1,
		HalfMove: data[25], FullMove: binary.LittleEndian.Uint16(data[26:]),
	}
	var unmoved []int // cells of rooks that may castle
	for n := 0; occupied != 0; n++ {
		cell := bits.TrailingZeros64(occupied) ^ flip
		occupied &= occupied - 1
		nibble := data[8+n/2] >> (n % 2 * 4) & 15
		kind := nibble & 7
		if kind > viriUnmoved {
			return fmt.Errorf("piece %d", nibble)
		}
		if kind == viriUnmoved {
			unmoved = append(unmoved, cell)
			kind = whiteRook - 1
		}
		p.Cells[cell] = 1 + kind + nibble>>3*perSide
	}
	if err := checkKings(&p.Cells); err != nil {
		return err
	}
	for _, cell := range unmoved {
		if err := addViriRight(p, cell); err != nil {
			return err
		}
	}
	if square := data[24] &^ viriBlack; square != viriNoSquare {
		p.EnPassant = int(square & 7)
		if int(square) != passantCell(p)^flip {
			return fmt.Errorf("en passant square %d", square)
		}
	}
	switch data[30] {
	case 0:
		g.Result = engine.SecondWins
	case 1:
		g.Result = engine.Draw
	case 2:
		g.Result = engine.FirstWins
	default:
		return fmt.Errorf("result %d: want 0 to 2", data[30])
	}
	return nil
}

// addViriRight adds the castling right of a rook. In Chess960 the rook's side of its king tells which one.
func addViriRight(p *chess.Parts, cell int) error {
	code := p.Cells[cell]
	right := castlingRight(cell)
	if !p.Chess960 {
		if right == 0 || right > 2 != (sideOf(code) == engine.Second) {
			return fmt.Errorf("a rook on cell %d may castle: want standard chess", cell)
		}
		p.Castling |= right
		return nil
	}
	side := int(sideOf(code))
	king := slices.Index(p.Cells[:], whiteKing+uint8(side)*perSide)
	number := 2*side + 1
	if cell > king {
		number--
	}
	if cell/8 != 7-7*side || king/8 != cell/8 || p.Castling>>number&1 != 0 {
		return fmt.Errorf("a rook on cell %d may castle: want one on each side of the king, on its first rank", cell)
	}
	p.Castling |= 1 << number
	if right != 1<<number {
		p.Rooks[number] = uint8(cell&7) + 1
	}
	return nil
}
