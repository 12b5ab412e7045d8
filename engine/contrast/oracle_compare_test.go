package contrast_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// TestOracle compares the engine with the oracle in both variants, on random positions
// and on the moves that follow, which are biased towards repetitions. Most of the
// positions are unreachable: any number of pieces, any tiles, any hands. A position costs
// about 0.5 ms.
func TestOracle(t *testing.T) {
	var all sync.Mutex
	ends, compared := map[engine.Reason]int{}, 0
	enginetest.CompareWithOracle(t, 10_000, func(d *enginetest.Differences, r *rand.Rand, positions int) {
		met := map[engine.Reason]int{}
		for range positions {
			compare(d, randomOracle(r), r, met)
		}
		all.Lock()
		defer all.Unlock()
		compared += positions
		for reason, n := range met {
			ends[reason] += n
		}
	})
	for _, reason := range []engine.Reason{engine.NoReason, engine.Goal, engine.Blocked, engine.Repetition} {
		if ends[reason] < compared/800 {
			t.Errorf("outcome %q occurs %d times, want more", reason, ends[reason])
		}
	}
}

// compare plays a few moves in both, compares before each, and counts the final
// outcome.
func compare(d *enginetest.Differences, o *oracle, r *rand.Rand, ends map[engine.Reason]int) {
	d.T.Helper()
	start, p := o.String(), in(variants[0])
	if o.before {
		p = in(variants[1])
	}
	if err := p.Set(start); err != nil {
		d.Addf("%s: %v", start, err)
		return
	}
	plies := 1 + r.IntN(2)
	if r.IntN(20) == 0 {
		plies = 16 // enough for a fourth occurrence
	}
	var played []string
	for range plies {
		list := o.moves()
		if !agree(d, p, o, list, fmt.Sprintf("%s, before %t, moves %v", start, o.before, played)) {
			return
		}
		if len(list) == 0 {
			break
		}
		played = append(played, pickMove(list, played, r))
		play(d.T, p, played[len(played)-1])
		o.do(played[len(played)-1])
	}
	ends[o.outcome().Reason]++
}

// agree compares text, moves and outcome. It returns false if the games have diverged.
func agree(d *enginetest.Differences, p *contrast.Position, o *oracle, list []string, where string) bool {
	d.T.Helper()
	if got, want := p.String(), o.String(); got != want {
		d.Addf("%s: leads to %s, want %s", where, got, want)
		return false
	}
	if got := enginetest.MovesOf(p, ""); !slices.Equal(got, list) {
		extra, missing := enginetest.Difference(got, list)
		d.Addf("%s: too many %v, missing %v", where, extra, missing)
		return false
	}
	if got := p.Count(); got != len(list) {
		d.Addf("%s: Count %d, want %d", where, got, len(list))
	}
	if got, want := p.Outcome(), o.outcome(); got != want {
		d.Addf("%s: outcome %v, want %v", where, got, want)
	}
	return true
}

// pickMove picks a move, mostly the reverse of the side's last one so that positions
// recur, and otherwise mostly one without a tile.
func pickMove(list, played []string, r *rand.Rand) string {
	if len(played) >= 2 && r.IntN(10) > 0 {
		last := played[len(played)-2]
		if back := last[3:5] + "," + last[:2] + " -1"; slices.Contains(list, back) {
			return back
		}
	}
	if r.IntN(2) == 0 {
		return list[r.IntN(len(list))]
	}
	for {
		if move := list[r.IntN(len(list))]; move[6:] == "-1" || r.IntN(20) == 0 {
			return move
		}
	}
}
