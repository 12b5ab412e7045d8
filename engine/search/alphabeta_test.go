package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// optionSets are the options that AlphaBeta is compared with minimax under: all
// features on, each feature off in turn, with multi-PV.
func optionSets(depth int) map[string]search.AlphaBetaOptions {
	const all = search.Aspiration | search.Gains | search.Killers | search.History | search.Continuation
	return map[string]search.AlphaBetaOptions{
		"all features":         {Depth: depth, Exact: true},
		"no features":          {Depth: depth, Exact: true, Off: all},
		"multi-PV":             {Depth: depth, Exact: true, Multi: 3},
		"shuffled root moves":  {Depth: depth, Exact: true, Shuffle: true},
		"without aspiration":   {Depth: depth, Exact: true, Off: search.Aspiration},
		"without gains":        {Depth: depth, Exact: true, Off: search.Gains},
		"without killers":      {Depth: depth, Exact: true, Off: search.Killers},
		"without history":      {Depth: depth, Exact: true, Off: search.History},
		"without continuation": {Depth: depth, Exact: true, Off: search.Continuation},
	}
}

// alphaBetas are searchers by the name of their options.
type alphaBetas map[string]*search.AlphaBeta

func newAlphaBetas(depth int) alphaBetas {
	list := alphaBetas{}
	for name, o := range optionSets(depth) {
		list[name] = search.NewAlphaBeta(o)
	}
	return list
}

// compareWithMinimax compares all searchers with minimax at a position. It reports
// false if minimax exceeds its node budget.
func (list alphaBetas) compareWithMinimax(t *testing.T, p engine.Evaluator, depth, budget int) bool {
	t.Helper()
	text, hash := p.String(), p.Hash()
	moves := p.Moves(nil)
	best, scores, err := newMinimax(p, budget).search(depth)
	if err != nil {
		return false
	}
	for name, s := range list {
		r := s.Search(p, rand.NewPCG(1, 2))
		if p.String() != text || p.Hash() != hash {
			t.Fatalf("%s: the search changed %s to %s", name, text, p)
		}
		if r.Score != best {
			t.Fatalf("%s, depth %d, %s: score %d, want %d", name, depth, text, r.Score, best)
		}
		if err := checkRootMoves(r, moves, scores, r.Depth == depth, optionSets(depth)[name].Multi); err != nil {
			t.Fatalf("%s, depth %d, %s: %v", name, depth, text, err)
		}
	}
	return true
}

// checkRootMoves compares root moves with the minimax scores of all moves: every move
// once, exact scores equal and in order, bounds not too low. If a proven end stopped
// the search early (fullDepth is false), only the first move is compared.
func checkRootMoves(r search.Result, moves []engine.Move, scores []int, fullDepth bool, multi int) error {
	if len(r.Moves) != len(moves) {
		return fmt.Errorf("%d root moves, want %d", len(r.Moves), len(moves))
	}
	seen := map[engine.Move]bool{}
	for i, m := range r.Moves {
		at := slices.Index(moves, m.Move)
		switch {
		case at < 0 || seen[m.Move]:
			return fmt.Errorf("root move %d: move %v is illegal or a duplicate", i, m.Move)
		case i < max(multi, 1) && !m.Exact:
			return fmt.Errorf("root move %d: only a bound, want an exact score", i)
		case !fullDepth && i > 0:
		case m.Exact && m.Score != scores[at]:
			return fmt.Errorf("root move %d: score %d, want %d", i, m.Score, scores[at])
		case !m.Exact && m.Score < scores[at]:
			return fmt.Errorf("root move %d: upper bound %d, but the score is %d", i, m.Score, scores[at])
		case i > 0 && m.Exact && (!r.Moves[i-1].Exact || r.Moves[i-1].Score < m.Score):
			return fmt.Errorf("root move %d: better than the move before it", i)
		}
		seen[m.Move] = true
	}
	return nil
}

// The score equals minimax under all options, with repetitions and without.
func TestAlphaBetaEqualsMinimaxInRandomGames(t *testing.T) {
	seeds := uint64(200)
	if *full {
		seeds = 400
	}
	for _, cyclic := range []bool{false, true} {
		for depth := 1; depth <= 5; depth++ {
			list, compared := newAlphaBetas(depth), 0
			for seed := range seeds {
				p, src := newRandomGame(seed, cyclic), rand.NewPCG(seed, 0)
				for p.Outcome() == engine.Ongoing && len(p.past) < 8 {
					if list.compareWithMinimax(t, p, depth, 20_000) {
						compared++
					}
					p.DoRandom(src)
				}
			}
			if compared < 400 {
				t.Errorf("cyclic %t, depth %d: %d positions compared, want 400 or more", cyclic, depth, compared)
			}
		}
	}
}
