package encode_test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// golden compares text with a file of a game: testdata/<game>/<name>.
func golden(t *testing.T, game, name, text string) {
	t.Helper()
	enginetest.Golden(t, filepath.Join("testdata", game, name), text,
		"These numbers are in datasets: repair the change, or raise the version and record it in CHANGELOG.md")
}

// TestNumbersAreFrozen pins the meaning and the flipped number of every action, and the compact
// array of the start and of every sample. Planes are drawn beside their board, for people to check.
func TestNumbersAreFrozen(t *testing.T) {
	for file, write := range map[string]func(t *testing.T, g *encode.Game) string{
		"actions.txt":         goldenActions,
		"flipped_actions.txt": goldenFlips,
		"boards.txt":          func(t *testing.T, g *encode.Game) string { return goldenBoards(t, g, writeElements) },
		"planes.txt":          func(t *testing.T, g *encode.Game) string { return goldenBoards(t, g, writePlanes) },
	} {
		for _, g := range encode.Games() {
			t.Run(g.Name+"/"+file, func(t *testing.T) { golden(t, g.Name, file, write(t, &g)) })
		}
	}
}

func goldenActions(_ *testing.T, g *encode.Game) string {
	sum := sha256.New()
	kinds, used := map[string]int{}, 0
	for n := range g.Actions.Count {
		a := g.Actions.Describe(uint16(n))
		fmt.Fprintf(sum, "%d,%s,%s,%s\n", n, a.From, a.To, a.Kind)
		if a.Kind != encode.NoAction {
			used++
			kinds[a.Kind]++
		}
	}
	return fmt.Sprintf("version %d: %d numbers, %d of them used\nkinds %v\nsha256 %x\n",
		g.Actions.Version, g.Actions.Count, used, kinds, sum.Sum(nil))
}

func goldenFlips(_ *testing.T, g *encode.Game) string {
	sum := sha256.New()
	for n := range g.Actions.Count {
		fmt.Fprintf(sum, "%d,%d\n", n, g.Actions.Flip(uint16(n)))
	}
	return fmt.Sprintf("sha256 %x\n", sum.Sum(nil))
}

// goldenBoards writes the start and every sample of a game.
func goldenBoards(t *testing.T, g *encode.Game, write func(b *strings.Builder, g *encode.Game, board, planes []byte)) string {
	t.Helper()
	layout := must.Get(g.Layout(encode.PlanesName))(t)
	var b strings.Builder
	for _, text := range append([]string{g.New("").String()}, g.Samples...) {
		p := positionOf(t, g.Name, text)
		fmt.Fprintf(&b, "%s\n\n", p)
		write(&b, g, g.Identity().Encode(nil, p), layout.Encode(nil, p))
		b.WriteByte('\n')
	}
	return b.String()
}

// writeElements writes the cells row by row, then the other elements by name.
func writeElements(b *strings.Builder, g *encode.Game, board, _ []byte) {
	values := g.Identity().Values(nil, board)
	for row := range g.Board.Ranks {
		fmt.Fprintf(b, "%4d\n", values[row*g.Board.Files:][:g.Board.Files])
	}
	at := 0
	for i, e := range g.Identity().Elements {
		if i > 0 {
			fmt.Fprintf(b, "%s %d\n", e.Name, values[at:at+e.Count])
		}
		at += e.Count
	}
}

// writePlanes writes the planes of a position; empty and full ones take one line.
func writePlanes(b *strings.Builder, g *encode.Game, board, planes []byte) {
	layout, _ := g.Layout(encode.PlanesName)
	size, at := layout.Elements[0].Count, 0
	for i, e := range layout.Elements {
		plane := planes[at:][:size]
		at += size
		set := 0
		for cell := range 8 * size {
			set += int(encodetest.Bit(plane, cell))
		}
		switch fmt.Fprintf(b, "%d %s", i, e.Name); set {
		case 0:
			b.WriteString(": empty\n")
			continue
		case g.Board.Cells():
			b.WriteString(": full\n")
			continue
		}
		b.WriteByte('\n')
		codes := g.Identity().Values(nil, board)
		for row := range g.Board.Ranks {
			for file := range g.Board.Files {
				fmt.Fprintf(b, "%6s", cellText(g, codes[row*g.Board.Files+file]))
			}
			b.WriteString("   ")
			for file := range g.Board.Files {
				b.WriteString([2]string{" .", " #"}[encodetest.Bit(plane, row*g.Board.Files+file)])
			}
			b.WriteByte('\n')
		}
	}
}

// cellText writes the letters of a code: upper case for the first side, lower case for the
// second, + before a piece with a ring.
func cellText(g *encode.Game, code int) string {
	text := ""
	for _, piece := range g.Board.Codes[code] {
		letter := g.Board.Kinds[piece.Kind].Letter
		if piece.Side == 1 {
			letter = strings.ToLower(letter)
		}
		if piece.Ring {
			letter = "+" + letter
		}
		text += letter
	}
	if text == "" {
		return "."
	}
	return text
}

func BenchmarkEncode(b *testing.B) {
	for _, g := range encode.Games() {
		for _, layout := range g.Layouts {
			b.Run(g.Name+"/"+layout.Name, func(b *testing.B) {
				p := g.New("")
				var dst []byte
				b.ReportAllocs()
				for b.Loop() {
					dst = layout.Encode(dst[:0], p)
				}
			})
		}
	}
}
