package contrast_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
)

var dialects = []string{"after", "before"}

// in returns a position at the start of the game in a dialect.
func in(dialect string) *contrast.Position {
	return contrast.Game().New(dialect).(*contrast.Position)
}

// at returns the position of a text, in the dialect after.
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

// moves returns the legal moves in their wire form, by bytes.
func moves(p *contrast.Position) []string {
	var list []string
	for _, m := range p.Moves(nil) {
		list = append(list, p.FormatMove(m))
	}
	slices.Sort(list)
	return list
}

// play plays moves in their wire form.
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

// result returns winner and reason by the words of the data.
func result(o engine.Outcome) (winner int, reason string) {
	switch o.Result {
	case engine.FirstWins:
		winner = 1
	case engine.SecondWins:
		winner = 2
	}
	return winner, o.Reason.String()
}

// difference returns what is only in got and what is only in want, both sorted.
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
