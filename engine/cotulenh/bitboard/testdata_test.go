package bitboard_test

import (
	"testing"

	"selfplay/engine/enginetest"
)

// The conformance data of package cotulenh; its testdata/README.md documents the fields.
type (
	state struct {
		Position string
		Peer     string
		Steps    []string
		Check    bool
		Result   string
		Reason   string
		After    map[string]string
	}
	perftCount struct {
		Position string
		Nodes    []uint64
	}
	game struct {
		Start  string
		Steps  []string
		Turns  int
		Final  string
		Result string
		Reason string
	}
	notation struct {
		Text      string
		OK        bool
		Canonical string
		Kind      string
		Category  string
	}
)

const data = "../testdata/"

func states(t testing.TB) []state { return enginetest.ReadLines[state](t, data+"states.jsonl.gz") }
func games(t testing.TB) []game   { return enginetest.ReadLines[game](t, data+"games.jsonl.gz") }
func notations(t testing.TB) []notation {
	return enginetest.ReadLines[notation](t, data+"notation.jsonl")
}

func perftCounts(t testing.TB) (counts []perftCount) {
	t.Helper()
	enginetest.ReadJSON(t, data+"perft.json", &counts)
	return counts
}
