package cotulenh_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// turns are the turns of a position: how many there are, and the positions in which they
// end.
type turns struct {
	n    int
	ends map[string]bool
}

// explore adds every turn from p, or only those in canonical order.
func (t *turns) explore(p *cotulenh.Position, us engine.Side, canonical bool) {
	if p.Turn() != us {
		t.n++
		t.ends[p.String()] = true
		return
	}
	for _, m := range p.Moves(nil) {
		if canonical && !p.Canonical(m) {
			continue
		}
		p.Do(m)
		t.explore(p, us, canonical)
		p.Undo()
	}
}

func turnsOf(p *cotulenh.Position, canonical bool) *turns {
	t := &turns{ends: map[string]bool{}}
	t.explore(p, p.Turn(), canonical)
	return t
}

// checkCanonical compares all turns of a position, unless a session is open, with the
// canonical ones. It returns their numbers.
func checkCanonical(d *enginetest.Differences, p *cotulenh.Position) (all, canonical int) {
	if _, open := p.Session(); open {
		return 0, 0
	}
	a, b := turnsOf(p, false), turnsOf(p, true)
	for _, end := range slices.Sorted(maps.Keys(a.ends)) {
		if !b.ends[end] {
			d.Addf("%s: no canonical order ends in %s", p, end)
			break
		}
	}
	return a.n, b.n
}

// From the start of a turn, every position in which it can end is reached in canonical
// order too.
func TestCanonicalOrdersReachEveryEndOfATurn(t *testing.T) {
	inParallel(t, states(t), func(d *enginetest.Differences, part []state) {
		p := cotulenh.New()
		for i, s := range part {
			if i%4 != 0 || testing.Short() && i%32 != 0 {
				continue
			}
			if err := p.Set(s.Position); err != nil {
				d.Addf("%s: %v", s.Position, err)
				continue
			}
			checkCanonical(d, p)
		}
	})
	d, p, src, seen := &enginetest.Differences{T: t}, cotulenh.New(), rand.NewPCG(5, 0), 0
	for range 4 {
		enginetest.PlayOut(p, src, enginetest.Uniform, cotulenh.Game().MaxPlies, func() {
			all, _ := checkCanonical(d, p)
			seen += all
		})
	}
	d.Report(seen)
	enginetest.AtLeast(t, seen, 5000)
}

// Of the turns of stacks of three, more than half are left out.
func TestCanonicalOrderSavesTurns(t *testing.T) {
	p := at(t, "6c4/4i1i4/11/11/11/11/3(FTI)7/11/11/2(NFM)8/11/4I1C1I2 r - - 3 9")
	d := &enginetest.Differences{T: t}
	all, canonical := checkCanonical(d, p)
	d.Report(all)
	if all < 5000 || 2*canonical > all {
		t.Errorf("%d turns of %d are canonical, want at most half of 5000 or more", canonical, all)
	}
}

// Red deploys two members of a stack. The second step is in canonical order if its member
// is the lead of both, or if the steps depend on each other.
func TestCanonicalSteps(t *testing.T) {
	const (
		plain   = "6c4/4i1i4/11/11/11/11/11/11/4(TI)6/3i7/4I1I4/6C4 r - - 3 9"
		near    = "11/2i3i4/11/11/4c6/11/11/11/4(TI)6/11/2I3I4/6C4 r - - 3 9"
		checked = "4c6/4i6/11/11/11/11/11/11/11/6t4/2I1I(TI)5/6C4 r - - 3 9"
	)
	for _, c := range []struct {
		name, text, first, second string
		want                      bool
	}{
		{"cargo first", plain, "Ie4>d4", "Te4>e6", true},
		{"lead first", plain, "Te4>e6", "Ie4>d4", false},
		{"the cargo would stand in the way of the lead", plain, "Te4>e6", "Ie4>e5", true},
		{"both leave the stack in different directions", plain, "Te4>f4", "Ie4>e5", false},
		{"the cargo joins the lead", plain, "Te4>e6", "Ie4>&e6", true},
		{"a commit", plain, "Te4>e6", "commit", true},
		{"the lead attacks the commander and is promoted", near, "Te4>e6", "Ie4>d4", true},
		{"the lead ends a check", checked, "Tf2>g2", "If2>f3", true},
	} {
		p := at(t, c.text)
		for i, step := range []string{c.first, c.second} {
			m, err := p.ParseMove(step)
			if err != nil {
				t.Fatalf("%s: %v of %v", c.name, err, steps(p))
			}
			if want := i == 0 || c.want; p.Canonical(m) != want {
				t.Errorf("%s: canonical order of %s is %t, want %t", c.name, step, !want, want)
			}
			p.Do(m)
		}
	}
}
