package board

import (
	"fmt"
	"html"
	"math"
	"strings"

	"selfplay/encode"
)

// drawHeat fills the middle of a cell, so that its ground remains visible.
func drawHeat(s *strings.Builder, b *encode.Board, c int, h Heat) {
	fmt.Fprintf(s, `<rect class="heat" x="%s" y="%s" width="8.4" height="8.4" rx="1" fill="%s" fill-opacity="%s"><title>%s</title></rect>`,
		at(c%b.Files, 0.8), at(c/b.Files, 0.8), colour(h.Lean), number(opacity(h.Strength)), html.EscapeString(h.Text))
}

// opacity returns the opacity of a strength. Small values stay visible.
func opacity(strength float64) float64 {
	if strength == 0 {
		return 0
	}
	return 0.06 + float64(0.94*math.Pow(strength, 0.7))
}

// scaleSteps is the number of steps of a Scale.
const scaleSteps = 20

// Scale returns the colours of a heat map as an SVG strip: strength 0 on the left, 1 on the
// right, on the most common ground of the board.
func Scale(b *encode.Board, lean float64) string {
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class="board" aria-hidden="true" viewBox="0 0 %d 10" preserveAspectRatio="none"><path class="%s" d="M0 0h%dv10h-%[1]dz"/>`,
		scaleSteps, GroundClass(commonGround(b)), scaleSteps)
	for i := range scaleSteps {
		fmt.Fprintf(&s, `<rect x="%d" width="1" height="10" fill="%s" fill-opacity="%s"/>`,
			i, colour(lean), number(opacity(float64(i)/(scaleSteps-1))))
	}
	s.WriteString("</svg>")
	return s.String()
}

// commonGround returns the ground of most cells, the first among equals.
func commonGround(b *encode.Board) (common int) {
	cells := make([]int, len(b.Grounds))
	for c := range b.Cells() {
		cells[b.Ground(c)]++
	}
	for n := range cells {
		if cells[n] > cells[common] {
			common = n
		}
	}
	return common
}

// Colours of heat without a side, and of the first and the second side. The latter two
// differ for colour-blind readers too.
var (
	heatUnsided = [3]float64{0xB4, 0x3C, 0x0C}
	heatSides   = [2][3]float64{{0xC8, 0x4A, 0x00}, {0x00, 0x5F, 0xB8}}
)

// colour returns the colour of a lean. The conversions to float64 forbid fused
// multiply-add, which would round differently on some machines and change the page.
func colour(lean float64) string {
	c := heatUnsided
	if lean >= 0 {
		for i := range c {
			c[i] = float64((1-lean)*heatSides[0][i]) + float64(lean*heatSides[1][i])
		}
	}
	return fmt.Sprintf("#%02x%02x%02x", int(c[0]), int(c[1]), int(c[2]))
}
