package encode_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
)

// TestCatalogIsComplete lists everything that the entries lack at once. Start here with a
// new game.
func TestCatalogIsComplete(t *testing.T) {
	for _, g := range encode.Games() {
		if missing := encodetest.Missing(g); missing != nil {
			t.Errorf("the catalog entry of %q lacks:\n\t%s", g.Name, strings.Join(missing, "\n\t"))
		}
	}
}

func TestEveryGameObeysTheLaws(t *testing.T) {
	for _, g := range encode.Games() {
		t.Run(g.Name, func(t *testing.T) { encodetest.Run(t, g) })
	}
}

// TestReasonsOfOtherGamesAreNotListed: a reason that is added for one game must not change
// the files of another.
func TestReasonsOfOtherGamesAreNotListed(t *testing.T) {
	for _, g := range encode.Games() {
		names := g.ReasonNames()
		for number, name := range names {
			reason := engine.Reason(number)
			if listed := slices.Contains(g.AllReasons(), reason); listed != (name != "") || listed && name != reason.String() {
				t.Errorf("%s: reason %d is called %q, listed: %t", g.Name, number, name, listed)
			}
		}
	}
	chess := encode.Chess()
	want := []string{"", "checkmate", "stalemate", "repetition", "fifty", "material", "", "", "", "adjudicated", "ply_limit"}
	if got := chess.ReasonNames(); !slices.Equal(got, want) {
		t.Errorf("reasons of chess: %q, want %q", got, want)
	}
}

func TestConditionsOfGames(t *testing.T) {
	for name, want := range map[string]string{
		"cotulenh": "limit ply<N ply>N random unsearched score>N mate check capture only unlikely>N pieces<N",
		"chess":    "limit ply<N ply>N random unsearched score>N mate check capture only unlikely>N pieces<N",
		"contrast": "limit ply<N ply>N random unsearched score>N mate only unlikely>N",
	} {
		g, err := encode.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(g.Conditions(), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestModelsAreSelfContained: the metadata of a model holds its formulas and can be read
// back. A lead of 1000 centi-units wins at least nine of ten games of ab:depth=3.
func TestModelsAreSelfContained(t *testing.T) {
	for _, g := range encode.Games() {
		model := g.Models[0].WDL()
		kv := model.Metadata()
		var m struct {
			Version, A, B   int
			Win, Loss, Draw string
		}
		if err := json.Unmarshal([]byte(kv.Value), &m); err != nil || kv.Key != "wdl" {
			t.Fatalf("%s: %s: %v", g.Name, kv.Value, err)
		}
		if m.Version != model.Version || m.A != model.A || m.B != model.B {
			t.Errorf("%s: %s, the catalog has %+v", g.Name, kv.Value, model)
		}
		for i := range g.Models {
			w := g.Models[i].WDL()
			if back := encode.ReadWDL([]encode.KeyValue{{Key: "stacks", Value: "[]"}, w.Metadata()}); back == nil || *back != *w {
				t.Errorf("%s: read back %+v, want %+v", g.Name, back, w)
			}
		}
		if m.Win != "1/(1+exp((a-score)/b))" || m.Loss != "1/(1+exp((a+score)/b))" || m.Draw != "1-win-loss" {
			t.Errorf("%s: formulas %s", g.Name, kv.Value)
		}
		if win := 1 / (1 + math.Exp(float64(m.A-1000)/float64(m.B))); win < 0.9 {
			t.Errorf("%s: a lead of 1000 wins %.2f of the games", g.Name, win)
		}
	}
}

func TestFactsAreThoseOfTheEntry(t *testing.T) {
	g := encode.Contrast()
	f := g.Facts()
	if f.Name != "contrast" || f.Files != 5 || f.Ranks != 5 || len(f.Variants) != len(g.Variants) || len(f.Layouts) != 2 || f.Layouts[0].Len != 29 ||
		f.Actions.Count != 31875 || len(f.Reasons) != 5 || f.Reasons[0] != (encode.ReasonFacts{Number: 3, Name: "repetition"}) || f.Repetitions != 3 {
		t.Errorf("%+v", f)
	}
}

func TestUnknownNamesAreRefused(t *testing.T) {
	if _, err := encode.Find("go"); err == nil || !strings.Contains(err.Error(), `unknown game "go": want one of cotulenh, chess, contrast`) {
		t.Error(err)
	}
	g := encode.Chess()
	if _, err := g.Layout("dense"); err == nil || err.Error() != `unknown layout "dense" of chess: want one of compact, planes` {
		t.Error(err)
	}
}
