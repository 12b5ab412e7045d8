package encode

import (
	"encoding/json"
	"math"
	"testing"
)

// TestWDLOfGames: every game says what its scores are worth, in a form that needs no
// program, and sensibly: a lead of five hundred wins nine of ten games at least.
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
		if win := 1 / (1 + math.Exp(float64(m.A-500)/float64(m.B))); win < 0.8 {
			t.Errorf("%s: a lead of 500 wins %.2f of the games", g.Name, win)
		}
	}
}
