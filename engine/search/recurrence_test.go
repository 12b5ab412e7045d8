package search_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/contrast"
	"selfplay/engine/cotulenh"
	"selfplay/engine/search"
)

// comesBack plays a random move of each side and takes back the first one. It returns the move that takes
// back the other one, too.
func comesBack(p engine.Position, seed uint64) (m engine.Move, ok bool) {
	src, first := source(seed), p.Hash()
	for range 2 {
		if _, ok := p.DoRandom(src); !ok {
			return 0, false
		}
	}
	for _, back := range p.Moves(nil) {
		p.Do(back)
		for _, m := range p.Moves(nil) {
			if leadsBack(p, m, first) {
				return m, true
			}
		}
		p.Undo()
	}
	return 0, false
}

// afterReturns plays on to a position that goes on, and returns a move to an earlier one.
func afterReturns(p engine.Evaluator, seed uint64) (m engine.Move, ok bool) {
	if !playRandom(p, 12, seed) {
		return 0, false
	}
	m, ok = comesBack(p, seed)
	return m, ok && p.Outcome() == engine.Ongoing
}

// leadsBack reports whether a move leads to the position with a hash.
func leadsBack(p engine.Position, m engine.Move, hash uint64) bool {
	p.Do(m)
	defer p.Undo()
	return p.Hash() == hash
}

// TestEarlierPositionsCountAsDraws at the root and before it; without Recurrence only those that end the game do.
func TestEarlierPositionsCountAsDraws(t *testing.T) {
	for _, g := range []engine.Game{chess.Game(), contrast.Game(), cotulenh.Game()} {
		tested, differ := 0, 0
		for seed := uint64(0); seed < 3_000 && tested < 20; seed++ {
			p := start(g)
			m, ok := afterReturns(p, seed)
			if !ok {
				continue
			}
			tested++
			for _, depth := range []int{1, 2} {
				o := search.AlphaBetaOptions{Depth: depth, Hash: 1, Multi: 1 << 20, Off: search.Recurrence}
				before := scoreOf(t, search.NewAlphaBeta(o).Search(p, nil), m)
				o.Off = 0
				if after := scoreOf(t, search.NewAlphaBeta(o).Search(p, nil), m); after != 0 {
					t.Errorf("%s, depth %d, %s: score %d of %s, want 0", g.Name, depth, p, after, p.FormatMove(m))
				}
				if before != 0 {
					differ++
				}
			}
		}
		if tested < 20 || differ == 0 {
			t.Errorf("%s: %d positions, the search without Recurrence differs in %d", g.Name, tested, differ)
		}
	}
}

// TestReturningIsWorthADraw also for the side that is behind, whose other moves have scores below 0.
func TestReturningIsWorthADraw(t *testing.T) {
	for _, g := range []engine.Game{chess.Game(), contrast.Game(), cotulenh.Game()} {
		behind := 0
		for seed := uint64(0); seed < 6_000 && behind < 20; seed++ {
			p := start(g)
			m, ok := afterReturns(p, seed)
			if !ok {
				continue
			}
			for _, depth := range []int{1, 2} {
				o := search.AlphaBetaOptions{Depth: depth, Hash: 1, Off: search.Recurrence}
				if search.NewAlphaBeta(o).Search(p, nil).Score < 0 {
					behind++
				}
				o.Off = 0
				if r := search.NewAlphaBeta(o).Search(p, nil); r.Score < 0 {
					t.Errorf("%s, depth %d, %s: score %d, but %s returns to an earlier position", g.Name, depth, p, r.Score, p.FormatMove(m))
				}
			}
		}
		if behind < 20 {
			t.Errorf("%s: behind in %d searches, want 20", g.Name, behind)
		}
	}
}

// scoreOf returns the score of a root move.
func scoreOf(t *testing.T, r search.Result, m engine.Move) int {
	t.Helper()
	for _, root := range r.Moves {
		if root.Move == m {
			return root.Score
		}
	}
	t.Fatalf("move %d is missing", m)
	return 0
}
