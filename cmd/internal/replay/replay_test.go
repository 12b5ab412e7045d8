package replay

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/internal/must"
)

// all is a number of steps that no game of these tests has.
const all = 1000

func mustReplay(t *testing.T, g *encode.Game, r *engine.Record) *Game {
	t.Helper()
	game := must.Get(New(g, "", r, all, nil))(t)
	return game
}

// TestStepsLeadToEveryPosition: the changes of the steps, applied to the first position, give
// every position of random games of every game.
func TestStepsLeadToEveryPosition(t *testing.T) {
	for _, g := range encode.Games() {
		src, p, r := rand.NewPCG(1, 2), g.New(""), new(engine.Record)
		positions := [][]int{Cells(&g, p)}
		for range 120 {
			m, ok := p.DoRandom(src)
			if !ok {
				break
			}
			r.Actions, r.MoveRanks = append(r.Actions, g.Actions.Number(m)), append(r.MoveRanks, engine.RankRandom)
			positions = append(positions, Cells(&g, p))
		}
		game := mustReplay(t, &g, r)
		cells := slices.Clone(game.Cells)
		for ply, s := range game.Steps {
			for i := 0; i < len(s.Changed); i += 2 {
				cells[s.Changed[i]] = s.Changed[i+1]
			}
			if !slices.Equal(cells, positions[ply+1]) || !slices.Equal(game.CellsAt(ply+1), cells) {
				t.Fatalf("%s: the steps lead to another position after ply %d", g.Name, ply+1)
			}
		}
		if len(game.Steps) != len(r.Actions) {
			t.Errorf("%s: %d steps of %d plies", g.Name, len(game.Steps), len(r.Actions))
		}
	}
}

// TestStepsOfADeployment: the plies of a CoTuLenh deployment are the steps of one turn.
func TestStepsOfADeployment(t *testing.T) {
	g := encode.CoTuLenh()
	const start = "10c/11/11/11/11/11/11/11/3(TI)7/11/11/6C4 r - - 0 1"
	game := mustReplay(t, &g, encodetest.Record(t, &g, start, "Id4>c4", "commit", "Ck12k11"))
	for i, want := range []struct {
		text string
		more bool
	}{
		{"red: 1. T<I>c4 (step 1 of 2: I>c4)", false},
		{"red: 1. T<I>c4 (step 2 of 2: commit)", true},
		{"blue: 1… Ck11", false},
	} {
		s := &game.Steps[i]
		if text, more := s.Text(g.Sides), s.TurnStep > 1; text != want.text || more != want.more {
			t.Errorf("ply %d: %q, continues a turn: %t", i+1, text, more)
		}
	}
}

// TestNumbersBeginWithThatOfThePosition, as players number moves.
func TestNumbersBeginWithThatOfThePosition(t *testing.T) {
	for _, c := range []struct{ game, start, moves, want string }{
		{"chess", "4k3/8/8/8/8/8/8/R3K3 b - - 0 40", "e8d8 a1b1 d8e8", "40… 41. "},
		{"chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 40", "a1b1 e8d8 b1a1", "40.  41."},
		{"cotulenh", "10c/11/11/11/11/11/11/11/3(TI)7/11/11/6C4 b - - 0 7", "Ck12k11 Id4>c4 commit Ck11k12", "7… 8.  "},
		{"contrast", "", "a5,a4+-1 a1,a2+-1", "1. "},
	} {
		g := must.Get(encode.Games().Find(c.game))(t)
		var moves, got []string
		for _, m := range strings.Fields(c.moves) {
			moves = append(moves, strings.ReplaceAll(m, "+", " "))
		}
		for _, s := range mustReplay(t, &g, encodetest.Record(t, &g, c.start, moves...)).Steps {
			got = append(got, s.Number())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %s: %q, want %q", c.game, c.start, got, c.want)
		}
	}
}

// TestHandsChangeWithTheTilesLaid.
func TestHandsChangeWithTheTilesLaid(t *testing.T) {
	g := encode.Contrast()
	game := mustReplay(t, &g, encodetest.Record(t, &g, "", "a5,a4 c3b", "a1,a2 b3g", "b5,b4 -1"))
	for ply, want := range [][]int{{3, 1, 3, 1}, {2, 1, 3, 1}, {2, 1, 3, 0}, {2, 1, 3, 0}} {
		if got := game.HandsAt(ply); !slices.Equal(got, want) {
			t.Errorf("after %d plies: %v, want %v", ply, got, want)
		}
	}
}

// TestNotesOfSteps say what was random, and the score before the move. The move of the fifth ply was
// played before its position was searched.
func TestNotesOfSteps(t *testing.T) {
	g := encode.Chess()
	r := encodetest.Knights(t, 5)
	pos := g.New("")
	best, other := must.Get(pos.ParseMove("e2e4"))(t), must.Get(pos.ParseMove("b1c3"))(t)
	pos.Do(best)
	reply := must.Get(pos.ParseMove("b8c6"))(t)
	r.OpeningPlies, r.MoveRanks = 1, []uint8{engine.RankRandom, engine.RankBest, engine.RankBest, 1, engine.RankBest}
	r.Nodes, r.Scores = []uint32{3, 0, 3, 3, 3}, []int16{0, 0, 29_999, -29_998, 29_997}
	r.Best, r.PolicySize = slices.Clone(r.Actions), make([]uint16, 5)
	r.Best[0], r.Best[3], r.Best[4] = g.Actions.Number(best), g.Actions.Number(reply), g.Actions.Number(other)
	game := mustReplay(t, &g, r)
	for i, want := range []string{
		"random opening move; the best was e4; a score of +0 (win chance ",
		"move without a search",
		"best move of the search; a proven win (score +29999)",
		"move 2 of the search; the best was Nc6; a proven loss (score -29998)",
		"not the best move of the search; the best was Nc3; a proven win (score +29997)",
	} {
		if note := game.Steps[i].Note(g.ReferenceModel()); !strings.HasPrefix(note, want) {
			t.Errorf("ply %d: %q, want %q", i+1, note, want)
		}
	}
	if note := game.Steps[0].Note(nil); !strings.HasSuffix(note, "a score of +0") {
		t.Errorf("without a model: %q", note)
	}
	if text := game.Steps[1].Text(g.Sides); text != "black: 1… Nf6" {
		t.Errorf("ply 2: %q", text)
	}
	if class := game.Steps[0].Class(); class != "random" {
		t.Errorf("ply 1 has the class %q", class)
	}
}

// TestForgedBestMovesAreNumbers: games cannot format moves that are not legal.
func TestForgedBestMovesAreNumbers(t *testing.T) {
	for _, g := range encode.Games() {
		p, src := g.New(""), rand.NewPCG(3, 4)
		m, _ := p.DoRandom(src)
		for action := 0; action < g.Actions.Count; action += 7 {
			r := &engine.Record{Actions: []uint16{g.Actions.Number(m)}, MoveRanks: []uint8{0}, Nodes: []uint32{1}, Scores: []int16{0}, PolicySize: []uint16{0}}
			r.Best = []uint16{uint16(action)}
			_, err := New(&g, "", r, all, nil)
			if err != nil {
				t.Fatalf("%s: action %d: %v", g.Name, action, err)
			}
		}
		pos := g.New("")
		if text := MoveText(&g, pos, uint16(g.Actions.Count)); text != "action "+strconv.Itoa(g.Actions.Count) {
			t.Errorf("%s: %q", g.Name, text)
		}
	}
}

// TestCurveHasScoresOfTheFirstSide: a proven win of the second side is at the bottom.
func TestCurveHasScoresOfTheFirstSide(t *testing.T) {
	g := encode.Chess()
	steps := []Step{
		{Searched: true, Score: 29_999, Side: engine.First}, {Searched: true, Score: 29_999, Side: engine.Second},
		{Rank: engine.RankRandom},
	}
	if svg := string((&Game{Steps: steps}).Curve(g.ReferenceModel())); !strings.Contains(svg, `d="M0 0.0L1 40.0"`) || !strings.Contains(svg, `d="M3 40v-5"`) {
		t.Error(svg)
	}
	if svg := (&Game{Steps: steps[1:]}).Curve(g.ReferenceModel()); svg != "" {
		t.Errorf("one score gives the curve %s", svg)
	}
}
