package encode

import "slices"

// Board describes how the board of a game is drawn. Package cmd/internal/board draws it; a
// drawing gives every cell 10 units. Colours are CSS colours.
type Board struct {
	Grid
	Grounds []Ground
	Terrain []uint8 // of each cell, as index of Grounds; nil: every cell has the first
	Lines   []Line  // drawn over the grounds, in order
	Kinds   []PieceKind
	// Codes lists what stands on a cell, by the cell's value in the layout with an
	// Identity; the owner of the cell first. Code 0 is an empty cell.
	Codes [][]Piece
	Sides [2]Paint // of the pieces of each side
	Ring  string   // what a ring means, as an adjective: heroic
	// RingDoc is what such a piece can do, for the legend.
	RingDoc string
	// Hands are the pieces in hand of the sides: first those of the side that stands at the top of the
	// board, by kind.
	Hands []Hand
}

// Ground is a kind of terrain.
type Ground struct {
	Name       string // in the legend; empty: no legend
	Fill, Dark string // colours on a light and on a dark page
}

// Line is a path over the board: a river, a road.
type Line struct {
	Name   string // in the legend; empty: no legend
	Path   string // SVG path data
	Stroke string
	Width  float64
}

// PieceKind is a kind of piece, or of anything else that can stand on a cell.
type PieceKind struct {
	Name   string // as in prose
	Letter string // one upper-case letter
	Figure Figure
	Glyph  string // of the figures Glyph
	// Fill and Dark are the colours of a Tile on a light and on a dark page.
	Fill, Dark string
	// Worth is what a piece counts in the material of its side, in centi-units of the static score,
	// and RingWorth what one with a ring does. A game in which all are 0 has no material.
	Worth, RingWorth int
}

// Figure is the way in which a kind of piece is drawn.
type Figure uint8

// The figures.
const (
	Disc  Figure = 0 // a disc in the colours of its side
	Token Figure = 1 // a disc with the letter; further tokens on the cell are listed below it
	Glyph Figure = 2 // the glyph in the colours of its side
	Tile  Figure = 3 // a square under the other figures, in its own colours
)

// Piece is a piece on a cell.
type Piece struct {
	Kind int  // as index of Board.Kinds
	Side int  // 0 first, 1 second, Neutral
	Ring bool // drawn with a ring: a hero, a promoted piece
}

// Hand is how many pieces of a kind a side has in hand.
type Hand struct {
	Side  int
	Kind  int // as index of Board.Kinds
	Value int // index of the number in the values of the layout with an Identity
}

// Neutral is the side of a piece that belongs to neither side.
const Neutral = -1

// Paint is how the pieces of a side are coloured.
type Paint struct {
	Fill, Stroke string
	Width        float64 // of the stroke
	Letter       string  // colour of the letter of a Token
}

// HasMaterial reports whether pieces count in the material of a side.
func (b *Board) HasMaterial() bool {
	return slices.ContainsFunc(b.Kinds, func(k PieceKind) bool { return k.Worth != 0 || k.RingWorth != 0 })
}

// Ground returns the ground of a cell, as index of Grounds.
func (b *Board) Ground(cell int) int {
	if b.Terrain == nil {
		return 0
	}
	return int(b.Terrain[cell])
}
