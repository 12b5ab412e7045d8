package board

import (
	_ "embed"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Style is the style sheet of drawings. A page that holds some has it once.
//
//go:embed style.css
var Style string

// Drawing is what is drawn on a board.
type Drawing struct {
	Label string // what it shows, for those who cannot see it
	Codes []int  // what stands on each cell; nil: nothing
	Heat  []Heat // how much each cell has; nil: nothing
}

// Heat is how much of something a cell has.
type Heat struct {
	Strength float64 // 0 nothing to 1, the most that any cell has
	// Lean tells whose it is: 0 all the first side's, 1 all the second's. Where the
	// sides are not told apart it is Both.
	Lean float64
	Text string // shown where one points at the cell
}

// Both is the lean of what belongs to no side.
const Both = -1

// cell is the width of a cell, margin what labels take on the left and below.
const (
	cell   = 10
	margin = 7
)

// Draw returns the drawing as an SVG element that takes its colours from Style.
func (b *Board) Draw(d Drawing) string {
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class="board" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="%s" viewBox="%d -1 %d %d">`,
		html.EscapeString(d.Label), -margin, margin+cell*b.Files+1, margin+cell*b.Ranks+1)
	b.drawGround(&s)
	for c, h := range d.Heat {
		b.drawHeat(&s, c, h)
	}
	b.drawLabels(&s)
	b.drawCodes(&s, d.Codes, b.below)
	b.drawCodes(&s, d.Codes, b.figure)
	s.WriteString("</svg>")
	return s.String()
}

// drawGround draws all cells of one ground as one path.
func (b *Board) drawGround(s *strings.Builder) {
	for n, g := range b.Grounds {
		fmt.Fprintf(s, `<path class="%s" d="`, g.Class)
		for c := range b.Cells() {
			if b.Ground(c) == n {
				fmt.Fprintf(s, "M%d %dh10v10h-10z", cell*(c%b.Files), cell*(c/b.Files))
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
	if b.lines != "" {
		fmt.Fprintf(s, `<path class="river" d="%s"/><path class="bridge" d="%s"/>`, b.lines, b.bridges)
	}
}

func (b *Board) drawLabels(s *strings.Builder) {
	for f := range b.Files {
		fmt.Fprintf(s, `<text class="label" x="%d" y="%s">%c</text>`, cell*f+cell/2, number(float64(cell*b.Ranks)+4.7), 'a'+rune(f))
	}
	for r := range b.Ranks {
		fmt.Fprintf(s, `<text class="label" x="-3.6" y="%s">%d</text>`, number(float64(cell*r)+6.4), b.Ranks-r)
	}
}

// drawHeat fills the middle of a cell; the ground stays to be seen around it.
func (b *Board) drawHeat(s *strings.Builder, c int, h Heat) {
	opacity := 0.0
	if h.Strength > 0 {
		opacity = 0.06 + float64(0.94*math.Pow(h.Strength, 0.7)) // what is rare is still to be seen
	}
	fmt.Fprintf(s, `<rect class="heat" x="%s" y="%s" width="8.4" height="8.4" rx="1" fill="%s" fill-opacity="%s"><title>%s</title></rect>`,
		at(c%b.Files, 0.8), at(c/b.Files, 0.8), colour(h.Lean), number(opacity), html.EscapeString(h.Text))
}

// drawCodes draws what stands on the cells, one part of it at a time.
func (b *Board) drawCodes(s *strings.Builder, codes []int, part func([]Thing) string) {
	if part == nil {
		return
	}
	for c, code := range codes {
		things := b.Things(code)
		if len(things) == 0 {
			continue
		}
		if figure := part(things); figure != "" {
			fmt.Fprintf(s, `<g transform="translate(%d %d)">%s</g>`, cell*(c%b.Files)+cell/2, cell*(c/b.Files)+cell/2, figure)
		}
	}
}

// Colours of heat: of what belongs to nobody, and of the first and the second side,
// which readers who see few colours tell apart too.
var (
	heatBoth  = [3]float64{0xB4, 0x3C, 0x0C}
	heatSides = [2][3]float64{{0xC8, 0x4A, 0x00}, {0x00, 0x5F, 0xB8}}
)

// colour returns the colour of a lean. The conversions forbid machines that could to
// multiply and add without rounding in between: a number a little below a whole one
// would be another colour there.
func colour(lean float64) string {
	c := heatBoth
	if lean >= 0 {
		for i := range c {
			c[i] = float64((1-lean)*heatSides[0][i]) + float64(lean*heatSides[1][i])
		}
	}
	return fmt.Sprintf("#%02x%02x%02x", int(c[0]), int(c[1]), int(c[2]))
}

// at returns the coordinate of a file or rank, a little inside it.
func at(line int, inside float64) string { return number(float64(cell*line) + inside) }

// number writes a coordinate or a share with no more digits than are seen.
func number(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }
