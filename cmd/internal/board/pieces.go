package board

import (
	"fmt"
	"strings"

	"selfplay/engine/cotulenh"
)

// cotulenhThings takes a stack apart, the lead first.
func cotulenhThings(code int) (things []Thing) {
	s := cotulenh.Stack(code)
	if s == cotulenh.Empty {
		return nil
	}
	for _, m := range s.Members() {
		things = append(things, Thing{int(m.Type), int(s.Side()), m.Heroic})
	}
	return things
}

// stackFigure draws the lead as a disc with its letter, and what it carries in small
// letters on a second disc under it. Heroes have a ring, or a + before their letter.
func stackFigure(things []Thing) string {
	letter := func(t Thing) string { return strings.ToUpper(string(cotulenh.Type(t.Kind).Letter())) }
	lead := things[0]
	class := fmt.Sprintf("side%d", lead.Side)
	if lead.Hero {
		class += " hero"
	}
	if len(things) == 1 {
		return fmt.Sprintf(`<circle class="%s" r="4.1"/><text class="on%d" y="1.9" font-size="5.4">%s</text>`, class, lead.Side, letter(lead))
	}
	cargo := ""
	for _, t := range things[1:] {
		if t.Hero {
			cargo += "+"
		}
		cargo += letter(t)
	}
	return fmt.Sprintf(`<rect class="side%d" x="-3.9" y="0.2" width="7.8" height="4.5" rx="2"/><circle class="%s" cy="-0.9" r="3.6"/>`+
		`<text class="on%d" y="0.4" font-size="4.4">%s</text><text class="on%d" y="4.2" font-size="2.7">%s</text>`,
		lead.Side, class, lead.Side, letter(lead), lead.Side, cargo)
}

// chessThings reads a piece of the compact layout.
func chessThings(code int) []Thing {
	const kinds = 6
	if code == 0 {
		return nil
	}
	return []Thing{{Kind: (code - 1) % kinds, Side: (code - 1) / kinds}}
}

// chessFigure draws the piece as a glyph. Both sides have the filled one, which a
// style colours; the selector behind it keeps it from being drawn as an emoji.
func chessFigure(things []Thing) string {
	glyphs := [...]rune{'♟', '♞', '♝', '♜', '♛', '♚'}
	t := things[0]
	return fmt.Sprintf(`<text class="glyph%d" y="3.1" font-size="8.6">%c&#xFE0E;</text>`, t.Side, glyphs[t.Kind])
}

// Kinds of things in Contrast.
const (
	contrastPiece = 0
	blackTile     = 1
	grayTile      = 2
)

// contrastThings reads a cell of the compact layout: occupant*3 + tile.
func contrastThings(code int) (things []Thing) {
	if occupant := code / 3; occupant > 0 {
		things = append(things, Thing{Kind: contrastPiece, Side: occupant - 1})
	}
	if tile := code % 3; tile > 0 {
		things = append(things, Thing{Kind: blackTile + tile - 1, Side: Nobody})
	}
	return things
}

func contrastTile(things []Thing) string {
	t := things[len(things)-1]
	if t.Kind == contrastPiece {
		return ""
	}
	return fmt.Sprintf(`<rect class="tile%d" x="-4.6" y="-4.6" width="9.2" height="9.2" rx="0.6"/>`, t.Kind)
}

func contrastFigure(things []Thing) string {
	if things[0].Kind != contrastPiece {
		return ""
	}
	return fmt.Sprintf(`<circle class="disc%d" r="3"/>`, things[0].Side)
}
