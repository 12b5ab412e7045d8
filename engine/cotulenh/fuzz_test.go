package cotulenh_test

import (
	"testing"

	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// FuzzNotation checks the laws of position texts on mutated texts.
func FuzzNotation(f *testing.F) {
	var seeds []string
	for _, n := range notations(f) {
		seeds = append(seeds, n.Text)
	}
	for i, s := range states(f) {
		if i%20 == 0 {
			seeds = append(seeds, s.Position, s.Peer)
		}
	}
	enginetest.FuzzText(f, cotulenh.Game(), seeds)
}
