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
		if missing := append(encodetest.Missing(g), encodetest.MissingModels(g)...); missing != nil {
			t.Errorf("the catalog entry of %q lacks:\n\t%s", g.Name, strings.Join(missing, "\n\t"))
		}
	}
}

func TestEveryGameObeysTheLaws(t *testing.T) {
	for _, g := range encode.Games() {
		t.Run(g.Name, func(t *testing.T) { encodetest.Run(t, g) })
	}
}

// TestFlipOfActionsFollowsFromTheLayout in games whose kinds of moves name no cells, as those of Contrast do.
func TestFlipOfActionsFollowsFromTheLayout(t *testing.T) {
	for _, g := range []encode.Game{encode.Chess(), encode.CoTuLenh(), encodetest.TicTacToe()} {
		flip := encode.FlipActions(*g.Identity(), g.Board.Grid, g.Actions.Count, g.Actions.Describe)
		for n := range 1 << 16 {
			unused := n < g.Actions.Count && g.Actions.Describe(uint16(n)).Kind == encode.NoAction
			if got, want := flip(uint16(n)), g.Actions.Flip(uint16(n)); got != want && !unused {
				t.Fatalf("%s: action %d flips to %d, want %d", g.Name, n, got, want)
			}
		}
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

// TestCatalogsAreRefused: names tell games apart, and own reasons from those of all games.
func TestCatalogsAreRefused(t *testing.T) {
	if err := encode.Games().Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(g *encode.Game){
		`two games of the catalog have this name`: func(g *encode.Game) { g.Name = "chess" },
		`want a name of lower-case letters`:       func(g *encode.Game) { g.Name = "Tic tac toe" },
		`game "": want a name`:                    func(g *encode.Game) { g.Name = "" },
		`reason 130: OwnReasons does not name it`: func(g *encode.Game) { g.Reasons = append(g.Reasons, 130) },
		`reason 127: want ascending numbers`:      func(g *encode.Game) { g.OwnReasons = []encode.NamedReason{{Reason: 127, Name: "bored"}} },
		`reason 128: want ascending numbers`: func(g *encode.Game) {
			g.OwnReasons = []encode.NamedReason{{Reason: 128, Name: "bored"}, {Reason: 128, Name: "tired"}}
		},
		`reason 128: the name "goal" is taken`: func(g *encode.Game) { g.OwnReasons = []encode.NamedReason{{Reason: 128, Name: "goal"}} },
		`reason 128: the name "" is taken`:     func(g *encode.Game) { g.OwnReasons = []encode.NamedReason{{Reason: 128}} },
	} {
		g := encodetest.TicTacToe()
		change(&g)
		if err := append(encode.Games(), g).Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q in it", err, want)
		}
	}
}

// TestOwnReasonsHaveTheNamesOfTheirGame, beside the lists by number, which stay short.
func TestOwnReasonsHaveTheNamesOfTheirGame(t *testing.T) {
	g := encodetest.TicTacToe()
	g.Reasons = append(g.Reasons, 200)
	g.OwnReasons = []encode.NamedReason{{Reason: 200, Name: "bored"}}
	if name, other := g.ReasonName(200), g.ReasonName(engine.Goal); name != "bored" || other != "goal" || g.ReasonName(engine.NoReason) != "" {
		t.Errorf("reasons %q and %q", name, other)
	}
	if r, ok := g.Reason("bored"); r != 200 || !ok {
		t.Errorf("reason %d, %t", r, ok)
	}
	if n := len(g.ReasonNames()); n != int(engine.PlyLimit)+1 {
		t.Errorf("%d names by number", n)
	}
	rec := engine.Record{Actions: []uint16{0}, MoveRanks: []uint8{0}, Outcome: engine.Outcome{Result: engine.FirstWins, Reason: 200}}
	if err := g.Replay(g.New(""), &rec, func(int, engine.Move) {}); err != nil {
		t.Error(err)
	}
	rec.Outcome.Reason = 201
	if err := g.Replay(g.New(""), &rec, func(int, engine.Move) {}); err == nil || !strings.Contains(err.Error(), "reason 201") {
		t.Error(err)
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
			value := w.Metadata().Value
			if rule := `"at_0":"draw=drawn_at_0/100, win=loss=(1-draw)/2"`; strings.Contains(value, rule) != (w.DrawnAt0 > 0) {
				t.Errorf("%s: %s of %+v", g.Name, value, w)
			}
			if back := encode.ReadWDL([]encode.KeyValue{{Key: "stacks", Value: "[]"}, w.Metadata()}); back == nil || *back != *w {
				t.Errorf("%s: read back %+v, want %+v", g.Name, back, w)
			}
		}
		if m.Win != "1/(1+exp((a-score)/b))" || m.Loss != "1/(1+exp((a+score)/b))" || m.Draw != "1-win-loss" {
			t.Errorf("%s: formulas %s", g.Name, kv.Value)
		}
		lead := 1000 // or what the presets adjudicate
		for i := range g.Models {
			lead = max(lead, g.Models[i].Games.WinScore)
		}
		if win := 1 / (1 + math.Exp(float64(m.A-lead)/float64(m.B))); win < 0.9 {
			t.Errorf("%s: a lead of %d wins %.2f of the games", g.Name, lead, win)
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
