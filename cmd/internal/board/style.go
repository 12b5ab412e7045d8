package board

import (
	_ "embed"
	"fmt"
	"strings"

	"selfplay/encode"
)

// sharedStyle has the rules that all games share.
//
//go:embed style.css
var sharedStyle string

// GroundClass returns the style class of a ground, by its index.
func GroundClass(n int) string { return fmt.Sprintf("ground%d", n) }

// Style returns the style sheet of a board's drawings. A page needs it once.
func Style(b *encode.Board) string {
	var light, dark strings.Builder
	for n, g := range b.Grounds {
		fmt.Fprintf(&light, "svg.board .%s { fill: %s; }\n", GroundClass(n), g.Fill)
		fmt.Fprintf(&dark, "  svg.board .%s { fill: %s; }\n", GroundClass(n), g.Dark)
	}
	for n, line := range b.Lines {
		fmt.Fprintf(&light, "svg.board .line%d { fill: none; stroke: %s; stroke-width: %s; }\n", n, line.Stroke, number(line.Width))
	}
	for side, p := range b.Sides {
		fmt.Fprintf(&light, "svg.board .side%d { fill: %s; stroke: %s; stroke-width: %s; }\n", side, p.Fill, p.Stroke, number(p.Width))
		if p.Letter != "" {
			fmt.Fprintf(&light, "svg.board .letter%d { fill: %s; }\n", side, p.Letter)
		}
	}
	for n, k := range b.Kinds {
		if k.Figure == encode.Tile {
			fmt.Fprintf(&light, "svg.board .tile%d { fill: %s; }\n", n, k.Fill)
			fmt.Fprintf(&dark, "  svg.board .tile%d { fill: %s; }\n", n, k.Dark)
		}
	}
	// The shared rules come last: their ring overrides the stroke of a side.
	return light.String() + sharedStyle + "@media screen and (prefers-color-scheme: dark) {\n" + dark.String() + sharedDark + "}\n"
}

// Picture returns a drawing as a file of its own. With a scope, a word, its rules hold for drawings of this scope only,
// so that a page may have pictures of several games.
func Picture(b *encode.Board, d Drawing, scope string) string {
	const open, selector = `<svg class="board`, "svg.board"
	style := Style(b)
	if scope != "" {
		style, scope = strings.ReplaceAll(style, selector, selector+"."+scope), " "+scope
	}
	width, height := 6*(margin+cell*b.Files+1), 6*(margin+cell*b.Ranks+1)
	root := fmt.Sprintf(`%s%s" width="%d" height="%d"`, open, scope, width, height)
	drawing := strings.TrimPrefix(Draw(b, d), open+`"`)
	return root + strings.Replace(drawing, ">", "><style>"+style+"</style>", 1) + "\n"
}

// sharedDark has the rules for dark pages that all games share.
const sharedDark = "  svg.board .label { fill: #a4a8b4; }\n  svg.board .grid { stroke: #fff; stroke-opacity: .14; }\n"
