// Package board draws the boards of the games as SVG, the way players see them: rank
// 12, 8 or 5 at the top, files from a on, both labelled, the ground in its colours. A
// drawing shows a position, or how much of something each cell has.
//
// Cells are numbered row by row from the top left, as in the compact layout of package
// encode, and what stands on one is told by the code that the layout has for it. A
// cell is 10 units wide.
//
//	board.go   what a board is, and the list of them; the next game is added here
//	draw.go    drawing it
//	pieces.go  what stands on a cell
//	style.css  colours, light and dark
package board

import (
	"fmt"
	"strconv"

	"selfplay/engine/cotulenh"
)

// Board is how the board of a game looks.
type Board struct {
	Files, Ranks int
	Grounds      []Ground                    // what cells are made of
	Ground       func(cell int) int          // as index of Grounds
	Kinds        []string                    // of things that stand on cells, by number
	Things       func(code int) []Thing      // what a code of the compact layout stands for
	lines        string                      // path over the ground: rivers and the like
	bridges      string                      // path over the lines
	figure       func(things []Thing) string // SVG of what stands on a cell, its middle at 0, 0
	below        func(things []Thing) string // the same, under all figures; nil: nothing
}

// Ground is a kind of terrain: its class in style.css, and its name in a legend.
type Ground struct{ Class, Name string }

// Thing is a piece, or whatever else can stand on a cell.
type Thing struct {
	Kind int // as index of Board.Kinds
	Side int // 0 first, 1 second, Nobody
	Hero bool
}

// Nobody is the side of a thing that belongs to neither.
const Nobody = -1

// boards is the list of boards, by name of the game.
var boards = map[string]*Board{
	"cotulenh": {
		Files: 11, Ranks: 12,
		Grounds: []Ground{cotulenh.Water: {"water", "navy only"}, cotulenh.Mixed: {"mixed", "navy and land"}, cotulenh.Land: {"land", "land"}},
		Ground:  func(cell int) int { return int(cotulenh.TerrainAt(cotulenh.SquareOfCell(cell))) },
		Kinds: []string{"commander", "infantry", "tank", "militia", "engineer", "artillery", "anti-air",
			"missile", "air force", "navy", "headquarter"},
		Things: cotulenhThings,
		// Heavy pieces cross the river on files f and h only.
		lines: "M20 60h90", bridges: "M52.5 60h5M72.5 60h5",
		figure: stackFigure,
	},
	"chess": {
		Files: 8, Ranks: 8,
		Grounds: []Ground{{"light", ""}, {"dark", ""}},
		Ground:  func(cell int) int { return (cell/8 + cell%8) % 2 },
		Kinds:   []string{"pawn", "knight", "bishop", "rook", "queen", "king"},
		Things:  chessThings,
		figure:  chessFigure,
	},
	"contrast": {
		Files: 5, Ranks: 5,
		Grounds: []Ground{{"plain", ""}},
		Ground:  func(int) int { return 0 },
		Kinds:   []string{"piece", "black tile", "gray tile"},
		Things:  contrastThings,
		figure:  contrastFigure, below: contrastTile,
	},
}

// Of returns the board of a game.
func Of(game string) (*Board, error) {
	b, ok := boards[game]
	if !ok {
		return nil, fmt.Errorf("draw board: no board of %s", game)
	}
	return b, nil
}

// Cells returns how many cells there are.
func (b *Board) Cells() int { return b.Files * b.Ranks }

// Name returns the name of a cell, as in e4.
func (b *Board) Name(cell int) string {
	return string(rune('a'+cell%b.Files)) + strconv.Itoa(b.Ranks-cell/b.Files)
}

// Cell returns the cell of a name, false if there is none.
func (b *Board) Cell(name string) (int, bool) {
	if len(name) < 2 {
		return 0, false
	}
	rank, err := strconv.Atoi(name[1:])
	file := int(name[0]) - 'a'
	if err != nil || file < 0 || file >= b.Files || rank < 1 || rank > b.Ranks {
		return 0, false
	}
	return (b.Ranks-rank)*b.Files + file, true
}
