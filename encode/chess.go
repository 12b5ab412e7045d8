package encode

import (
	"fmt"
	"math"
	"strings"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// Chess returns the catalog entry of chess.
func Chess() Game {
	compact := chessCompact()
	return Game{
		Game:        chess.Game(),
		Layouts:     []Layout{compact, chessPlanes().Layout(compact)},
		Actions:     chessActions(),
		Reasons:     []engine.Reason{engine.Checkmate, engine.Stalemate, engine.Repetition, engine.Fifty, engine.Material},
		Repetitions: 2,
		HasCheck:    true,
		Models:      chessModels(),
		Board:       chessBoard,
		Presets: Presets(
			"--player ab:nodes=80,hash=1,hard=2000 --opening-plies 4-10 --explore-moves 4 --explore-plies 0-60"+adjudicateChess,
			"--player ab:nodes=500,hash=1,hard=10000,multi=4 --opening-plies 4-10 --opening-max-score 300"+
				" --explore-moves 3 --explore-plies 0-40 --explore-among 4 --explore-window 100"+adjudicateChess,
			"--player ab:nodes=5000,hash=1,hard=100000,net=none --opening-plies 4-10 --opening-max-score 300"+adjudicateChess,
		),
		Samples: []string{
			// All kinds of moves but promotions; castling, en passant and a check.
			"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
			"r3k2r/8/8/8/pP6/8/7n/4K2R b Kq b3 0 60",
			"8/8/4k3/8/8/3K4/8/6R1 b - - 37 60",
			// Promotions, straight and by capture.
			"3r1r2/4P3/8/8/8/2k5/4p3/K2R1R2 w - - 0 1",
			"3r1r2/4P3/8/8/8/2k5/4p3/K2R1R2 b - - 0 1",
			"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
			"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1",
		},
		FlipText: flipChessText,
	}
}

// Elements of the compact array of chess. chessCells counts the cells.
const (
	chessCells       = 64
	chessCastling    = 64
	chessPassant     = 68
	chessHalfMove    = 69
	chessRepetitions = 70
)

var chessElements = []Element{
	{"cells", chessCells, "row by row from a8 to h1: 0 empty, 1-6 white pawn, knight, bishop, rook, queen, king, 7-12 the same for black"},
	{"castling", 4, "rights of white king side, white queen side, black king side, black queen side: 0 none, 1 with a rook on the corner file (h, on the queen side a), otherwise the rook's file + 1, 2 to 7, which standard chess does not have"},
	{"en_passant", 1, "file + 1 of a pawn that a legal move can capture en passant, else 0"},
	{"half_move", 1, "half-move clock: plies since the last capture or pawn move"},
	{"repetitions", 1, "earlier occurrences of the position in the game, 0 to 2"},
	{"reserved", 1, "always 0"},
}

// chessMaxima are the largest values of the elements.
var chessMaxima = []int{12, 7, 8, math.MaxUint8, 2, 0}

// chessCorner is the value of a castling right whose rook is on the corner file.
const chessCorner = 1

// chessCompact is the position and what the rules need of its history.
func chessCompact() Layout {
	return Layout{
		Name:     "compact",
		Version:  1,
		Kind:     Uint8,
		Elements: chessElements,
		Encode:   appendChess,
		Decode:   decodeChess,
		AtPly:    numberChessMove,
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

// decodeChess sets the full-move number to 1, because the array does not keep it. The text
// of a position has no repetitions, so they are lost.
func decodeChess(values []byte, turn engine.Side) (string, error) {
	parts, err := ChessParts(values, turn)
	if err != nil {
		return "", err
	}
	p, err := chess.Assemble(&parts)
	if err != nil {
		return "", fmt.Errorf("decode board: %w", err)
	}
	if _, ok := p.EnPassant(); ok != (parts.EnPassant >= 0) {
		return "", ArrayError("ARRAY_INCONSISTENT", "no legal en passant capture on file %c", 'a'+rune(parts.EnPassant))
	}
	return p.String(), nil
}

// ChessParts returns the position of a board of the compact layout of chess, absolute, as numbers
// with full move 1. It checks the range of every element and no rules, but refuses castling with
// rooks that are not in the corners. An error is an *engine.TextError.
func ChessParts(values []byte, turn engine.Side) (parts chess.Parts, err error) {
	if err := checkArray(chessElements, chessMaxima, Uint8, values); err != nil {
		return parts, err
	}
	parts = chess.Parts{Turn: turn, EnPassant: int(values[chessPassant]) - 1, HalfMove: values[chessHalfMove], FullMove: 1}
	copy(parts.Cells[:], values)
	for i, right := range values[chessCastling:chessPassant] {
		if right > chessCorner {
			return parts, ArrayError("ARRAY_UNSUPPORTED", "element %d is %d: castling with a rook on file %c, want standard chess: 0 or %d",
				chessCastling+i, right, 'a'+right-1, chessCorner)
		}
		parts.Castling |= right << i
	}
	return parts, nil
}

// numberChessMove replaces the full-move number, the last field of a FEN.
func numberChessMove(text string, ply int) string {
	return fmt.Sprint(text[:strings.LastIndexByte(text, ' ')+1], ChessFullMove(ply))
}

// ChessFullMove returns the full-move number after this number of plies since the start of the game. The
// number stops at its maximum.
func ChessFullMove(ply int) uint16 { return uint16(min(1+ply/2, math.MaxUint16)) }
