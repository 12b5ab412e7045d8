package cotulenh_test

import (
	"testing"

	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// TestLaws checks the laws of all games, from the start, from every eighth conformance
// state and from the states with the longest lists. Among them are open sessions and
// finished games.
func TestLaws(t *testing.T) {
	var starts []string
	for i, s := range states(t) {
		if i%8 == 0 || len(s.Steps) > 400 {
			starts = append(starts, s.Position)
		}
	}
	enginetest.Run(t, cotulenh.Game(), starts)
}

// FuzzNotation checks the laws of position texts on mutated texts.
func FuzzNotation(f *testing.F) {
	data := enginetest.ReadConformance(f, cotulenh.Game(), "testdata")
	var seeds []string
	for _, text := range data.Texts {
		seeds = append(seeds, text.Text)
	}
	for i, s := range data.States {
		if i%20 == 0 {
			seeds = append(seeds, s.Position, s.Peer)
		}
	}
	enginetest.FuzzText(f, cotulenh.Game(), seeds)
}
