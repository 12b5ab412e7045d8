package board

import (
	"fmt"
	"html"
	"strings"

	"selfplay/encode"
)

// drawCells draws the cells of a drawing with Sides as a grid for keyboards and screen readers: an invisible rectangle on
// each, with its name and what stands on it. One cell can be reached by Tab; a script moves the
// focus among them. The rest of the drawing is hidden from screen readers.
func drawCells(s *strings.Builder, b *encode.Board, d *Drawing) {
	s.WriteString(`<g class="cells" role="rowgroup">`)
	for row := range b.Ranks {
		s.WriteString(`<g role="row">`)
		for file := range b.Files {
			c := d.place(b, row*b.Files+file)
			code, tab := 0, -1
			if c < len(d.Codes) {
				code = d.Codes[c]
			}
			if row+file == 0 {
				tab = 0
			}
			fmt.Fprintf(s, `<rect class="cell" role="gridcell" tabindex="%d" aria-label="%s" data-cell="%s" data-empty="%s" x="%d" y="%d" width="%d" height="%d"><title>%[2]s</title></rect>`,
				tab, html.EscapeString(Spoken(b, *d.Sides, c, code)), b.Name(c), emptyWords(b, c), cell*file, cell*row, cell, cell)
		}
		s.WriteString("</g>")
	}
	s.WriteString("</g>")
}

// Spoken says what stands on a cell: e4, white pawn.
func Spoken(b *encode.Board, sides [2]string, cell, code int) string {
	words := Words(b, sides, code)
	if words == "" {
		words = emptyWords(b, cell)
	}
	return b.Name(cell) + ", " + words
}

// emptyWords describes a cell without pieces, with its ground if that has a name.
func emptyWords(b *encode.Board, cell int) string {
	if name := b.Grounds[b.Ground(cell)].Name; name != "" {
		return "empty, " + name
	}
	return "empty"
}

// Words describes what a code stands for: white pawn; red navy with heroic air force; black piece
// on gray tile. An empty cell has no words.
func Words(b *encode.Board, sides [2]string, code int) string {
	if code <= 0 || code >= len(b.Codes) {
		return ""
	}
	text, joint := "", ""
	for i, p := range b.Codes[code] {
		k := &b.Kinds[p.Kind]
		switch {
		case i > 0 && k.Figure == encode.Tile:
			joint = " on "
		case i == 1:
			joint = " with "
		case i > 1:
			joint = " and "
		}
		text += joint
		if p.Ring && b.Ring != "" {
			text += b.Ring + " "
		}
		if i == 0 && p.Side != encode.Neutral {
			text = sides[p.Side] + " " + text
		}
		text += k.Name
	}
	return text
}

// Figures returns a hidden SVG element with the figures of some codes, around the origin. A
// script copies them into live drawings, with their tooltips. The id of a figure is "figure" and its code.
func Figures(b *encode.Board, sides [2]string, codes []int) string {
	var s strings.Builder
	s.WriteString(`<svg class="board figures" aria-hidden="true">`)
	for _, code := range codes {
		if code < len(b.Codes) {
			fmt.Fprintf(&s, `<g id="figure%d">%s%s%s</g>`, code, tooltip(b, &sides, code), tiles(b, b.Codes[code]), figures(b, b.Codes[code]))
		}
	}
	s.WriteString("</svg>")
	return s.String()
}
