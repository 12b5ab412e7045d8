package search_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/search"
)

// Every simulation counts as a visit of one root move.
func TestRootVisitsAddUpToSims(t *testing.T) {
	for _, g := range games() {
		p := start(g)
		for _, o := range []search.MCTSOptions{
			{Sims: 1}, {Sims: 500}, {Sims: 200, Priors: search.PriorStatic, Noise: 1000}, {Sims: 100, Rollout: 10},
		} {
			r, sum := search.NewMCTS(o).Search(p, source(1)), 0
			for i, m := range r.Moves {
				sum += int(m.Visits)
				if i > 0 && m.Visits > r.Moves[i-1].Visits {
					t.Errorf("%s, %+v: root move %d has more visits than the move before it", g.Name, o, i)
				}
				if m.Exact != (m.Visits > 0) {
					t.Errorf("%s, %+v: root move %d has %d visits, exact %t", g.Name, o, i, m.Visits, m.Exact)
				}
			}
			if sum != o.Sims {
				t.Errorf("%s, %+v: %d visits, want %d", g.Name, o, sum, o.Sims)
			}
		}
	}
}

func TestMCTSFindsMateInOne(t *testing.T) {
	for _, c := range wins {
		if c.plies > 1 {
			continue
		}
		p := parsePosition(t, chess.Game(), c.text)
		r := search.NewMCTS(search.MCTSOptions{Sims: 1000}).Search(p, nil)
		if got := p.FormatMove(r.Moves[0].Move); got != c.move || r.Score != search.MateScore-1 {
			t.Errorf("%s: %s with score %d, want %s", c.name, got, r.Score, c.move)
		}
	}
}

// Without Noise and Rollout a search draws nothing from src.
func TestNoiseDependsOnSourceOnly(t *testing.T) {
	for _, g := range games() {
		p := start(g)
		src := source(1)
		search.NewMCTS(search.MCTSOptions{Sims: 400}).Search(p, src)
		if *src != *source(1) {
			t.Errorf("%s: a search without noise drew from src", g.Name)
		}
		noisy := search.NewMCTS(search.MCTSOptions{Sims: 400, Noise: 500})
		first, other := clone(noisy.Search(p, source(1))), clone(noisy.Search(p, source(2)))
		if !reflect.DeepEqual(first, clone(noisy.Search(p, source(1)))) {
			t.Errorf("%s: the same seed gives another result", g.Name)
		}
		if reflect.DeepEqual(first.Moves, other.Moves) {
			t.Errorf("%s: another seed gives the same result", g.Name)
		}
	}
}

func TestMCTSBeatsRandomPlayer(t *testing.T) {
	for _, g := range games() {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			p, s := start(g), search.NewMCTS(search.MCTSOptions{Sims: 60, Priors: search.PriorStatic})
			won, lost := 0, 0
			for seed := range uint64(6) {
				switch playAgainstRandom(p, s, engine.Side(seed&1), source(seed), g.MaxPlies) {
				case 1:
					won++
				case -1:
					lost++
				}
			}
			if won < lost+3 {
				t.Errorf("won %d, lost %d", won, lost)
			}
		})
	}
}

// playAgainstRandom plays a game of s against random moves and returns the result from
// the view of s.
func playAgainstRandom(p engine.Evaluator, s search.Searcher, side engine.Side, src *rand.PCG, limit int) int8 {
	p.Reset()
	for range limit {
		if p.Outcome() != engine.Ongoing {
			break
		}
		if p.Turn() != side {
			p.DoRandom(src)
			continue
		}
		p.Do(s.Search(p, src).Moves[0].Move)
	}
	return p.Outcome().For(side)
}

// TestExpectedIsFrozen: datasets depend on these numbers.
func TestExpectedIsFrozen(t *testing.T) {
	for _, c := range []struct{ score, a, b, want int }{
		{0, 100, 200, 5000}, {100, 100, 200, 6155}, {-100, 100, 200, 3845}, {400, 100, 200, 8709},
		{engine.MaxStatic, 100, 200, 10_000}, {-engine.MaxStatic, 100, 200, 0}, {50, 0, 300, 5416}, {29_999, 130, 364, 10_000},
	} {
		if got := search.Expected(c.score, c.a, c.b); got != c.want {
			t.Errorf("score %d with a %d and b %d: %d, want %d", c.score, c.a, c.b, got, c.want)
		}
	}
}
