package rows

import (
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

// TestTextOfChessCountsFullMoves: the array has no move number, the ply gives it. Ply 0 of
// black is that of a game that black begins.
func TestTextOfChessCountsFullMoves(t *testing.T) {
	g := encode.Chess()
	s := New(g, "", 1, false)
	values := s.Layout.Encode(nil, g.New(""))
	for _, c := range []struct {
		turn engine.Side
		ply  int
		want string
	}{
		{engine.First, 0, "w KQkq - 0 1"}, {engine.Second, 1, "b KQkq - 0 1"}, {engine.First, 2, "w KQkq - 0 2"},
		{engine.Second, 119, "b KQkq - 0 60"}, {engine.Second, 0, "b KQkq - 0 1"}, {engine.First, 1, "w KQkq - 0 2"},
	} {
		text, err := s.Text(values, c.turn, c.ply)
		if want := "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR " + c.want; err != nil || text != want {
			t.Errorf("ply %d, side %d: %q, %v, want %q", c.ply, c.turn, text, err, want)
		}
	}
}
