package chess_test

import (
	"testing"

	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

// perftRow is an entry of testdata/perft.json; testdata/README.md describes the
// fields.
type perftRow struct {
	ID    string
	FEN   string
	Depth int
	Nodes uint64
	Tests string
}

func perftRows(t testing.TB) (rows []perftRow) {
	t.Helper()
	enginetest.ReadJSON(t, "testdata/perft.json", &rows)
	return rows
}

// perftTexts returns the positions of the rows without duplicates.
func perftTexts(t testing.TB) (texts []string) {
	t.Helper()
	for _, row := range perftRows(t) {
		if row.Depth == 1 {
			texts = append(texts, row.FEN)
		}
	}
	return texts
}

// at returns the position of a text.
func at(t testing.TB, text string) *chess.Position {
	t.Helper()
	p := new(chess.Position)
	if err := p.Set(text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}
