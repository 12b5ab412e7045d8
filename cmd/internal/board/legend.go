package board

import (
	"fmt"
	"html"
	"strings"

	"selfplay/encode"
)

// Legend returns the legend beside a board as an HTML list: sides, pieces with their letters, named
// grounds, lines, and what rings and bars mean. It needs the rules of Style.
func Legend(b *encode.Board, sides [2]string) string {
	var s strings.Builder
	s.WriteString(`<ul class="legend" aria-label="Legend">`)
	for side, name := range sides {
		entry(&s, fmt.Sprintf(`<circle class="side%d" r="3.6"/>`, side), html.EscapeString(name))
	}
	for kind, k := range b.Kinds {
		p := []encode.Piece{{Kind: kind}}
		name := k.Name
		if k.Figure == encode.Glyph { // does not show the letter that moves have
			name += " " + k.Letter
		}
		entry(&s, tiles(b, p)+figures(b, p), html.EscapeString(name)+native(b, k.Native))
	}
	for n, g := range b.Grounds {
		if g.Name != "" {
			entry(&s, fmt.Sprintf(`<path class="%s" d="M-5 -5h10v10h-10z"/>`, GroundClass(n)), html.EscapeString(g.Name))
		}
	}
	for n, line := range b.Lines {
		if line.Name == "" {
			continue
		}
		entry(&s, fmt.Sprintf(`<path class="line%d" d="M-5 0h10"/>`, n), html.EscapeString(line.Name))
	}
	if b.Ring != "" {
		entry(&s, `<circle class="side0 ring" r="3.6"/>`, html.EscapeString(b.Ring)+native(b, b.RingNative)+html.EscapeString(": "+b.RingDoc))
	}
	if stack := someStack(b, false); stack != nil {
		entry(&s, figures(b, stack), "stack: the disc leads and carries those on the bar")
	}
	if stack := someStack(b, true); stack != nil {
		entry(&s, figures(b, stack), "+ before a letter on the bar: this piece is "+html.EscapeString(b.Ring))
	}
	s.WriteString("</ul>")
	return s.String()
}

// native returns a name in the language of the game's players as HTML, behind one in English; "" without a name.
func native(b *encode.Board, name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(` <i lang="%s">%s</i>`, b.Language, html.EscapeString(name))
}

// entry writes a figure with its name, which is HTML.
func entry(s *strings.Builder, figure, name string) {
	fmt.Fprintf(s, `<li><svg class="board swatch" viewBox="-5 -5 10 10" aria-hidden="true">%s</svg> <span>%s</span></li>`, figure, name)
}

// someStack returns the pieces of the first code with two tokens of which the second has a ring or not,
// nil if there is none.
func someStack(b *encode.Board, ring bool) []encode.Piece {
	for _, pieces := range b.Codes {
		if len(pieces) == 2 && b.Kinds[pieces[0].Kind].Figure == encode.Token && !pieces[0].Ring && pieces[1].Ring == ring {
			return pieces
		}
	}
	return nil
}
