package contrast_test

import (
	"fmt"
	"strings"
	"testing"

	"selfplay/engine/contrast"
	"selfplay/internal/must"
)

var variants = []string{"after", "before"}

// in returns a position at the start of a variant.
func in(variant string) *contrast.Position {
	return contrast.Game().New(variant).(*contrast.Position)
}

// at returns the position of a text in the variant after.
func at(t testing.TB, text string) *contrast.Position {
	t.Helper()
	return set(t, contrast.New(), text)
}

func set(t testing.TB, p *contrast.Position, text string) *contrast.Position {
	t.Helper()
	must.Do(t, p.Set(text))
	return p
}

// text returns the position text of an entry of the data.
func (b board) text() string { return textOf(b.A, b.STM) }

func textOf(array []int, stm int) string {
	text := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(array)), ","), "[]")
	return text + " " + string("?xo"[stm])
}

// play plays moves given in their wire form.
func play(t testing.TB, p *contrast.Position, list ...string) *contrast.Position {
	t.Helper()
	for _, text := range list {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatalf("at %s: %v", p, err)
		}
		p.Do(m)
	}
	return p
}

// Boards are drawn as printed, rank 5 first: x and o are pieces, b and g tiles, X and O
// pieces on a black tile, % and @ pieces on a gray tile.
const boardLetters = ".bgxX%oO@"

// boardText returns the position text of a drawn board; rest has the hands and the
// side to move.
func boardText(rows, rest string) string {
	var b strings.Builder
	for _, c := range strings.Join(strings.Fields(rows), "") {
		b.WriteByte(byte('0' + strings.IndexRune(boardLetters, c)))
		b.WriteByte(',')
	}
	return b.String() + rest
}
