package cotulenh_test

import (
	"testing"

	"selfplay/engine/enginetest"
)

// The types of the conformance data; testdata/README.md documents the fields.
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
		Policy string
	}
	notation struct {
		Text      string
		OK        bool
		Canonical string
		Kind      string
		Category  string
	}
)

func states(t testing.TB) []state { return enginetest.ReadLines[state](t, "testdata/states.jsonl.gz") }
func games(t testing.TB) []game   { return enginetest.ReadLines[game](t, "testdata/games.jsonl.gz") }
func notations(t testing.TB) []notation {
	return enginetest.ReadLines[notation](t, "testdata/notation.jsonl")
}
func perftCounts(t testing.TB) []perftCount {
	t.Helper()
	var counts []perftCount
	enginetest.ReadJSON(t, "testdata/perft.json", &counts)
	return counts
}
