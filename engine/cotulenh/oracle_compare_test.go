package cotulenh_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// TestOracle compares engine and oracle on random positions and the steps after them,
// sessions included. The positions are crowded or sparse and contain heroic pieces,
// stacks, and commanders that are close to each other or in check. Such positions are
// rare in play. A position costs about 7 ms.
func TestOracle(t *testing.T) {
	enginetest.CompareWithOracle(t, 800, func(d *enginetest.Differences, r *rand.Rand, positions int) {
		p := cotulenh.New()
		for range positions {
			compareWithOracle(d, p, randomOracle(r), r)
		}
	})
}

// compareWithOracle plays up to six random steps on both and compares them before each
// step.
func compareWithOracle(d *enginetest.Differences, p *cotulenh.Position, o *oracle, r *rand.Rand) {
	d.T.Helper()
	start := o.String()
	if err := p.Set(start); err != nil {
		d.Addf("%s: %v", start, err)
		return
	}
	played := ""
	for range 6 {
		want := o.steps()
		if got := steps(p); !slices.Equal(got, want) {
			extra, missing := enginetest.Difference(got, want)
			d.Addf("%s%s: unexpected %v, missing %v", start, played, extra, missing)
			return
		}
		if got, want := p.Check(), o.attacked(o.side); got != want {
			d.Addf("%s%s: check %t, want %t", start, played, got, want)
		}
		if len(want) == 0 {
			return
		}
		id := pickStep(want, r)
		played += " | " + id
		move, err := p.ParseMove(id)
		if err != nil {
			d.Addf("%s%s: %v", start, played, err)
			return
		}
		p.Do(move)
		o.do(id)
		if got, want := p.String(), o.String(); got != want {
			d.Addf("%s%s: leads to %s, want %s", start, played, got, want)
			return
		}
	}
}

// pickStep picks a random step and prefers captures, deployments and joins.
func pickStep(ids []string, r *rand.Rand) string {
	for range 3 {
		if id := ids[r.IntN(len(ids))]; strings.ContainsAny(id, "x_@>&") {
			return id
		}
	}
	return ids[r.IntN(len(ids))]
}

// do plays the legal step with this id.
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
	panic("oracle: no legal step " + id)
}

// randomOracle returns a random position: two commanders, usually near each other, and
// up to about fifty other stacks.
func randomOracle(r *rand.Rand) *oracle {
	o := &oracle{origin: -1, side: r.IntN(2), half: r.IntN(3) * 49, full: 1 + r.IntN(3)}
	center := r.IntN(12)*16 + r.IntN(11)
	for side := range 2 {
		withCommander := []string{"c", "c", "c", "tc", "fc", "nc", "hc", "ftc", "nfc"}[r.IntN(9)]
		o.placeNear(r, side, withCommander, center, 1+r.IntN(6))
	}
	stacks := strings.Fields("i t m e a g s f n h i t m e a g s f n f n f s g " + oCombinations)
	most := 1<<r.IntN(6) + 20*r.IntN(2)
	for range r.IntN(most) {
		types := stacks[r.IntN(len(stacks))]
		if !strings.Contains(types, "c") {
			o.placeNear(r, r.IntN(2), types, center, 2+r.IntN(10))
		}
	}
	return o
}

// placeNear puts a stack on a random free square within a distance of the center, if it
// finds one.
func (o *oracle) placeNear(r *rand.Rand, side int, types string, center, distance int) {
	for range 50 {
		rank := center>>4 + r.IntN(2*distance+1) - distance
		file := center&15 + r.IntN(2*distance+1) - distance
		if rank < 0 || rank > 11 || file < 0 || file > 10 {
			continue
		}
		sq := rank*16 + file
		if o.cells[sq] != nil || !oMask(types[0], sq) {
			continue
		}
		var members []oMember
		for _, typ := range []byte(types) {
			members = append(members, oMember{typ, r.IntN(5) == 0})
		}
		o.cells[sq] = &oStack{side, members}
		return
	}
}
