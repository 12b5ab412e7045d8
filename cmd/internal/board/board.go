// Package board draws the board of any game of the catalog as SVG, as players see it: with
// labelled files and ranks, terrain and pieces. A drawing shows a position, or a quantity
// of each cell as a heat map. What a board looks like is data: encode.Board.
//
// A cell is 10 units wide. Cells are numbered row by row from the top left, and what
// stands on one is given by its code in the layout that identifies positions.
//
//	board.go   drawings, cells and labels; heat.go heat maps and their scale
//	grid.go    cells for keyboards and screen readers, and what is said of them; figures for scripts
//	pieces.go  figures of pieces
//	legend.go  the legend beside a board
//	hands.go   the pieces in hand beside a board
//	style.go   the style sheet; style.css its rules that all games share
package board

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"selfplay/encode"
)

// Drawing is what is drawn on a board.
type Drawing struct {
	Label string // description for screen readers
	Codes []int  // code of each cell; nil: no pieces
	Heat  []Heat // of each cell; nil: none
	// Live drawings have a group "marks" for marked cells, their pieces in a group "pieces" and
	// a group "arrows" above, so that a script can replace them.
	Live bool
	Flip bool // shows the board from the other side
	// Sides are the names of the sides. With them the drawing is a grid: see drawCells.
	Sides *[2]string
	// Titles are the names of the sides, too. With them pieces have tooltips; the cells of a grid
	// have them always.
	Titles *[2]string
}

// Heat is a quantity of a cell.
type Heat struct {
	Strength float64 // 0 to 1, the most of all cells
	// Lean mixes the colours of the sides: 0 is the first side's, 1 the second's. Unsided
	// has a colour of its own.
	Lean float64
	Text string // tooltip
}

// Unsided is the lean of a quantity that has no side.
const Unsided = -1

// Sizes in units: of a cell, and of the margin for labels on the left and below.
const (
	cell   = 10
	margin = 7
)

// Draw returns the drawing as an SVG element. It needs the rules of Style.
func Draw(b *encode.Board, d Drawing) string {
	var s strings.Builder
	role := "img"
	if d.Sides != nil {
		role = "grid"
	}
	flipped := ""
	if d.Flip {
		flipped = ` data-flip="1"`
	}
	fmt.Fprintf(&s, `<svg class="board" xmlns="http://www.w3.org/2000/svg" role="%s" aria-label="%s" viewBox="%d -1 %d %d"%s>`,
		role, html.EscapeString(d.Label), -margin, margin+cell*b.Files+1, margin+cell*b.Ranks+1, flipped)
	if d.Sides != nil {
		s.WriteString(`<g aria-hidden="true">`)
	}
	drawGrounds(&s, b, &d)
	for c, h := range d.Heat {
		drawHeat(&s, b, d.place(b, c), h)
	}
	drawLabels(&s, b, &d)
	if d.Live {
		s.WriteString(`<g class="marks"></g><g class="pieces">`)
	}
	drawPieces(&s, b, d, tiles)
	drawPieces(&s, b, d, figures)
	if d.Live {
		s.WriteString(`</g><g class="arrows"></g>`)
	}
	if d.Sides != nil {
		s.WriteString("</g>")
		drawCells(&s, b, &d)
	}
	s.WriteString("</svg>")
	return s.String()
}

// place returns the place of a cell in the drawing, by rows from the top left: the cell itself, or the
// opposite one of a flipped board. It is its own inverse.
func (d *Drawing) place(b *encode.Board, cell int) int {
	if d.Flip {
		return b.Cells() - 1 - cell
	}
	return cell
}

// drawGrounds draws the cells of each ground as one path, then the grid and the lines.
func drawGrounds(s *strings.Builder, b *encode.Board, d *Drawing) {
	for n := range b.Grounds {
		fmt.Fprintf(s, `<path class="%s" d="`, GroundClass(n))
		for c := range b.Cells() {
			if at := d.place(b, c); b.Ground(c) == n {
				fmt.Fprintf(s, "M%d %dh10v10h-10z", cell*(at%b.Files), cell*(at/b.Files))
			}
		}
		s.WriteString(`"/>`)
	}
	s.WriteString(`<path class="grid" d="`)
	for f := range b.Files + 1 {
		fmt.Fprintf(s, "M%d 0v%d", cell*f, cell*b.Ranks)
	}
	for r := range b.Ranks + 1 {
		fmt.Fprintf(s, "M0 %dh%d", cell*r, cell*b.Files)
	}
	s.WriteString(`"/>`)
	turned := ""
	if d.Flip {
		turned = fmt.Sprintf(` transform="rotate(180 %d %d)"`, cell*b.Files/2, cell*b.Ranks/2)
	}
	for n, line := range b.Lines {
		fmt.Fprintf(s, `<path class="line%d" d="%s"%s/>`, n, line.Path, turned)
	}
}

// drawLabels writes the files below the cells and the ranks on their left.
func drawLabels(s *strings.Builder, b *encode.Board, d *Drawing) {
	for f := range b.Files {
		file := d.place(b, f) % b.Files
		fmt.Fprintf(s, `<text class="label" x="%d" y="%s">%c</text>`, cell*f+cell/2, number(float64(cell*b.Ranks)+4.7), 'a'+rune(file))
	}
	for row := range b.Ranks {
		rank := b.Rank(d.place(b, row*b.Files) / b.Files)
		fmt.Fprintf(s, `<text class="label" x="-3.6" y="%s">%d</text>`, number(float64(cell*row)+6.4), rank)
	}
}

// at returns the coordinate of a row or file plus an offset.
func at(line int, offset float64) string { return number(float64(cell*line) + offset) }

// number formats a number with at most two decimals.
func number(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }
