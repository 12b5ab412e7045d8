package rows

import (
	"fmt"
	"slices"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// shaped returns the plan of a shape.
func shaped(s *Shape) plan.Plan {
	p := plan.Plan{Game: s.Game.Name, Variant: s.Variant, Rules: s.Game.Rules, Seed: s.Seed, Actions: s.Game.Actions.Version}
	s.Into(&p)
	return p
}

// someShapes returns different shapes of every game.
func someShapes(t *testing.T) (list []*Shape) {
	t.Helper()
	filter := must.Get((&encode.Games()[0]).ParseFilter([]string{"where=ply>=8", "where=!capture", "keep=0.25", "max-rows-per-game=4"}))(t)
	for _, g := range encode.Games() {
		for i := range g.Layouts {
			for n := range 8 {
				s := New(g, "", 9, n&1 != 0)
				s.Layout = &g.Layouts[i]
				if s.Mover = n&2 != 0; s.Mover {
					s.Extra, s.Format = []string{"legal", "hash"}, plan.Arrow
				}
				if n&4 != 0 {
					s.Filter, s.BoardType = filter, plan.Packed
				}
				if n&5 == 5 {
					s.Deblunder = &encode.Deblunder{Points: 20, A: n, B: 364}
				}
				list = append(list, s)
			}
		}
	}
	return list
}

// TestOfReversesInto: and different shapes have different plans.
func TestOfReversesInto(t *testing.T) {
	hashes := map[string]bool{}
	for _, s := range someShapes(t) {
		p := shaped(s)
		must.Do(t, p.Validate())
		hashes[p.Hash()] = true
		back := must.Get(Of(encode.Games(), p))(t)
		if again := shaped(back); again.Diff(p) != nil || back.Description().Hash() != s.Description().Hash() || back.Seed != s.Seed {
			t.Errorf("plan %+v, after reading and writing %+v", p, again)
		}
	}
	if want := len(someShapes(t)); len(hashes) != want {
		t.Errorf("%d different plans of %d shapes", len(hashes), want)
	}
}

// TestIntoReplacesTheWholeShape: nothing of a plan's former shape remains, and what was
// played stays.
func TestIntoReplacesTheWholeShape(t *testing.T) {
	for _, before := range someShapes(t) {
		after := New(before.Game, before.Variant, before.Seed, before.Searched)
		p := shaped(before)
		p.Play, p.MaxPlies = []string{"opening-plies=4-10"}, 77
		after.Into(&p)
		want := shaped(after)
		want.Play, want.MaxPlies = p.Play, 77
		if diff := p.Diff(want); diff != nil {
			t.Error(diff)
		}
	}
}

// TestOfRefusesOtherVersions: and unknown games, layouts, columns and filters.
func TestOfRefusesOtherVersions(t *testing.T) {
	for want, change := range map[string]func(p *plan.Plan){
		`unknown game "go"`:                            func(p *plan.Plan) { p.Game = "go" },
		`unknown layout "round"`:                       func(p *plan.Plan) { p.Layout = "round" },
		"version 9 of the rules, this program has 1":   func(p *plan.Plan) { p.Rules = 9 },
		"version 9 of the layout, this program has":    func(p *plan.Plan) { p.LayoutVersion = 9 },
		"version 9 of the actions, this program has":   func(p *plan.Plan) { p.Actions = 9 },
		`columns ["game"], this program has ["game" "`: func(p *plan.Plan) { p.Columns = []string{"game"} },
		`unknown word "fun"`:                           func(p *plan.Plan) { p.Filter = []string{"where=fun"} },
		`deblunder "20": want it written as`:           func(p *plan.Plan) { p.Deblunder = "20" },
		`columns [`:                                    func(p *plan.Plan) { p.Deblunder = "20 by a=1 b=2" },
		`filter ["keep=0.50"]: want it written`:        func(p *plan.Plan) { p.Filter = []string{"keep=0.50"} },
	} {
		p := shaped(New(encode.CoTuLenh(), "", 1, false))
		change(&p)
		must.Fail(Of(encode.Games(), p))(t, datasets.ErrUnsupported, want)
	}
}

// TestAbsoluteFlipsBack: the boards that the mover's perspective flipped, and no others.
func TestAbsoluteFlipsBack(t *testing.T) {
	for _, s := range someShapes(t) {
		values := s.Layout.Encode(nil, s.Game.New(""))
		for _, turn := range []engine.Side{engine.First, engine.Second} {
			seen := slices.Clone(values)
			if s.Mover && turn == engine.Second && s.Layout.Flip != nil {
				s.Layout.Flip(seen)
			}
			if got := s.Absolute(seen, turn); !slices.Equal(got, values) {
				t.Errorf("%s, %s, mover %t, side %d: the board differs", s.Game.Name, s.Layout.Name, s.Mover, turn)
			}
		}
	}
}

// TestTextsKeepMoveNumbers: text -> rows -> text is the identity, wherever games begin.
func TestTextsKeepMoveNumbers(t *testing.T) {
	for game, starts := range map[string][]string{
		"chess": {"", "8/8/4k3/8/8/3K4/8/6R1 b - - 7 42", "8/8/4k3/8/8/3K4/8/6R1 w - - 0 65535",
			"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		"cotulenh": {"", "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 b - - 3 42"},
		"contrast": {""},
	} {
		g := must.Get(encode.Games().Find(game))(t)
		for i, start := range starts {
			s := New(g, "", 1, false)
			s.AddStartPly()
			pos := g.New("")
			must.Do(t, engine.Begin(pos, start))
			want, startPly := []string{}, engine.StartPly(pos)
			rec := &engine.Record{Game: uint64(i), Start: start, Outcome: engine.Outcome{Reason: engine.PlyLimit}}
			for range 5 {
				want = append(want, pos.String())
				m := pos.Moves(nil)[0]
				rec.Actions, rec.MoveRanks = append(rec.Actions, g.Actions.Number(m)), append(rec.MoveRanks, 0)
				pos.Do(m)
			}
			table := encode.NewTable(s.Columns())
			must.Do(t, s.Rows()()(rec, table, nil))
			r := s.NewTextReader(table.Columns, encode.BoardColumn)
			for row := range want {
				if got := must.Get(r.Text(table, row))(t); got != want[row] || r.Ply(table, row) != startPly+row {
					t.Errorf("%s, ply %d: %q at ply %d, want %q at %d", game, row, got, r.Ply(table, row), want[row], startPly+row)
				}
			}
		}
	}
}

// TestStartPlyIsThatOfTheText: 0 at the start of a game, and where texts have no move number.
func TestStartPlyIsThatOfTheText(t *testing.T) {
	for _, c := range []struct {
		game, text string
		want       int
	}{
		{"chess", "", 0}, {"chess", "8/8/4k3/8/8/3K4/8/6R1 b - - 7 42", 83}, {"chess", "8/8/4k3/8/8/3K4/8/6R1 w - - 7 0", 0},
		{"cotulenh", "", 0}, {"cotulenh", "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 3 42", 82}, {"contrast", "", 0},
	} {
		g := must.Get(encode.Games().Find(c.game))(t)
		pos := g.New("")
		must.Do(t, engine.Begin(pos, c.text))
		s := New(g, "", 1, false)
		s.AddStartPly()
		if got := engine.StartPly(pos); got != c.want || (len(s.Extra) > 0) != (c.game != "contrast") {
			t.Errorf("%s %q: ply %d, columns %q, want ply %d", c.game, c.text, got, s.Extra, c.want)
		}
	}
}

// TestMoveNumbersAreNoPartOfAPosition: duplicates are found whatever the number of the move.
func TestMoveNumbersAreNoPartOfAPosition(t *testing.T) {
	for game, text := range map[string]string{
		"chess":    "8/8/4k3/8/8/3K4/8/6R1 b - - 7 %d",
		"cotulenh": "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 b - - 3 %d",
	} {
		g := must.Get(encode.Games().Find(game))(t)
		one, other := g.New(""), g.New("")
		must.Do(t, one.Set(fmt.Sprintf(text, 1)))
		must.Do(t, other.Set(fmt.Sprintf(text, 42)))
		l := g.Identity()
		key := func(p engine.Position) []byte { return l.Key()(nil, l.Encode(nil, p), p.Turn()) }
		if one.Hash() != other.Hash() || !slices.Equal(key(one), key(other)) {
			t.Errorf("%s: %s and %s are different positions", game, one, other)
		}
	}
}

// TestPlansOfLeadsHoldTheStaticScore: its values of pieces decide which rows there are.
func TestPlansOfLeadsHoldTheStaticScore(t *testing.T) {
	chess := encode.Games()[1]
	for condition, want := range map[string]int{"where=!check": 0, "where=lead>=300": 1, "where=lead_second<=100": 1} {
		s := New(chess, "", 9, true)
		s.Filter = must.Get(chess.ParseFilter([]string{condition}))(t)
		if got := len(shaped(s).StaticScores); got != want {
			t.Errorf("%s: %d fingerprints, want %d", condition, got, want)
		}
	}
}
