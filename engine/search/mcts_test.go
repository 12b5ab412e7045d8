package search_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/search"
)

// TestVisits: every playout begins with a move, also where the arena is full, and
// lines are in order of visits.
func TestVisits(t *testing.T) {
	for _, g := range games() {
		p := begin(t, g)
		for _, o := range []search.MCTSOptions{
			{Sims: 1}, {Sims: 500}, {Sims: 500, Nodes: 1}, {Sims: 500, Nodes: 300}, {Sims: 200, Priors: search.PriorStatic, Noise: 1000}, {Sims: 100, Rollout: 10},
		} {
			a, sum := search.NewMCTS(o).Search(p, source(1)), 0
			for i, line := range a.Lines {
				sum += int(line.Visits)
				if i > 0 && line.Visits > a.Lines[i-1].Visits {
					t.Errorf("%s, %+v: line %d has more visits than the one before", g.Name, o, i)
				}
				if line.Exact != (line.Visits > 0) {
					t.Errorf("%s, %+v: line %d has %d visits, exact %t", g.Name, o, i, line.Visits, line.Exact)
				}
			}
			if sum != o.Sims {
				t.Errorf("%s, %+v: %d visits", g.Name, o, sum)
			}
		}
	}
}

// TestMCTSSeesMate: a move that ends the game has its exact score and most visits.
func TestMCTSSeesMate(t *testing.T) {
	for _, c := range wins {
		if c.plies > 1 {
			continue
		}
		p := set(t, chess.Game(), c.text)
		a := search.NewMCTS(search.MCTSOptions{Sims: 1000}).Search(p, nil)
		if got := p.FormatMove(a.Lines[0].Move); got != c.move || a.Score != search.MateScore-1 {
			t.Errorf("%s: %s scores %d, want %s", c.name, got, a.Score, c.move)
		}
	}
}

// TestNoise: noise comes from src and from nothing else; without noise and
// rollouts src is not touched.
func TestNoise(t *testing.T) {
	for _, g := range games() {
		p := begin(t, g)
		src := source(1)
		plain := search.NewMCTS(search.MCTSOptions{Sims: 400})
		noisy := search.NewMCTS(search.MCTSOptions{Sims: 400, Noise: 500})
		plain.Search(p, src)
		if *src != *rand.NewPCG(1, 1) {
			t.Errorf("%s: src was asked for nothing", g.Name)
		}
		a, b := keep(noisy.Search(p, source(1))), keep(noisy.Search(p, source(2)))
		if !reflect.DeepEqual(a, keep(noisy.Search(p, source(1)))) || reflect.DeepEqual(a.Lines, b.Lines) {
			t.Errorf("%s: noise does not follow src", g.Name)
		}
	}
}

// TestMCTSBeatsChance: a tree plays better than dice, in every game, from both
// sides.
func TestMCTSBeatsChance(t *testing.T) {
	for _, g := range games() {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			p, s := begin(t, g), search.NewMCTS(search.MCTSOptions{Sims: 60, Priors: search.PriorStatic})
			won, lost := 0, 0
			for seed := range uint64(6) {
				switch play(p, s, engine.Side(seed&1), source(seed), g.MaxPlies) {
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

// play plays a game of s against dice and returns the result as s sees it.
func play(p engine.Evaluator, s search.Searcher, side engine.Side, src *rand.PCG, limit int) int8 {
	p.Reset()
	for range limit {
		if p.Outcome() != engine.Ongoing {
			break
		}
		if p.Turn() != side {
			p.DoRandom(src)
			continue
		}
		p.Do(s.Search(p, src).Lines[0].Move)
	}
	return p.Outcome().For(side)
}
