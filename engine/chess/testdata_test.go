package chess_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"selfplay/engine/chess"
)

// perftRow is an entry of testdata/perft.json; testdata/README.md tells where it
// comes from.
type perftRow struct {
	ID    string
	FEN   string
	Depth int
	Nodes uint64
	Tests string
}

func perftRows(t testing.TB) (rows []perftRow) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "perft.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// perftTexts returns the positions of the rows, each once.
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

// misses collects what differs and reports the first few of it with the count.
type misses struct {
	t     *testing.T
	count int
}

func (m *misses) addf(format string, args ...any) {
	m.t.Helper()
	if m.count++; m.count <= 5 {
		m.t.Errorf(format, args...)
	}
}

// report ends the collection.
func (m *misses) report(of int) {
	m.t.Helper()
	if m.count > 0 {
		m.t.Errorf("%d differences in %d entries", m.count, of)
	}
}
