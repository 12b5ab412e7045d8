package search_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

func TestSoftLimitLiesBetweenTheMeasuredOnes(t *testing.T) {
	tuning := &engine.Tuning{MeanNodes: [5]int{200, 600, 4_000, 10_000, 30_000}}
	for mean, want := range map[int]int{1: 1, 100: 50, 200: 100, 400: 200, 600: 300, 2_300: 650, 4_000: 1_000, 30_000: 10_000, 40_000: 13_500} {
		if got := search.SoftLimit(tuning, mean); got != want {
			t.Errorf("mean %d: limit %d, want %d", mean, got, want)
		}
	}
	if got := search.SoftLimit(new(engine.Tuning), 1_000); got != 0 {
		t.Errorf("limit %d of a game without costs, want 0", got)
	}
}

// TestMeanCostOfEachGame: the searches of some games cost what MeanNodes says, within a factor of 1.5.
func TestMeanCostOfEachGame(t *testing.T) {
	for _, g := range games() {
		s := search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 300, Hash: 1})
		want := start(g).Tuning().MeanNodes[1]
		if mean := meanCost(g, s); mean*3 < want*2 || mean*2 > want*3 {
			t.Errorf("%s: %d nodes in the mean, want about %d", g.Name, mean, want)
		}
	}
}

// meanCost returns the nodes of a search, in the mean of 12 games of up to 60 plies.
func meanCost(g engine.Game, s search.Searcher) int {
	nodes, searches := 0, 0
	for seed := range uint64(12) {
		for _, r := range playBest(g, s, seed, 60) {
			nodes += int(r.nodes)
			searches++
		}
	}
	return nodes / searches
}
