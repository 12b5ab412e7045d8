package cotulenh_test

import (
	"errors"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// TestStates: in every state the text is canonical, and steps, check, outcome
// and successors are the listed ones.
func TestStates(t *testing.T) {
	list := states(t)
	enginetest.AtLeast(t, len(list), 4014)
	shares(t, list, func(m *enginetest.Misses, share []state) {
		p := cotulenh.New()
		for _, s := range share {
			if err := p.Set(s.Position); err != nil {
				m.Addf("%s: %v", s.Position, err)
				continue
			}
			checkState(m, p, s)
			checkSuccessors(m, p, s)
		}
	})
}

func checkState(m *enginetest.Misses, p *cotulenh.Position, s state) {
	m.T.Helper()
	if got := p.String(); got != s.Position {
		m.Addf("%s: written as %s", s.Position, got)
	}
	if got := steps(p); !slices.Equal(got, s.Steps) {
		extra, missing := difference(got, s.Steps)
		m.Addf("%s: %d steps, want %d; too many %q, missing %q", s.Position, len(got), len(s.Steps), extra, missing)
	}
	if got := p.Check(); got != s.Check {
		m.Addf("%s: check %t", s.Position, got)
	}
	if result, reason := outcome(p); result != s.Result || reason != s.Reason {
		m.Addf("%s: outcome %q by %q, want %q by %q", s.Position, result, reason, s.Result, s.Reason)
	}
}

func checkSuccessors(m *enginetest.Misses, p *cotulenh.Position, s state) {
	m.T.Helper()
	for step, want := range s.After {
		move, err := p.ParseMove(step)
		if err != nil {
			m.Addf("%s: step %s: %v", s.Position, step, err)
			continue
		}
		p.Do(move)
		if got := p.String(); got != want {
			m.Addf("%s: %s leads to %s, want %s", s.Position, step, got, want)
		}
		p.Undo()
		if got := p.String(); got != s.Position {
			m.Addf("%s: %s taken back leaves %s", s.Position, step, got)
		}
	}
}

// TestPeerTexts: an open session as the published engine writes it reads as the
// same position.
func TestPeerTexts(t *testing.T) {
	read, p, own := 0, cotulenh.New(), cotulenh.New()
	m := &enginetest.Misses{T: t}
	for _, s := range states(t) {
		if s.Peer == "" {
			continue
		}
		read++
		if err := errors.Join(p.Set(s.Peer), own.Set(s.Position)); err != nil {
			m.Addf("%s: %v", s.Peer, err)
		} else if p.String() != s.Position || p.Hash() != own.Hash() || !slices.Equal(steps(p), s.Steps) {
			m.Addf("%s: read as %s with %q, want %s", s.Peer, p, steps(p), s.Position)
		}
	}
	m.Report(read)
	enginetest.AtLeast(t, read, 1680)
}

// TestPerft: the number of step sequences of each length. The start to depth 4,
// 183,653,322 sequences, is left out with -short.
func TestPerft(t *testing.T) {
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

// TestPerftLeaf: playing every leaf counts what listing it counts.
func TestPerftLeaf(t *testing.T) {
	p := cotulenh.New()
	for _, c := range perftCounts(t) {
		if err := p.Set(c.Position); err != nil {
			t.Fatal(err)
		}
		if got := engine.PerftLeaf(p, 2); got != c.Nodes[1] {
			t.Errorf("%s: %d, want %d", c.Position, got, c.Nodes[1])
		}
		if got := p.String(); got != c.Position {
			t.Errorf("%s: counting leaves %s", c.Position, got)
		}
	}
}

// TestGames: every game runs step by step to the same end, and not before.
func TestGames(t *testing.T) {
	list := games(t)
	enginetest.AtLeast(t, len(list), 120)
	shares(t, list, func(m *enginetest.Misses, share []game) {
		p := cotulenh.New()
		for _, g := range share {
			replay(m, p, g)
		}
	})
}

func replay(m *enginetest.Misses, p *cotulenh.Position, g game) {
	m.T.Helper()
	if err := p.Set(g.Start); err != nil {
		m.Addf("%s: %v", g.Start, err)
		return
	}
	turns := 0
	for i, step := range g.Steps {
		if o := p.Outcome(); o != engine.Ongoing {
			m.Addf("game from %s, step %d: over before its end, %v", g.Start, i, o)
			return
		}
		move, err := p.ParseMove(step)
		if err != nil {
			m.Addf("game from %s, step %d %s at %s: %v", g.Start, i, step, p, err)
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
		reason = engine.PlyLimit.String() // the game was cut off, the rules go on
	}
	if p.String() != g.Final || result != g.Result || reason != g.Reason || turns != g.Turns {
		m.Addf("game from %s: %d turns to %s, %q by %q; want %d to %s, %q by %q",
			g.Start, turns, p, result, reason, g.Turns, g.Final, g.Result, g.Reason)
	}
}

// TestNotation: a good text reads and is written in its canonical form, a bad
// one is refused for the right fault and changes nothing.
func TestNotation(t *testing.T) {
	list := notations(t)
	enginetest.AtLeast(t, len(list), 496)
	m, p := &enginetest.Misses{T: t}, cotulenh.New()
	for _, n := range list {
		before := p.String()
		err := p.Set(n.Text)
		switch {
		case n.OK:
			checkGoodText(m, p, n, err)
		case p.String() != before:
			m.Addf("%q: refused, but left %s", n.Text, p)
		default:
			checkRefusal(m, n, err)
		}
	}
	m.Report(len(list))
}

func checkGoodText(m *enginetest.Misses, p *cotulenh.Position, n notation, err error) {
	m.T.Helper()
	if err != nil {
		m.Addf("%q: refused: %v", n.Text, err)
		return
	}
	if got := p.String(); got != n.Canonical {
		m.Addf("%q: written as %q, want %q", n.Text, got, n.Canonical)
	}
	if err := p.Set(n.Canonical); err != nil || p.String() != n.Canonical {
		m.Addf("%q: read again as %q, %v", n.Canonical, p, err)
	}
}

func checkRefusal(m *enginetest.Misses, n notation, err error) {
	m.T.Helper()
	var told *engine.TextError
	if !errors.As(err, &told) {
		m.Addf("%q: want a %s, got %v", n.Text, n.Kind, err)
	} else if told.Kind != n.Kind || told.Category != n.Category {
		m.Addf("%q: refused as %s (%s), want %s (%s)", n.Text, told.Kind, told.Category, n.Kind, n.Category)
	}
}
