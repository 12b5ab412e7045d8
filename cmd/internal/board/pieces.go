package board

import (
	"fmt"
	"html"
	"strings"

	"selfplay/encode"
)

// drawPieces draws one layer of the pieces on all cells.
func drawPieces(s *strings.Builder, b *encode.Board, d Drawing, layer func(*encode.Board, []encode.Piece) string) {
	for c, code := range d.Codes {
		if code >= len(b.Codes) {
			continue
		}
		if figure := layer(b, b.Codes[code]); figure != "" {
			at := d.place(b, c)
			fmt.Fprintf(s, `<g transform="translate(%d %d)">%s%s</g>`, cell*(at%b.Files)+cell/2, cell*(at/b.Files)+cell/2,
				tooltip(b, d.Titles, code), figure)
		}
	}
}

// tooltip returns what a code stands for as the title of an element.
func tooltip(b *encode.Board, sides *[2]string, code int) string {
	if sides == nil {
		return ""
	}
	return "<title>" + html.EscapeString(Words(b, *sides, code)) + "</title>"
}

// tiles returns the tiles of a cell, as SVG around its centre.
func tiles(b *encode.Board, pieces []encode.Piece) (svg string) {
	for _, p := range pieces {
		if b.Kinds[p.Kind].Figure == encode.Tile {
			svg += fmt.Sprintf(`<rect class="tile%d" x="-4.6" y="-4.6" width="9.2" height="9.2" rx="0.6"/>`, p.Kind)
		}
	}
	return svg
}

// figures returns the other pieces of a cell. Discs and glyphs stand alone.
func figures(b *encode.Board, pieces []encode.Piece) string {
	for i, p := range pieces {
		switch k := &b.Kinds[p.Kind]; k.Figure {
		case encode.Disc:
			return fmt.Sprintf(`<circle class="%s" r="3"/>`, classOf(p))
		case encode.Glyph:
			return fmt.Sprintf(`<text class="%s" y="3.1" font-size="8.6">%s</text>`, classOf(p), html.EscapeString(k.Glyph))
		case encode.Token:
			return tokens(b, p, pieces[i+1:])
		case encode.Tile: // lies under the other pieces
		}
	}
	return ""
}

// tokens returns a disc with the letter of the lead. The letters of the other members are
// on a bar below it, with a + before those that have a ring.
func tokens(b *encode.Board, lead encode.Piece, others []encode.Piece) string {
	letter := b.Kinds[lead.Kind].Letter
	if len(others) == 0 {
		return fmt.Sprintf(`<circle class="%s" r="4.1"/><text class="letter%d" y="1.9" font-size="5.4">%s</text>`, classOf(lead), lead.Side, letter)
	}
	list := ""
	for _, p := range others {
		if p.Ring {
			list += "+"
		}
		list += b.Kinds[p.Kind].Letter
	}
	squeezed := ""
	if len(list) > 3 { // narrow letters are easier to read than small ones
		squeezed = ` textLength="8.6" lengthAdjust="spacingAndGlyphs"`
	}
	// The letters are legible on a phone, where a cell has some 30 pixels and these letters 12.
	return fmt.Sprintf(`<rect class="side%d" x="-4.8" y="0" width="9.6" height="4.8" rx="1.4"/><circle class="%s" cy="-1.8" r="3"/>`+
		`<text class="letter%d" y="-0.4" font-size="4">%s</text><text class="letter%d" y="4.1" font-size="4.2"%s>%s</text>`,
		lead.Side, classOf(lead), lead.Side, letter, lead.Side, squeezed, list)
}

// classOf returns the style class of a piece.
func classOf(p encode.Piece) string {
	class := fmt.Sprintf("side%d", p.Side)
	if p.Ring {
		class += " ring"
	}
	return class
}
