package encode

import (
	"fmt"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// Chess returns the catalog entry of chess.
func Chess() Game {
	compact := chessCompact()
	return Game{
		Game:    chess.Game(),
		WDL:     chessWDL,
		Layouts: []Layout{compact, chessPlanes().layout(compact)},
		Actions: Actions{
			Version:  1,
			Count:    chessActions,
			Number:   chessNumber,
			Move:     chessMove,
			Describe: describeChess,
			Flip:     flipChessAction,
			Takes:    chessTakes,
		},
	}
}

// Places in the compact array of chess.
const (
	chessCells       = 64
	chessCastling    = 64
	chessPassant     = 68
	chessHalfMove    = 69
	chessRepetitions = 70
	chessLen         = 72
)

// chessCompact is the position and what of its past a player must know.
func chessCompact() Layout {
	return Layout{
		Name:    "compact",
		Version: 1,
		Kind:    Uint8,
		Elements: []Element{
			{"cells", chessCells, "row by row from a8 to h1: 0 empty, 1-6 white pawn, knight, bishop, rook, queen, king, 7-12 the same in black"},
			{"castling", 4, "1 if white may castle on the king's side, white on the queen's, black on the king's, black on the queen's"},
			{"en_passant", 1, "file + 1 where a pawn can be taken en passant by a legal move, else 0"},
			{"half_move", 1, "half-move clock: plies since the last capture or pawn move"},
			{"repetitions", 1, "how often the position occurred before in its game, 0 to 2"},
			{"reserved", 1, "always 0"},
		},
		Encode:   appendChess,
		Decode:   decodeChess,
		Flip:     flipChess,
		Identity: []string{"cells", "castling", "en_passant"},
	}
}

func appendChess(dst []byte, pos engine.Position) []byte {
	p := pos.(*chess.Position)
	rights, passant := p.Castling(), uint8(0)
	if file, ok := p.EnPassant(); ok {
		passant = uint8(file) + 1
	}
	return append(p.AppendCells(dst),
		rights&1, rights>>1&1, rights>>2&1, rights>>3&1, passant, p.HalfMove(), uint8(p.Repetitions()), 0)
}

// decodeChess gives every position the full-move number 1, which the array does
// not keep, and forgets repetitions, which no text holds.
func decodeChess(values []byte, turn engine.Side) (string, error) {
	if len(values) != chessLen {
		return "", arrayError("ARRAY_LENGTH", "%d elements, want %d", len(values), chessLen)
	}
	for i, v := range values {
		if most := chessMost(i); v > most {
			return "", arrayError("ARRAY_RANGE", "element %d is %d, want 0 to %d", i, v, most)
		}
	}
	a := chess.Parts{Turn: turn, EnPassant: int(values[chessPassant]) - 1, HalfMove: values[chessHalfMove], FullMove: 1}
	copy(a.Cells[:], values)
	for i, may := range values[chessCastling:chessPassant] {
		a.Castling |= may << i
	}
	p, err := chess.Assemble(&a)
	if err != nil {
		return "", fmt.Errorf("decode board: %w", err)
	}
	if _, ok := p.EnPassant(); ok != (a.EnPassant >= 0) {
		return "", arrayError("ARRAY_INCONSISTENT", "nothing can be taken en passant on file %c", 'a'+rune(a.EnPassant))
	}
	return p.String(), nil
}

// chessMost returns the highest value of an element.
func chessMost(element int) uint8 {
	switch {
	case element < chessCells:
		return 12
	case element < chessPassant:
		return 1
	case element == chessPassant:
		return 8
	case element == chessHalfMove:
		return 255
	case element == chessRepetitions:
		return 2
	}
	return 0
}

// Actions of chess: from*73 + plane, the numbering of AlphaZero (Silver et al.
// 2018, arXiv 1712.01815, table S2) but on the absolute board. Planes 0 to 55:
// 7*d + (n-1), n cells in direction d = N NE E SE S SW W NW; a pawn that reaches
// the last rank so becomes a queen. Planes 56 to 63: the leaps of a knight,
// clockwise from north-north-east. Planes 64 to 72: 64 + 3*k + f, a pawn becomes a
// knight, bishop or rook (k = 0, 1, 2) one file to the left, straight on or one
// file to the right (f = 0, 1, 2) as White sees the board.
const (
	chessLeaps   = 56
	chessUnder   = 64
	chessPlaneN  = 73
	chessActions = chessCells * chessPlaneN
)

// vector is a way across the board, in ranks towards rank 1 and files towards h.
type vector struct{ rank, file int }

var (
	chessDirections = [8]vector{{-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}}
	chessLeapList   = [8]vector{{-2, 1}, {-1, 2}, {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}}
)

// chessVector returns the way of a plane from a cell; only underpromotions look at
// the cell, since pawns of both sides have the same planes.
func chessVector(from, plane int) vector {
	switch {
	case plane < chessLeaps:
		d, n := chessDirections[plane/7], plane%7+1
		return vector{n * d.rank, n * d.file}
	case plane < chessUnder:
		return chessLeapList[plane-chessLeaps]
	case from/8 == 1: // the seventh rank: a white pawn
		return vector{-1, (plane-chessUnder)%3 - 1}
	case from/8 == 6:
		return vector{1, (plane-chessUnder)%3 - 1}
	}
	return vector{rank: 8} // off the board: no pawn promotes from there
}

// chessTo is the cell that an action leads to, noCell off the board.
var chessTo = func() (table [chessActions]uint8) {
	for i := range table {
		from := i / chessPlaneN
		v := chessVector(from, i%chessPlaneN)
		rank, file := from/8+v.rank, from%8+v.file
		table[i] = noCell
		if rank >= 0 && rank < 8 && file >= 0 && file < 8 {
			table[i] = uint8(8*rank + file)
		}
	}
	return table
}()

const noCell = 0xFF

// chessAction is the number of a move that is no underpromotion by its cells,
// from*64 + to.
var chessAction = func() (table [chessCells * chessCells]uint16) {
	for i, to := range chessTo {
		if to != noCell && i%chessPlaneN < chessUnder {
			table[i/chessPlaneN*chessCells+int(to)] = uint16(i)
		}
	}
	return table
}()

// Kinds of piece that a pawn may become, as in chess.Step.
const (
	chessKnight = 2
	chessQueen  = 5
)

// chessNumber needs nothing of the position: all is in the move.
func chessNumber(_ engine.Position, m engine.Move) uint16 {
	s := chess.Unpack(m)
	if s.Promotion != 0 && s.Promotion != chessQueen {
		plane := chessUnder + 3*int(s.Promotion-chessKnight) + int(s.To%8) - int(s.From%8) + 1
		return uint16(int(s.From)*chessPlaneN + plane)
	}
	return chessAction[int(s.From)*chessCells+int(s.To)]
}

func chessMove(pos engine.Position, action uint16) (engine.Move, error) {
	if action >= chessActions {
		return 0, fmt.Errorf("action %d: numbers end at %d", action, chessActions-1)
	}
	to := chessTo[action]
	if to == noCell {
		return 0, fmt.Errorf("action %d: leads off the board", action)
	}
	p := pos.(*chess.Position)
	s := chess.Step{From: uint8(action / chessPlaneN), To: to}
	if plane := action % chessPlaneN; plane >= chessUnder {
		s.Promotion = chessKnight + uint8(plane-chessUnder)/3
	} else if promotes(p, s) {
		s.Promotion = chessQueen
	}
	m, err := p.Pack(s)
	if err != nil {
		return 0, fmt.Errorf("action %d: %w", action, err)
	}
	return m, nil
}

// promotes reports whether a step takes a pawn to its last rank.
func promotes(p *chess.Position, s chess.Step) bool {
	from, to := s.From/8, s.To/8
	if !(from == 1 && to == 0 || from == 6 && to == 7) {
		return false
	}
	var cells [chessCells]byte
	piece := p.AppendCells(cells[:0])[s.From]
	return chessPawn(piece)
}

// chessPawn reports whether a cell holds a pawn.
func chessPawn(piece byte) bool { return piece == 1 || piece == 7 }

// chessTakes: a move takes what stands where it goes, or en passant: a pawn that
// leaves its file for an empty cell.
func chessTakes(pos engine.Position, m engine.Move) bool {
	var cells [chessCells]byte
	pos.(*chess.Position).AppendCells(cells[:0])
	s := chess.Unpack(m)
	return cells[s.To] != 0 || chessPawn(cells[s.From]) && (s.From-s.To)%8 != 0
}

// chessKinds names what the actions of the planes do that a queen's move does not.
var chessKinds = [3]string{"promote_n", "promote_b", "promote_r"}

func describeChess(action uint16) Action {
	to := chessTo[action]
	if to == noCell {
		return Action{Kind: NoAction}
	}
	a := Action{From: chessCellName(uint8(action / chessPlaneN)), To: chessCellName(to), Kind: "queen"}
	switch plane := action % chessPlaneN; {
	case plane >= chessUnder:
		a.Kind = chessKinds[(plane-chessUnder)/3]
	case plane >= chessLeaps:
		a.Kind = "knight"
	}
	return a
}

func chessCellName(cell uint8) string {
	return string([]byte{'a' + cell%8, '8' - cell/8})
}
