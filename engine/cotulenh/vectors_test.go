package cotulenh_test

import (
	"errors"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// In every state the text is canonical, and steps, check, outcome and successors are as
// listed.
func TestConformanceStates(t *testing.T) {
	list := states(t)
	enginetest.AtLeast(t, len(list), 4014)
	inParallel(t, list, func(d *enginetest.Differences, part []state) {
		p := cotulenh.New()
		for _, s := range part {
			if err := p.Set(s.Position); err != nil {
				d.Addf("%s: %v", s.Position, err)
				continue
			}
			checkState(d, p, s)
			checkSuccessors(d, p, s)
		}
	})
}

func checkState(d *enginetest.Differences, p *cotulenh.Position, s state) {
	d.T.Helper()
	if got := p.String(); got != s.Position {
		d.Addf("%s: written as %s", s.Position, got)
	}
	if got := steps(p); !slices.Equal(got, s.Steps) {
		extra, missing := difference(got, s.Steps)
		d.Addf("%s: %d steps, want %d; unexpected %q, missing %q", s.Position, len(got), len(s.Steps), extra, missing)
	}
	if got := p.Check(); got != s.Check {
		d.Addf("%s: check %t, want %t", s.Position, got, s.Check)
	}
	if result, reason := outcome(p); result != s.Result || reason != s.Reason {
		d.Addf("%s: result %q by %q, want %q by %q", s.Position, result, reason, s.Result, s.Reason)
	}
}

func checkSuccessors(d *enginetest.Differences, p *cotulenh.Position, s state) {
	d.T.Helper()
	for step, want := range s.After {
		move, err := p.ParseMove(step)
		if err != nil {
			d.Addf("%s: step %s: %v", s.Position, step, err)
			continue
		}
		p.Do(move)
		if got := p.String(); got != want {
			d.Addf("%s: %s leads to %s, want %s", s.Position, step, got, want)
		}
		p.Undo()
		if got := p.String(); got != s.Position {
			d.Addf("%s: undo of %s leads to %s", s.Position, step, got)
		}
	}
}

// A session text of the published engine reads as the same position.
func TestPublishedSessionTextsRead(t *testing.T) {
	read, p, own := 0, cotulenh.New(), cotulenh.New()
	d := &enginetest.Differences{T: t}
	for _, s := range states(t) {
		if s.Peer == "" {
			continue
		}
		read++
		if err := errors.Join(p.Set(s.Peer), own.Set(s.Position)); err != nil {
			d.Addf("%s: %v", s.Peer, err)
		} else if p.String() != s.Position || p.Hash() != own.Hash() || !slices.Equal(steps(p), s.Steps) {
			d.Addf("%s: read as %s with %q, want %s", s.Peer, p, steps(p), s.Position)
		}
	}
	d.Report(read)
	enginetest.AtLeast(t, read, 1680)
}

// Perft counts the step sequences of each length. A short run skips large counts, such
// as the 183,653,322 sequences of depth 4 from the start.
func TestPerftCounts(t *testing.T) {
	counts := perftCounts(t)
	enginetest.AtLeast(t, len(counts), 41)
	for _, c := range counts {
		t.Run(c.Position, func(t *testing.T) {
			t.Parallel()
			p := cotulenh.New()
			if err := p.Set(c.Position); err != nil {
				t.Fatal(err)
			}
			for i, want := range c.Nodes {
				if testing.Short() && want > 500_000 {
					t.Skipf("depth %d has %d sequences", i+1, want)
				}
				if got := engine.Perft(p, i+1); got != want {
					t.Errorf("depth %d: %d, want %d", i+1, got, want)
				}
			}
		})
	}
}

// Perft that plays the last ply gives the count of perft that lists it, and undoes every
// step.
func TestPerftLeafAgreesWithPerft(t *testing.T) {
	p := cotulenh.New()
	for _, c := range perftCounts(t) {
		if err := p.Set(c.Position); err != nil {
			t.Fatal(err)
		}
		if got := engine.PerftLeaf(p, 2); got != c.Nodes[1] {
			t.Errorf("%s: %d, want %d", c.Position, got, c.Nodes[1])
		}
		if got := p.String(); got != c.Position {
			t.Errorf("%s: perft changed the position to %s", c.Position, got)
		}
	}
}

// Every recorded game replays to its recorded end and does not end earlier.
func TestRecordedGamesReplay(t *testing.T) {
	list := games(t)
	enginetest.AtLeast(t, len(list), 120)
	inParallel(t, list, func(d *enginetest.Differences, part []game) {
		p := cotulenh.New()
		for _, g := range part {
			replay(d, p, g)
		}
	})
}

func replay(d *enginetest.Differences, p *cotulenh.Position, g game) {
	d.T.Helper()
	if err := p.Set(g.Start); err != nil {
		d.Addf("%s: %v", g.Start, err)
		return
	}
	turns := 0
	for i, step := range g.Steps {
		if o := p.Outcome(); o != engine.Ongoing {
			d.Addf("game from %s, step %d: ended too early by %v", g.Start, i, o)
			return
		}
		move, err := p.ParseMove(step)
		if err != nil {
			d.Addf("game from %s, step %d %s at %s: %v", g.Start, i, step, p, err)
			return
		}
		side := p.Turn()
		p.Do(move)
		if p.Turn() != side {
			turns++
		}
	}
	result, reason := outcome(p)
	if reason == "" {
		reason = engine.PlyLimit.String() // the record was cut off; by the rules the game continues
	}
	if p.String() != g.Final || result != g.Result || reason != g.Reason || turns != g.Turns {
		d.Addf("game from %s: %d turns to %s, %q by %q; want %d to %s, %q by %q",
			g.Start, turns, p, result, reason, g.Turns, g.Final, g.Result, g.Reason)
	}
}

// A valid text reads and is written in canonical form. An invalid text gives the listed
// error and leaves the position unchanged.
func TestPositionTexts(t *testing.T) {
	list := notations(t)
	enginetest.AtLeast(t, len(list), 496)
	d, p := &enginetest.Differences{T: t}, cotulenh.New()
	for _, n := range list {
		before := p.String()
		err := p.Set(n.Text)
		switch {
		case n.OK:
			checkValidText(d, p, n, err)
		case p.String() != before:
			d.Addf("%q: rejected, but changed the position to %s", n.Text, p)
		default:
			checkInvalidText(d, n, err)
		}
	}
	d.Report(len(list))
}

func checkValidText(d *enginetest.Differences, p *cotulenh.Position, n notation, err error) {
	d.T.Helper()
	if err != nil {
		d.Addf("%q: rejected: %v", n.Text, err)
		return
	}
	if got := p.String(); got != n.Canonical {
		d.Addf("%q: written as %q, want %q", n.Text, got, n.Canonical)
	}
	if err := p.Set(n.Canonical); err != nil || p.String() != n.Canonical {
		d.Addf("%q: read again as %q, %v", n.Canonical, p, err)
	}
}

func checkInvalidText(d *enginetest.Differences, n notation, err error) {
	d.T.Helper()
	var textErr *engine.TextError
	if !errors.As(err, &textErr) {
		d.Addf("%q: want a %s, got %v", n.Text, n.Kind, err)
	} else if textErr.Kind != n.Kind || textErr.Category != n.Category {
		d.Addf("%q: rejected as %s (%s), want %s (%s)", n.Text, textErr.Kind, textErr.Category, n.Kind, n.Category)
	}
}
