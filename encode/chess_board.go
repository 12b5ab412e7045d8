package encode

import "selfplay/engine/chess"

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
