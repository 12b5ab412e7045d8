package search_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// winning reports whether a move keeps what is won in nim, by the theory of it:
// a turn must leave a multiple of four.
func winning(n *nim, m engine.Move) bool {
	rest := n.pile - int(m)
	if n.open || rest == 0 {
		return rest%4 == 0
	}
	return rest%4 == 0 || rest%4 == 1 // the second half may take one more
}

// TestNim: proven scores and sides are right though turns have two halves, of
// which the second may be left out by the end of the game.
func TestNim(t *testing.T) {
	s := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 20})
	hashed := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 20, Hash: 1})
	for pile := 1; pile <= 14; pile++ {
		for _, turn := range []engine.Side{engine.First, engine.Second} {
			n := newNim(pile)
			n.turn = turn
			for _, a := range []search.Result{keep(s.Search(n, nil)), keep(hashed.Search(n, nil))} {
				won := pile%4 != 0
				if won != (a.Score > engine.MaxStatic) || won == (a.Score < -engine.MaxStatic) {
					t.Errorf("pile %d: score %d", pile, a.Score)
				}
				if won && !winning(n, a.Lines[0].Move) {
					t.Errorf("pile %d: takes %d", pile, a.Lines[0].Move)
				}
			}
		}
	}
}

// TestMCTSLearnsNim: without any static score the tree finds the winning move, in
// either half of a turn, by ends of the game alone.
func TestMCTSLearnsNim(t *testing.T) {
	for name, o := range map[string]search.MCTSOptions{
		"static":  {Sims: 4000},
		"rollout": {Sims: 4000, Rollout: 30},
		"noise":   {Sims: 4000, Noise: 250},
		"priors":  {Sims: 4000, Priors: search.PriorStatic},
	} {
		s := search.NewMCTS(o)
		for pile := 2; pile <= 13; pile++ {
			for _, turn := range []engine.Side{engine.First, engine.Second} {
				n := newNim(pile)
				n.turn = turn
				for n.turn == turn && n.pile > 0 && (pile%4 != 0) {
					a := s.Search(n, source(3))
					if m := a.Lines[0].Move; !winning(n, m) {
						t.Errorf("%s, pile %s: takes %d, score %d", name, n, m, a.Score)
					}
					n.Do(a.Lines[0].Move)
				}
			}
		}
	}
}
