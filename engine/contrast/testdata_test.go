package contrast_test

import (
	"testing"

	"selfplay/engine/enginetest"
)

// The conformance data; testdata/README.md describes the fields.
type (
	board struct {
		A   []int
		STM int
	}
	state struct {
		board
		Terminal bool
		Winner   int
		Reason   string
		N        int
		NBase    int `json:"n_base"`
		NBefore  int `json:"n_before"`
		Moves    []string
	}
	perftCount struct {
		board
		After  []uint64
		Before []uint64
	}
	game struct {
		ID     int
		Policy string
		Result string
		Winner int
		Reason string
		Plies  int
		Final  []int
		STM    int
		Moves  []string
	}
)

func states(t testing.TB) []state { return enginetest.ReadLines[state](t, "testdata/states.jsonl.gz") }
func statesBefore(t testing.TB) []state {
	return enginetest.ReadLines[state](t, "testdata/states_before.jsonl.gz")
}
func games(t testing.TB) []game { return enginetest.ReadLines[game](t, "testdata/games.jsonl.gz") }

// perftCounts returns the counts from the start and from other positions.
func perftCounts(t testing.TB) (start perftCount, positions []perftCount) {
	t.Helper()
	var data struct {
		Start     perftCount
		Positions []perftCount
	}
	enginetest.ReadJSON(t, "testdata/perft.json", &data)
	return data.Start, data.Positions
}
