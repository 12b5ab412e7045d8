package board

import (
	"fmt"
	"html"
	"strings"

	"selfplay/encode"
)

// drawPieces draws one layer of the pieces on all cells.
func drawPieces(s *strings.Builder, b *encode.Board, codes []int, layer func(*encode.Board, []encode.Piece) string) {
	for c, code := range codes {
		if code >= len(b.Codes) {
			continue
		}
		if figure := layer(b, b.Codes[code]); figure != "" {
			fmt.Fprintf(s, `<g transform="translate(%d %d)">%s</g>`, cell*(c%b.Files)+cell/2, cell*(c/b.Files)+cell/2, figure)
		}
	}
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
	return fmt.Sprintf(`<rect class="side%d" x="-3.9" y="0.2" width="7.8" height="4.5" rx="2"/><circle class="%s" cy="-0.9" r="3.6"/>`+
		`<text class="letter%d" y="0.4" font-size="4.4">%s</text><text class="letter%d" y="4.2" font-size="2.7">%s</text>`,
		lead.Side, classOf(lead), lead.Side, letter, lead.Side, list)
}

// classOf returns the style class of a piece.
func classOf(p encode.Piece) string {
	class := fmt.Sprintf("side%d", p.Side)
	if p.Ring {
		class += " ring"
	}
	return class
}
