package contrast_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// TestOracle compares engine and oracle, in both dialects, on positions thrown
// together at random, most of which no game leads to: any number of pieces, any
// tiles, any hands; and on the moves that follow, to and fro until they repeat.
func TestOracle(t *testing.T) {
	const parts = 8
	each := *thrown / parts
	if testing.Short() {
		each /= 10
	}
	ends := make([]map[engine.Reason]int, parts)
	t.Run("thrown", func(t *testing.T) {
		for part := range parts {
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(*oracleSeed, uint64(part)))
				ends[part] = map[engine.Reason]int{}
				m := &enginetest.Misses{T: t}
				for range each {
					compare(m, throw(r), r, ends[part])
				}
				m.Report(each)
			})
		}
	})
	for _, reason := range []engine.Reason{engine.NoReason, engine.Goal, engine.Blocked, engine.Repetition} {
		met := 0
		for _, end := range ends {
			met += end[reason]
		}
		if met < each/100 {
			t.Errorf("met %q only %d times", reason, met)
		}
	}
}

// A longer run costs about 0.5 ms a position.
var (
	thrown     = flag.Int("oracle", 20_000, "how many positions TestOracle throws")
	oracleSeed = flag.Uint64("oracle-seed", 1, "what it throws them from")
)

// compare plays a few moves in both and compares before each. It counts how the
// positions end.
func compare(m *enginetest.Misses, o *oracle, r *rand.Rand, ends map[engine.Reason]int) {
	m.T.Helper()
	start, p := o.String(), in(dialects[0])
	if o.before {
		p = in(dialects[1])
	}
	if err := p.Set(start); err != nil {
		m.Addf("%s: %v", start, err)
		return
	}
	plies := 1 + r.IntN(2)
	if r.IntN(20) == 0 {
		plies = 16 // as long as it takes to repeat
	}
	var played []string
	for range plies {
		list := o.moves()
		if !agree(m, p, o, list, fmt.Sprintf("%s in %t, %v", start, o.before, played)) {
			return
		}
		if len(list) == 0 {
			break
		}
		played = append(played, prefer(list, played, r))
		play(m.T, p, played[len(played)-1])
		o.do(played[len(played)-1])
	}
	ends[o.outcome().Reason]++
}

// agree reports whether both have the same text, moves and outcome.
func agree(m *enginetest.Misses, p *contrast.Position, o *oracle, list []string, where string) bool {
	m.T.Helper()
	if got, want := p.String(), o.String(); got != want {
		m.Addf("%s: leads to %s, want %s", where, got, want)
		return false
	}
	if got := moves(p); !slices.Equal(got, list) {
		extra, missing := difference(got, list)
		m.Addf("%s: too many %v, missing %v", where, extra, missing)
		return false
	}
	if got := p.Count(); got != len(list) {
		m.Addf("%s: counted %d moves, want %d", where, got, len(list))
	}
	if got, want := p.Outcome(), o.outcome(); got != want {
		m.Addf("%s: outcome %v, want %v", where, got, want)
	}
	return true
}

// prefer picks a move: more often than not the way back of the last one, so that
// positions recur.
func prefer(list, played []string, r *rand.Rand) string {
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

// throw makes a random position: mostly about ten pieces, mostly not on their goal
// rows; at times any number anywhere.
func throw(r *rand.Rand) *oracle {
	o := &oracle{side: r.IntN(2), before: r.IntN(2) == 0}
	crowd := []int{10, 10, 30, 60, 80, 95}[r.IntN(6)] // percent of cells with a piece
	paved := []int{0, 5, 20, 60, 95}[r.IntN(5)]       // with a tile
	wild := r.IntN(10) == 0
	for y := range 5 {
		for x := range 5 {
			c := oCell{' ', ' '}
			if r.IntN(100) < crowd {
				c.piece = "xo"[r.IntN(2)]
			}
			if !wild && y == 4 && c.piece != ' ' {
				c.piece = 'o'
			}
			if !wild && y == 0 && c.piece != ' ' {
				c.piece = 'x'
			}
			if r.IntN(100) < paved {
				c.tile = "bbg"[r.IntN(3)]
			}
			o.cells[y][x] = c
		}
	}
	for side := range 2 {
		o.black[side], o.gray[side] = r.IntN(4), r.IntN(2)
	}
	o.stand()
	return o
}
