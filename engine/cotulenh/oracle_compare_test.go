package cotulenh_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// TestOracle compares engine and oracle on positions thrown together at random:
// crowded and bare, heroes, stacks, commanders close to each other and in check,
// as play hardly ever meets them; and on the steps that follow, sessions included.
func TestOracle(t *testing.T) {
	const parts = 8
	each := *thrown / parts
	if testing.Short() {
		each /= 10
	}
	for part := range uint64(parts) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(*oracleSeed, part))
			m, p := &enginetest.Misses{T: t}, cotulenh.New()
			for range each {
				compare(m, p, throw(r), r)
			}
			m.Report(each)
		})
	}
}

// A longer run costs about 7 ms a position.
var (
	thrown     = flag.Int("oracle", 1600, "how many positions TestOracle throws")
	oracleSeed = flag.Uint64("oracle-seed", 1, "what it throws them from")
)

// compare plays up to six steps in both and compares before each.
func compare(m *enginetest.Misses, p *cotulenh.Position, o *oracle, r *rand.Rand) {
	m.T.Helper()
	start := o.String()
	if err := p.Set(start); err != nil {
		m.Addf("%s: %v", start, err)
		return
	}
	played := ""
	for range 6 {
		want := o.steps()
		if got := steps(p); !slices.Equal(got, want) {
			extra, missing := difference(got, want)
			m.Addf("%s%s: too many %v, missing %v", start, played, extra, missing)
			return
		}
		if got, want := p.Check(), o.attacked(o.side); got != want {
			m.Addf("%s%s: check %t, want %t", start, played, got, want)
		}
		if len(want) == 0 {
			return
		}
		id := prefer(want, r)
		played += " | " + id
		move, err := p.ParseMove(id)
		if err != nil {
			m.Addf("%s%s: %v", start, played, err)
			return
		}
		p.Do(move)
		o.do(id)
		if got, want := p.String(), o.String(); got != want {
			m.Addf("%s%s: leads to %s, want %s", start, played, got, want)
			return
		}
	}
}

// prefer picks a step, captures and deployments more often than others.
func prefer(ids []string, r *rand.Rand) string {
	for range 3 {
		if id := ids[r.IntN(len(ids))]; strings.ContainsAny(id, "x_@>&") {
			return id
		}
	}
	return ids[r.IntN(len(ids))]
}

// do plays the step with that id.
func (o *oracle) do(id string) {
	if id == "commit" {
		o.commit()
		return
	}
	for _, s := range o.legal() {
		if s.id() == id {
			o.play(s)
			return
		}
	}
	panic("the oracle lost a step")
}

// throw makes a random position: two commanders, mostly near each other, and
// somewhere between none and fifty stacks.
func throw(r *rand.Rand) *oracle {
	o := &oracle{origin: -1, side: r.IntN(2), half: r.IntN(3) * 49, full: 1 + r.IntN(3)}
	center := r.IntN(12)*16 + r.IntN(11)
	for side := range 2 {
		bearer := []string{"c", "c", "c", "tc", "fc", "nc", "hc", "ftc", "nfc"}[r.IntN(9)]
		o.place(r, side, bearer, center, 1+r.IntN(6))
	}
	kinds := strings.Fields("i t m e a g s f n h i t m e a g s f n f n f s g " + oCombinations)
	most := 1<<r.IntN(6) + 20*r.IntN(2)
	for range r.IntN(most) {
		kind := kinds[r.IntN(len(kinds))]
		if !strings.Contains(kind, "c") {
			o.place(r, r.IntN(2), kind, center, 2+r.IntN(10))
		}
	}
	return o
}

// place tries to put a stack within a distance of the center.
func (o *oracle) place(r *rand.Rand, side int, kind string, center, distance int) {
	for range 50 {
		rank := center>>4 + r.IntN(2*distance+1) - distance
		file := center&15 + r.IntN(2*distance+1) - distance
		if rank < 0 || rank > 11 || file < 0 || file > 10 {
			continue
		}
		sq := rank*16 + file
		if o.cells[sq] != nil || !oMask(kind[0], sq) {
			continue
		}
		var members []oMember
		for _, typ := range []byte(kind) {
			members = append(members, oMember{typ, r.IntN(5) == 0})
		}
		o.cells[sq] = &oStack{side, members}
		return
	}
}
