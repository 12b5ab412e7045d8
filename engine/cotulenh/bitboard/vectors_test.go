package bitboard_test

import (
	"testing"

	"selfplay/engine/cotulenh/bitboard"
	"selfplay/engine/enginetest"
)

// conformance returns the data of package cotulenh.
func conformance(t testing.TB) enginetest.Conformance {
	t.Helper()
	return enginetest.ReadConformance(t, bitboard.Game(), "../testdata")
}

// TestConformance checks all of it on this engine.
func TestConformance(t *testing.T) { conformance(t).Run(t) }

// TestEnginesAgreeOnStates compares the engines at the states of the data, as their texts and
// those of the published engine describe them.
func TestEnginesAgreeOnStates(t *testing.T) {
	list, peers := conformance(t).States, 0
	for _, s := range list {
		if at(t, s.Position); s.Peer != "" {
			at(t, s.Peer)
			peers++
		}
	}
	enginetest.AtLeast(t, len(list), 4014)
	enginetest.AtLeast(t, peers, 1680)
}

// TestRules asks the cases of package cotulenh on both engines.
func TestRules(t *testing.T) {
	enginetest.Rules{Game: pairs(t), Path: "../testdata/rules.txt"}.Run(t)
}
