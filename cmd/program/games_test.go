package program

import (
	"testing"

	"selfplay/encode"
)

// TestGamesCommandPrintsTables that the Python package reads.
func TestGamesCommandPrintsTables(t *testing.T) {
	for _, g := range encode.Games() {
		want, err := g.Table()
		if got := mustRun(t, "games", "--table", g.Name); err != nil || got != string(want) {
			t.Errorf("%s: %v, %.100q", g.Name, err, got)
		}
	}
}
