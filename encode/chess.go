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
		Presets: withRows(Presets(
			"--player ab:nodes=80,hash=1,hard=2000 --opening-plies 4-10 --explore-moves 4 --explore-plies 0-60"+adjudicate1000,
			"--player ab:nodes=500,hash=1,hard=10000,multi=4 --opening-plies 4-10 --opening-max-score 300"+
				" --explore-moves 3 --explore-plies 0-40 --explore-among 4 --explore-window 100"+adjudicate1000,
			"--player ab:nodes=5000,hash=1,hard=100000 --opening-plies 4-10 --opening-max-score 300"+adjudicate1000,
		), 17788, 3948, 733),
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
	rights, rooks, passant := p.Castling(), p.Rooks(), uint8(0)
	if file, ok := p.EnPassant(); ok {
		passant = uint8(file) + 1
	}
	return append(p.AppendCells(dst),
		max(rights&1, rooks[0]), max(rights>>1&1, rooks[1]), max(rights>>2&1, rooks[2]), max(rights>>3&1, rooks[3]),
		passant, p.HalfMove(), uint8(p.Repetitions()), 0)
}

// decodeChess sets the full-move number to 1, because the array does not keep it. The text
// of a position has no repetitions, so they are lost.
func decodeChess(values []byte, turn engine.Side) (string, error) {
	parts, err := ChessParts(values, turn)
	if err != nil {
		return "", err
	}
	p, err := chess.Assemble(&parts)
	if err != nil { // the array does not say its variant
		parts.Chess960 = true
		if other, err960 := chess.Assemble(&parts); err960 == nil {
			p, err = other, nil
		}
	}
	if err != nil {
		return "", fmt.Errorf("decode board: %w", err)
	}
	if _, ok := p.EnPassant(); ok != (parts.EnPassant >= 0) {
		return "", ArrayError("ARRAY_INCONSISTENT", "no legal en passant capture on file %c", 'a'+rune(parts.EnPassant))
	}
	return p.String(), nil
}

// ChessParts returns the position of a board of the compact layout of chess, absolute, as numbers
// with full move 1. It checks the range of every element and no rules. The array does not say the
// variant: the parts are of standard chess. An error is an *engine.TextError.
func ChessParts(values []byte, turn engine.Side) (parts chess.Parts, err error) {
	if err := checkArray(chessElements, chessMaxima, Uint8, values); err != nil {
		return parts, err
	}
	parts = chess.Parts{Turn: turn, EnPassant: int(values[chessPassant]) - 1, HalfMove: values[chessHalfMove], FullMove: 1}
	copy(parts.Cells[:], values)
	for i, right := range values[chessCastling:chessPassant] {
		parts.Castling |= min(right, 1) << i
		if right > chessCorner {
			parts.Rooks[i] = right
		}
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

var chessGrid = Grid{Files: 8, Ranks: 8}

var chessBoard = Board{
	Grid:    chessGrid,
	Grounds: []Ground{{Fill: "#f3e7d3", Dark: "#b09f86"}, {Fill: "#cdb08c", Dark: "#75634d"}},
	Terrain: checkered(chessGrid),
	// Both sides have the filled glyph. The selector after it keeps browsers from drawing
	// an emoji.
	Kinds: []PieceKind{
		{Name: "pawn", Letter: "P", Figure: Glyph, Glyph: "♟\uFE0E", Worth: chess.Value(1)},
		{Name: "knight", Letter: "N", Figure: Glyph, Glyph: "♞\uFE0E", Worth: chess.Value(2)},
		{Name: "bishop", Letter: "B", Figure: Glyph, Glyph: "♝\uFE0E", Worth: chess.Value(3)},
		{Name: "rook", Letter: "R", Figure: Glyph, Glyph: "♜\uFE0E", Worth: chess.Value(4)},
		{Name: "queen", Letter: "Q", Figure: Glyph, Glyph: "♛\uFE0E", Worth: chess.Value(5)},
		{Name: "king", Letter: "K", Figure: Glyph, Glyph: "♚\uFE0E"},
	},
	Codes: chessCodes(),
	// The stroke lies under the fill, so half of the width shows.
	Sides: [2]Paint{{Fill: "#fff", Stroke: "#222", Width: 0.6}, {Fill: "#1c1c1c", Stroke: "#eee", Width: 0.3}},
}

// chessCodes lists the codes of a cell: the pieces of white, then those of black.
func chessCodes() [][]Piece {
	const kinds = 6
	list := [][]Piece{nil}
	for code := range 2 * kinds {
		list = append(list, []Piece{{Kind: code % kinds, Side: code / kinds}})
	}
	return list
}

// checkered returns a terrain of two grounds that alternate; the top left cell has the
// first.
func checkered(g Grid) []uint8 {
	terrain := make([]uint8, g.Cells())
	for cell := range terrain {
		terrain[cell] = uint8((cell/g.Files + cell%g.Files) % 2)
	}
	return terrain
}

// Chess is flipped by reversing the ranks and exchanging the colours. Files stay, and so
// do king side and queen side.

var chessReversed = chessGrid.ReversedRows()

func flipChess(values []byte) {
	var flipped [chessCells]byte
	for cell, piece := range values[:chessCells] {
		if piece > 0 {
			piece = (piece+5)%12 + 1
		}
		flipped[chessReversed[cell]] = piece
	}
	copy(values, flipped[:])
	rights := values[chessCastling:chessPassant]
	rights[0], rights[1], rights[2], rights[3] = rights[2], rights[3], rights[0], rights[1]
}

// flipChessAction flips the origin and the direction. The planes of underpromotions name
// only files, so they stay.
func flipChessAction(action uint16) uint16 {
	if action >= chessActionCount {
		return action
	}
	from, plane := action/chessPlaneCount, action%chessPlaneCount
	return uint16(chessReversed[from])*chessPlaneCount + uint16(chessFlippedPlane[plane])
}

// chessFlippedPlane is the plane with the same vector upside down.
var chessFlippedPlane = func() (table [chessPlaneCount]uint8) {
	for plane := range table {
		table[plane] = uint8(plane)
		for other := range chessUnderPlane {
			a, _ := chessVector(0, plane)
			b, _ := chessVector(0, other)
			if plane < chessUnderPlane && b == a.upsideDown() {
				table[plane] = uint8(other)
			}
		}
	}
	return table
}()

// flipChessText flips a FEN.
func flipChessText(text string) string {
	f := strings.Fields(text)
	f[0] = flipRows(f[0])
	f[1] = otherWord(f[1], "w", "b")
	black := strings.TrimLeft(f[2], "KQABCDEFGH") // white's rights stand before black's
	f[2] = swapCase(black + strings.TrimSuffix(f[2], black))
	f[3] = flipSquares(f[3], chessGrid)
	return strings.Join(f, " ")
}

// Planes of chess. A piece has the plane of its kind; the opponent's pieces follow after
// chessTheirs planes.
const (
	chessTheirs       = 6
	chessRightsPlane  = 2 * chessTheirs
	chessPassantPlane = chessRightsPlane + 4
	chessRepeatPlane  = chessPassantPlane + 1
	chessClockPlane   = chessRepeatPlane + 2
	chessFirstPlane   = chessClockPlane + ClockBits
)

func chessPlanes() Planes {
	var list []Element
	for _, owner := range []string{"own", "their"} {
		for _, name := range []string{"pawns", "knights", "bishops", "rooks", "queens", "king"} {
			list = append(list, Element{Name: owner + "_" + name, Doc: "cells of these pieces"})
		}
	}
	for _, owner := range []string{"own", "their"} {
		for _, wing := range []string{"king", "queen"} {
			list = append(list, Element{Name: owner + "_castling_" + wing, Doc: "all cells if the right to castle on the " + wing + " side exists"})
		}
	}
	list = append(list,
		Element{Name: "en_passant", Doc: "the cell behind a pawn that a legal move can capture en passant"},
		Element{Name: "repeated_1", Doc: "all cells if the position occurred before in the game"},
		Element{Name: "repeated_2", Doc: "all cells if the position occurred twice before"},
	)
	list = append(list, ClockPlanes()...)
	list = append(list, SidePlane(chess.Game().Sides))
	return Planes{Version: 1, Grid: chessGrid, Elements: list, Draw: drawChess}
}

// drawChess draws the board with the first rank of the side to move at the bottom.
func drawChess(c Canvas, values []byte, turn engine.Side) {
	flip, swap := 0, 0
	if turn == engine.Second {
		flip, swap = 56, chessTheirs // cell^56 reverses the ranks
	}
	for cell, piece := range values[:chessCells] {
		if piece != 0 {
			c.Set((int(piece)-1+swap)%(2*chessTheirs), cell^flip)
		}
	}
	for i, right := range values[chessCastling:chessPassant] {
		plane := chessRightsPlane + (i ^ int(turn)<<1)
		c.Fill(plane, right == chessCorner)
		for cell := int(right) - 1; right > chessCorner && cell < chessCells; cell += 8 {
			c.Set(plane, cell)
		}
	}
	if file := int(values[chessPassant]) - 1; file >= 0 {
		c.Set(chessPassantPlane, 2*8+file) // the sixth rank of the side to move
	}
	c.Fill(chessRepeatPlane, values[chessRepetitions] > 0)
	c.Fill(chessRepeatPlane+1, values[chessRepetitions] > 1)
	c.Clock(chessClockPlane, int(values[chessHalfMove]))
	c.Fill(chessFirstPlane, turn == engine.First)
}
