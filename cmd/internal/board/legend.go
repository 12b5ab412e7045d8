package board

import (
	"fmt"
	"html"
	"strings"

	"selfplay/encode"
)

// Legend returns the legend beside a board as an HTML list: sides, pieces with their letters, named
// grounds, and what rings and bars mean. It needs the rules of Style.
func Legend(b *encode.Board, sides [2]string) string {
	var s strings.Builder
	s.WriteString(`<ul class="legend" aria-label="Legend">`)
	for side, name := range sides {
		entry(&s, fmt.Sprintf(`<circle class="side%d" r="3.6"/>`, side), name)
	}
	for kind, k := range b.Kinds {
		p := []encode.Piece{{Kind: kind}}
		entry(&s, tiles(b, p)+figures(b, p), k.Name)
	}
	for n, g := range b.Grounds {
		if g.Name != "" {
			entry(&s, fmt.Sprintf(`<path class="%s" d="M-5 -5h10v10h-10z"/>`, GroundClass(n)), g.Name)
		}
	}
	if b.Ring != "" {
		entry(&s, `<circle class="side0 ring" r="3.6"/>`, b.Ring+", + on a bar")
	}
	if stack := someStack(b); stack != nil {
		entry(&s, figures(b, stack), "stack: the bar has what the lead carries")
	}
	s.WriteString("</ul>")
	return s.String()
}

// entry writes a figure with its name.
func entry(s *strings.Builder, figure, name string) {
	fmt.Fprintf(s, `<li><svg class="board swatch" viewBox="-5 -5 10 10" aria-hidden="true">%s</svg> %s</li>`, figure, html.EscapeString(name))
}

// someStack returns the pieces of the first code with several tokens, nil if there is none.
func someStack(b *encode.Board) []encode.Piece {
	for _, pieces := range b.Codes {
		if len(pieces) > 1 && b.Kinds[pieces[0].Kind].Figure == encode.Token {
			return pieces
		}
	}
	return nil
}
