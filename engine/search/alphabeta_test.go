package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// settings are what AlphaBeta is compared with minimax under: everything on, each
// feature off in turn, and with a table.
func settings(depth int) map[string]search.AlphaBetaOptions {
	const all = search.Aspiration | search.Scout | search.Gains | search.Killers | search.History
	list := map[string]search.AlphaBetaOptions{
		"all on":          {Depth: depth},
		"all off":         {Depth: depth, Off: all},
		"table":           {Depth: depth, Hash: 1},
		"table only":      {Depth: depth, Hash: 1, Off: all},
		"multi":           {Depth: depth, Multi: 3},
		"table and multi": {Depth: depth, Hash: 1, Multi: 3},
		"shuffled":        {Depth: depth, Shuffle: true},
	}
	for i := range 5 {
		off := search.Feature(1) << i
		list[fmt.Sprintf("without %d", off)] = search.AlphaBetaOptions{Depth: depth, Off: off}
	}
	return list
}

// players are searchers under all settings for some depths.
type players map[string]*search.AlphaBeta

func newPlayers(depth int, table bool) players {
	list := players{}
	for name, o := range settings(depth) {
		if table || o.Hash == 0 {
			list[name] = search.NewAlphaBeta(o)
		}
	}
	return list
}

// agree compares all players with minimax at a position; false if that takes
// too long.
func (list players) agree(t *testing.T, p engine.Evaluator, depth, budget int) bool {
	t.Helper()
	text, hash := p.String(), p.Hash()
	moves := p.Moves(nil)
	best, scores, err := newPlain(p, budget).best(depth)
	if err != nil {
		return false
	}
	for name, s := range list {
		a := s.Search(p, rand.NewPCG(1, 2))
		if p.String() != text || p.Hash() != hash {
			t.Fatalf("%s: %s became %s", name, text, p)
		}
		if a.Score != best {
			t.Fatalf("%s, depth %d, %s: score %d, want %d", name, depth, text, a.Score, best)
		}
		if err := linesAgree(a, moves, scores, a.Depth == depth, settings(depth)[name].Multi); err != nil {
			t.Fatalf("%s, depth %d, %s: %v", name, depth, text, err)
		}
	}
	return true
}

// linesAgree checks lines against the scores of all moves: each there once, exact
// ones equal and in order, the others bounded. Where a proven end stopped the
// search early only the first line is of that depth.
func linesAgree(a search.Result, moves []engine.Move, scores []int, full bool, multi int) error {
	if len(a.Lines) != len(moves) {
		return fmt.Errorf("%d lines for %d moves", len(a.Lines), len(moves))
	}
	seen := map[engine.Move]bool{}
	for i, line := range a.Lines {
		at := slices.Index(moves, line.Move)
		switch {
		case at < 0 || seen[line.Move]:
			return fmt.Errorf("line %d has move %v, which is none or there already", i, line.Move)
		case i < max(multi, 1) && !line.Exact:
			return fmt.Errorf("line %d has only a bound", i)
		case !full && i > 0:
		case line.Exact && line.Score != scores[at]:
			return fmt.Errorf("line %d scores %d, want %d", i, line.Score, scores[at])
		case !line.Exact && line.Score < scores[at]:
			return fmt.Errorf("line %d is bounded by %d, but scores %d", i, line.Score, scores[at])
		case i > 0 && line.Exact && (!a.Lines[i-1].Exact || a.Lines[i-1].Score < line.Score):
			return fmt.Errorf("line %d is better than the one before", i)
		}
		seen[line.Move] = true
	}
	return nil
}

// TestMinimaxInJungles: in games without sense the value is that of minimax,
// whatever is turned off. With repetitions that holds without a table; see
// TestTaint for what holds with one.
func TestMinimaxInJungles(t *testing.T) {
	for _, cyclic := range []bool{false, true} {
		for depth := 1; depth <= 5; depth++ {
			list, compared := newPlayers(depth, !cyclic), 0
			for seed := range uint64(400) {
				p, src := newJungle(seed, cyclic), rand.NewPCG(seed, 0)
				for p.Outcome() == engine.Ongoing && len(p.past) < 8 {
					if list.agree(t, p, depth, 20_000) {
						compared++
					}
					p.DoRandom(src)
				}
			}
			if compared < 400 {
				t.Errorf("cyclic %t, depth %d: only %d positions were compared", cyclic, depth, compared)
			}
		}
	}
}
