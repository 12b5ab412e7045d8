package cotulenh_test

import (
	"slices"
	"testing"

	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// TestConformance checks the data of other programs; testdata/README.md describes it. A short
// run skips large counts, such as the 183,653,322 sequences of depth 4 from the start.
func TestConformance(t *testing.T) {
	data := enginetest.ReadConformance(t, cotulenh.Game(), "testdata")
	enginetest.AtLeast(t, len(data.States), 4014)
	enginetest.AtLeast(t, len(data.Games), 120)
	enginetest.AtLeast(t, len(data.Texts), 496)
	enginetest.AtLeast(t, len(data.Perft), 41*3+1)
	peers := slices.DeleteFunc(slices.Clone(data.States), func(s enginetest.State) bool { return s.Peer == "" })
	enginetest.AtLeast(t, len(peers), 1680)
	data.Run(t)
}

// states returns the states of the data.
func states(t testing.TB) []enginetest.State {
	return enginetest.ReadLines[enginetest.State](t, "testdata/states.jsonl.gz")
}

// everyState returns the texts of each n-th state of the data.
func everyState(t testing.TB, n int) (texts []string) {
	t.Helper()
	for i, s := range states(t) {
		if i%n == 0 {
			texts = append(texts, s.Position)
		}
	}
	return texts
}
