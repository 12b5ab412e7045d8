package contrast_test

import (
	"flag"
	"runtime"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
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

// conformance returns the data in the form of enginetest, without what only Contrast has.
func conformance(t testing.TB) enginetest.Conformance {
	t.Helper()
	winners, data := []string{"", "black", "white"}, enginetest.Conformance{Game: contrast.Game()}
	for _, s := range states(t) {
		data.States = append(data.States, enginetest.State{Position: s.text(), Steps: s.Moves, Result: winners[s.Winner], Reason: s.Reason})
	}
	for _, g := range games(t) {
		result, reason := winners[g.Winner], g.Reason
		switch reason {
		case "limit":
			reason = engine.PlyLimit.String()
		case "repetition":
			result = "draw"
		}
		data.Games = append(data.Games, enginetest.PlayedGame{
			Start: contrast.StartText, Steps: g.Moves, Turns: g.Plies, Final: textOf(g.Final, g.STM), Result: result, Reason: reason,
		})
	}
	start, counts := perftCounts(t)
	start.After, start.Before = start.After[:4], start.Before[:4] // TestPerft5 counts depth 5
	for _, c := range append(counts, start) {
		data.Perft = append(data.Perft, enginetest.PerftOf("after", c.text(), c.After)...)
		data.Perft = append(data.Perft, enginetest.PerftOf("before", c.text(), c.Before)...)
	}
	return data
}

// TestConformance: moves and outcome of every state, every recorded game, and the perft counts
// of both variants match the data.
func TestConformance(t *testing.T) {
	data, reasons := conformance(t), map[string]int{}
	enginetest.AtLeast(t, len(data.States), 1387)
	enginetest.AtLeast(t, len(data.Games), 80)
	enginetest.AtLeast(t, len(data.Perft), 36*2*3+8)
	for _, g := range data.Games {
		if reasons[g.Reason]++; g.Reason == engine.PlyLimit.String() && len(g.Steps) != contrast.Game().MaxPlies {
			t.Errorf("a game is cut off after %d plies", len(g.Steps))
		}
	}
	for _, reason := range []engine.Reason{engine.Goal, engine.Blocked, engine.Repetition, engine.PlyLimit} {
		enginetest.AtLeast(t, reasons[reason.String()], 6)
	}
	data.Run(t)
}

// TestStates: in every state the array round-trips, the position is reachable, and the numbers
// of moves in both variants match the data.
func TestStates(t *testing.T) {
	d, list := &enginetest.Differences{T: t}, states(t)
	for _, s := range list {
		p, before := at(t, s.text()), set(t, in("before"), s.text())
		if got := p.AppendArray([]byte{99}); got[0] != 99 || !slices.EqualFunc(got[1:], s.A, equalElement) {
			d.Addf("%s: array %v", p, got)
		}
		if err := p.Reachable(); err != nil {
			d.Addf("%s: %v", p, err)
		}
		if got := len(enginetest.MovesOf(p, "", " -1")); got != s.NBase || p.Count() != s.N || s.N != len(s.Moves) {
			d.Addf("%s: %d base moves, Count %d, want %d and %d", p, got, p.Count(), s.NBase, s.N)
		}
		if got := len(before.Moves(nil)); got != s.NBefore || before.Count() != got {
			d.Addf("%s: variant before: %d moves listed, Count %d, want %d", p, got, before.Count(), s.NBefore)
		}
		if over := p.Outcome() != engine.Ongoing; over != s.Terminal {
			d.Addf("%s: terminal %t, want %t", p, over, s.Terminal)
		}
	}
	d.Report(len(list))
}

func equalElement(a byte, b int) bool { return int(a) == b }

// TestStatesBefore: the move lists of the variant before.
func TestStatesBefore(t *testing.T) {
	d, list := &enginetest.Differences{T: t}, statesBefore(t)
	enginetest.AtLeast(t, len(list), 300)
	for _, s := range list {
		p := set(t, in("before"), s.text())
		if got := enginetest.MovesOf(p, ""); !slices.Equal(got, s.Moves) || p.Count() != s.N || s.N != len(s.Moves) {
			extra, missing := enginetest.Difference(got, s.Moves)
			d.Addf("%s: %d moves, Count %d, want %d; extra %q, missing %q", p, len(got), p.Count(), s.N, extra, missing)
		}
	}
	d.Report(len(list))
}

// checkPositions checks the states of the data and the positions of random games, in both
// variants.
func checkPositions(t *testing.T, check func(d *enginetest.Differences, variant string, p *contrast.Position)) {
	t.Helper()
	var texts []string
	for _, s := range states(t) {
		texts = append(texts, s.text())
	}
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			d := &enginetest.Differences{T: t}
			seen := enginetest.EachPosition(t, in(variant), texts, 20, tileSampler(250), func(p *contrast.Position) { check(d, variant, p) })
			d.Report(seen)
			enginetest.AtLeast(t, seen, 1750)
		})
	}
}

// perft5 takes two and a half minutes of one core.
var perft5 = flag.Bool("perft5", false, "run TestPerft5")

// TestPerft5: depth 5 from the start, a quarter of a trillion sequences per variant,
// in parallel over the first moves.
func TestPerft5(t *testing.T) {
	if !*perft5 {
		t.Skip("without -perft5")
	}
	start, _ := perftCounts(t)
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			want := map[string]uint64{"after": start.After[4], "before": start.Before[4]}[variant]
			if got := perftOverMoves(t, variant, 5); got != want {
				t.Errorf("%d, want %d", got, want)
			}
		})
	}
}

// perftOverMoves is Perft from the start with one goroutine per core over the first
// moves.
func perftOverMoves(t *testing.T, variant string, depth int) (nodes uint64) {
	first := in(variant).Moves(nil)
	work, counts := make(chan engine.Move, len(first)), make(chan uint64)
	for _, m := range first {
		work <- m
	}
	close(work)
	workers := runtime.GOMAXPROCS(0)
	for range workers {
		go func() {
			p, sum := in(variant), uint64(0)
			for m := range work {
				p.Do(m)
				sum += engine.Perft(p, depth-1)
				p.Undo()
			}
			counts <- sum
		}()
	}
	for range workers {
		nodes += <-counts
	}
	return nodes
}
