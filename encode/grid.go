package encode

import "strconv"

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
