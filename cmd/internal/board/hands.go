package board

import (
	"fmt"
	"html"
	"strings"

	"selfplay/encode"
)

// Beside returns the pieces in hand as HTML lists: above the board those of the side at its top, below
// it those of the other one. Numbers are those of HandValues. The lists are empty in games without
// hands. A script finds the numbers by the attribute data-hand, their index.
func Beside(b *encode.Board, sides [2]string, numbers []int, flip bool) (above, below string) {
	if len(b.Hands) == 0 || len(numbers) < len(b.Hands) {
		return "", ""
	}
	top := b.Hands[0].Side
	above, below = hand(b, sides, top, numbers), hand(b, sides, 1-top, numbers)
	if flip {
		above, below = below, above
	}
	return above, below
}

// hand lists the pieces in hand of a side, also those of which it has none.
func hand(b *encode.Board, sides [2]string, side int, numbers []int) string {
	var s strings.Builder
	name := html.EscapeString(sides[side])
	fmt.Fprintf(&s, `<ul class="hand" aria-label="%s in hand"><li class="side">%[1]s</li>`, name)
	for i, h := range b.Hands {
		if h.Side != side {
			continue
		}
		p := []encode.Piece{{Kind: h.Kind, Side: side}}
		fmt.Fprintf(&s, `<li><svg class="board swatch" viewBox="-5 -5 10 10" aria-hidden="true">%s%s</svg> <span class="kind">%s:</span> <b data-hand="%d">%d</b></li>`,
			tiles(b, p), figures(b, p), html.EscapeString(b.Kinds[h.Kind].Name), i, numbers[i])
	}
	s.WriteString("</ul>")
	return s.String()
}

// HandValues returns the number of pieces of each entry of Hands, from the values of a position in the
// layout that identifies positions.
func HandValues(b *encode.Board, values []int) (numbers []int) {
	for _, h := range b.Hands {
		numbers = append(numbers, values[h.Value])
	}
	return numbers
}
