package chess_test

import (
	"fmt"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

var _ engine.Counter = (*chess.Position)(nil)

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

// TestPerft: all 208 perft counts, 650,657,656 sequences in total.
func TestPerft(t *testing.T) {
	rows := perftRows(t)
	enginetest.AtLeast(t, len(rows), 208)
	for _, row := range rows {
		t.Run(fmt.Sprintf("%s/%d", row.ID, row.Depth), func(t *testing.T) {
			t.Parallel()
			enginetest.Perft{Text: row.FEN, Depth: row.Depth, Nodes: row.Nodes}.Check(t, chess.Game())
		})
	}
}
