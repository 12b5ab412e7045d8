package encode

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// TestWDLOfGames: every game says what its scores are worth, in a form that needs no
// program, and sensibly: a lead of a thousand wins nine of ten games at least.
func TestWDLOfGames(t *testing.T) {
	for _, g := range Games() {
		kv := g.WDL.Metadata()
		var m struct {
			Version, A, B   int
			Win, Loss, Draw string
		}
		if err := json.Unmarshal([]byte(kv.Value), &m); err != nil || kv.Key != "wdl" {
			t.Fatalf("%s: %s: %v", g.Name, kv.Value, err)
		}
		if m.Version != g.WDL.Version || m.A != g.WDL.A || m.B != g.WDL.B || m.Version < 1 || m.A < 0 || m.B < 1 {
			t.Errorf("%s: %s, the catalog has %+v", g.Name, kv.Value, g.WDL)
		}
		if m.Win != "1/(1+exp((a-score)/b))" || m.Loss != "1/(1+exp((a+score)/b))" || m.Draw != "1-win-loss" {
			t.Errorf("%s: %s does not say how to use it", g.Name, kv.Value)
		}
		if win := 1 / (1 + math.Exp(float64(m.A-1000)/float64(m.B))); win < 0.9 {
			t.Errorf("%s: a lead of 1000 wins %.2f of the games", g.Name, win)
		}
	}
}

// TestReadmeShowsTheCoefficients keeps the table of the README true.
func TestReadmeShowsTheCoefficients(t *testing.T) {
	text, err := os.ReadFile("../docs/players.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range Games() {
		if row := fmt.Sprintf("\n| %s | %d | %d |\n", g.Name, g.WDL.A, g.WDL.B); !strings.Contains(string(text), row) {
			t.Errorf("docs/players.md has no row %q", row)
		}
	}
}
