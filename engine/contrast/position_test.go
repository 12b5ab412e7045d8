package contrast_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
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
	if err := p.Set(text); err != nil {
		t.Fatal(err)
	}
	return p
}

// text returns the position text of an entry of the data.
func (b board) text() string { return textOf(b.A, b.STM) }

func textOf(array []int, stm int) string {
	text := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(array)), ","), "[]")
	return text + " " + string("?xo"[stm])
}

// moveTexts returns the legal moves in their wire form, sorted.
func moveTexts(p *contrast.Position) []string {
	var list []string
	for _, m := range p.Moves(nil) {
		list = append(list, p.FormatMove(m))
	}
	slices.Sort(list)
	return list
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

// result returns winner and reason in the terms of the data.
func result(o engine.Outcome) (winner int, reason string) {
	switch o.Result {
	case engine.FirstWins:
		winner = 1
	case engine.SecondWins:
		winner = 2
	}
	return winner, o.Reason.String()
}

// difference returns the texts only in got and those only in want. Both must be
// sorted.
func difference(got, want []string) (extra, missing []string) {
	for _, s := range got {
		if _, ok := slices.BinarySearch(want, s); !ok {
			extra = append(extra, s)
		}
	}
	for _, s := range want {
		if _, ok := slices.BinarySearch(got, s); !ok {
			missing = append(missing, s)
		}
	}
	return extra, missing
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
