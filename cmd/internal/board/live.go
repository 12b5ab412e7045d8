package board

import (
	"fmt"
	"strings"

	"selfplay/encode"
)

// Figures returns a hidden SVG element with the figures of some codes, around the origin. A
// script copies them into live drawings. The id of a figure is "figure" and its code.
func Figures(b *encode.Board, codes []int) string {
	var s strings.Builder
	s.WriteString(`<svg class="board figures" aria-hidden="true">`)
	for _, code := range codes {
		if code < len(b.Codes) {
			fmt.Fprintf(&s, `<g id="figure%d">%s%s</g>`, code, tiles(b, b.Codes[code]), figures(b, b.Codes[code]))
		}
	}
	s.WriteString("</svg>")
	return s.String()
}
