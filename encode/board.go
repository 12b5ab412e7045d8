package encode

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

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
	// Language is that of Native names, which most players of the game speak: a BCP 47 tag such as "vi".
	Language, RingNative string
	// RingDoc is what such a piece can do, for the legend.
	RingDoc string
	// Zones says what the zones of an engine.Guarded are, such as "air defense".
	Zones string
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
	Native string // in Board.Language, "" without
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

// Grid is the shape of a board and the names of its cells. Cells are numbered row by row
// from the top left of the board as players see it, as in every compact layout. Files are
// the letters from a, ranks the numbers from 1.
type Grid struct {
	Files, Ranks int
	RankOneOnTop bool // else rank 1 is the bottom row
}

// Cells returns the number of cells.
func (g Grid) Cells() int { return g.Files * g.Ranks }

// Rank returns the rank of a row, counted from 0 at the top.
func (g Grid) Rank(row int) int {
	if g.RankOneOnTop {
		return row + 1
	}
	return g.Ranks - row
}

// Name returns the name of a cell: e4.
func (g Grid) Name(cell int) string {
	return string(rune('a'+cell%g.Files)) + strconv.Itoa(g.Rank(cell/g.Files))
}

// Cell returns the cell with the given name, false if the board has none.
func (g Grid) Cell(name string) (cell int, ok bool) {
	if len(name) < 2 {
		return 0, false
	}
	rank, err := strconv.Atoi(name[1:])
	file := int(name[0]) - 'a'
	if err != nil || file < 0 || file >= g.Files || rank < 1 || rank > g.Ranks {
		return 0, false
	}
	row := rank - 1
	if !g.RankOneOnTop {
		row = g.Ranks - rank
	}
	return row*g.Files + file, true
}

// vector is a displacement on a board: rows downwards and files to the right.
type vector struct{ row, file int }

// upsideDown returns the vector on the board with its rows reversed.
func (v vector) upsideDown() vector { return vector{-v.row, v.file} }

// times returns n steps of v.
func (v vector) times(n int) vector { return vector{n * v.row, n * v.file} }

// step returns the cell that a vector leads to, false if that is off the board.
func (g Grid) step(cell int, v vector) (to int, ok bool) {
	row, file := cell/g.Files+v.row, cell%g.Files+v.file
	return row*g.Files + file, row >= 0 && row < g.Ranks && file >= 0 && file < g.Files
}

// ReversedRows returns, for every cell, the cell in the same file of the board with its
// rows reversed.
func (g Grid) ReversedRows() []uint8 {
	table := make([]uint8, g.Cells())
	for cell := range table {
		table[cell] = uint8((g.Ranks-1-cell/g.Files)*g.Files + cell%g.Files)
	}
	return table
}

// Rotated returns, for every cell, its cell on the board rotated by 180 degrees.
func (g Grid) Rotated() []uint8 {
	table := make([]uint8, g.Cells())
	for cell := range table {
		table[cell] = uint8(g.Cells() - 1 - cell)
	}
	return table
}

// Functions that flip the parts of position texts, for all games.

// flipRows reverses the rows of a board that are separated by slashes, and exchanges the
// sides, which are upper and lower case.
func flipRows(board string) string {
	rows := strings.Split(board, "/")
	slices.Reverse(rows)
	return swapCase(strings.Join(rows, "/"))
}

func swapCase(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

// flipSquares reverses the ranks of a comma-separated list of cell names. Other words
// stay.
func flipSquares(list string, g Grid) string {
	names, reversed := strings.Split(list, ","), g.ReversedRows()
	for i, name := range names {
		if cell, ok := g.Cell(name); ok {
			names[i] = g.Name(int(reversed[cell]))
		}
	}
	return strings.Join(names, ",")
}

// otherWord returns the other one of two words.
func otherWord(word, first, second string) string {
	if word == first {
		return second
	}
	return first
}
