package search_test

import (
	"reflect"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/search"
	"selfplay/internal/must"
)

// endless is a position with so many captures that quiescence does not end in practice.
const endless = "k1q1q1q1/8/1Q1Q1Q1Q/q1q1q1q1/1Q1Q1Q1Q/q1q1q1q1/1n1Q1Q1Q/K1B1q1q1 w - - 0 1"

// abortable returns new searchers of every type that abort ends.
func abortable(abort search.Abort) map[string]search.Searcher {
	return map[string]search.Searcher{
		"exact":        search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 6000, Multi: 3, Exact: true, Abort: abort}),
		"ab":           search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 6000, Hash: 1, Abort: abort}),
		"hard nodes":   search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 3000, Hard: 5000, Abort: abort}),
		"mcts":         search.NewMCTS(search.MCTSOptions{Sims: 3000, Noise: 250, Abort: abort}),
		"completed Q":  search.NewMCTS(search.MCTSOptions{Sims: 3000, Target: search.TargetCompletedQ, Abort: abort}),
		"gumbel":       search.NewMCTS(search.MCTSOptions{Sims: 3000, Root: search.RootGumbel, Gumbel: 1000, Abort: abort}),
		"mcts rollout": search.NewMCTS(search.MCTSOptions{Sims: 500, Rollout: 20, Abort: abort}),
	}
}

// TestAbortedSearchesListTheLegalMoves, leave the position as it was, and do not change the next
// search.
func TestAbortedSearchesListTheLegalMoves(t *testing.T) {
	for _, g := range games() {
		p := start(g)
		text, moves, plain := p.String(), p.Moves(nil), abortable(nil)
		slices.Sort(moves)
		calls, last := 0, 0
		for name, s := range abortable(func() bool { calls++; return calls == last }) {
			want := clone(plain[name].Search(p, source(1)))
			for last = range 3 { // call of Abort that ends the search; 0: none
				calls = 0
				r := clone(s.Search(p, source(1)))
				if r.Aborted != (last > 0) {
					t.Fatalf("%s, %s: aborted %t after %d calls, want the end at call %d", g.Name, name, r.Aborted, calls, last)
				}
				if listed := listed(r); p.String() != text || !slices.Equal(listed, moves) {
					t.Fatalf("%s, %s: %s lists %v, want %s and %v", g.Name, name, p, listed, text, moves)
				}
				if !r.Aborted && !reflect.DeepEqual(r, want) {
					t.Fatalf("%s, %s: %+v, without Abort %+v", g.Name, name, r, want)
				}
				calls = last // no call ends the next search
				if got := clone(s.Search(p, source(1))); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, %s: after an aborted search %+v, want %+v", g.Name, name, got, want)
				}
			}
		}
	}
}

// listed returns the moves of a result in order of their numbers.
func listed(r search.Result) (moves []engine.Move) {
	for _, m := range r.Moves {
		moves = append(moves, m.Move)
	}
	slices.Sort(moves)
	return moves
}

// TestAbortEndsTheFirstIteration, which no node limit ends. Its best move has no score.
func TestAbortEndsTheFirstIteration(t *testing.T) {
	g := chess.Game()
	p := g.New("").(engine.Evaluator)
	must.Do(t, p.Set(endless))
	for name, o := range map[string]search.AlphaBetaOptions{
		"depth":      {Depth: 1, Exact: true},
		"nodes":      {Nodes: 100, Exact: true},
		"ab":         {Nodes: 100},
		"hard nodes": {Nodes: 100, Hard: 100, Hash: 1},
	} {
		calls := 0
		o.Abort = func() bool { calls++; return calls > 100 }
		r := search.NewAlphaBeta(o).Search(p, nil)
		if !r.Aborted || r.Depth != 0 || !p.Legal(r.Moves[0].Move) || r.Moves[0].Exact || p.String() != endless {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
