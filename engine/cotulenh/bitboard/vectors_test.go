package bitboard_test

import (
	"errors"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh/bitboard"
	"selfplay/engine/enginetest"
)

// The conformance data of package cotulenh, all of it, on this engine.

// sortedSteps returns the texts of the legal steps, sorted.
func sortedSteps(p *bitboard.Position) (list []string) {
	for _, m := range p.Moves(nil) {
		list = append(list, p.FormatMove(m))
	}
	slices.Sort(list)
	return list
}

// outcome returns result and reason as the conformance data names them.
func outcome(p *bitboard.Position) (result, reason string) {
	o := p.Outcome()
	names := map[engine.Result]string{engine.FirstWins: "red", engine.SecondWins: "blue", engine.Draw: "draw"}
	return names[o.Result], o.Reason.String()
}

// In every state the text is canonical, steps, check, outcome and successors are as listed,
// and everything is as on the mailbox engine.
func TestConformanceStates(t *testing.T) {
	list := states(t)
	enginetest.AtLeast(t, len(list), 4014)
	d, p := &enginetest.Differences{T: t}, newPair()
	for _, s := range list {
		p.set(t, s.Position)
		b := p.bitboard
		if got := b.String(); got != s.Position {
			d.Addf("%s: written as %s", s.Position, got)
		}
		if result, reason := outcome(b); !slices.Equal(sortedSteps(b), s.Steps) || b.Check() != s.Check || result != s.Result || reason != s.Reason {
			d.Addf("%s: steps %q, check %t, %s by %s", s.Position, sortedSteps(b), b.Check(), result, reason)
		}
		if differs := p.differ(); differs != "" {
			d.Addf("%s: the %s differs from the mailbox engine", s.Position, differs)
		}
		for step, want := range s.After {
			checkSuccessor(d, b, step, want)
		}
	}
	d.Report(len(list))
}

func checkSuccessor(d *enginetest.Differences, p *bitboard.Position, step, want string) {
	d.T.Helper()
	before := p.String()
	m, err := p.ParseMove(step)
	if err != nil {
		d.Addf("%s: step %s: %v", before, step, err)
		return
	}
	p.Do(m)
	if got := p.String(); got != want {
		d.Addf("%s: %s leads to %s, want %s", before, step, got, want)
	}
	p.Undo()
	if got := p.String(); got != before {
		d.Addf("%s: undo of %s leads to %s", before, step, got)
	}
}

// A session text of the published engine reads as the same position, with the same order of
// steps as on the mailbox engine.
func TestPublishedSessionTextsRead(t *testing.T) {
	d, p, read := &enginetest.Differences{T: t}, newPair(), 0
	for _, s := range states(t) {
		if s.Peer == "" {
			continue
		}
		read++
		p.set(t, s.Peer)
		if differs := p.differ(); differs != "" || p.bitboard.String() != s.Position {
			d.Addf("%s: reads as %s; difference: %q", s.Peer, p.bitboard, differs)
		}
	}
	d.Report(read)
	enginetest.AtLeast(t, read, 1680)
}

// Perft counts the step sequences of each length, by listing and by playing the last ply.
func TestPerftCounts(t *testing.T) {
	counts := perftCounts(t)
	enginetest.AtLeast(t, len(counts), 41)
	for _, c := range counts {
		t.Run(c.Position, func(t *testing.T) {
			t.Parallel()
			p := bitboard.New()
			if err := p.Set(c.Position); err != nil {
				t.Fatal(err)
			}
			if got := engine.PerftLeaf(p, 2); got != c.Nodes[1] || p.String() != c.Position {
				t.Errorf("depth 2, played: %d, want %d; left %s", got, c.Nodes[1], p)
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

// Every recorded game replays to its recorded end and does not end earlier.
func TestRecordedGamesReplay(t *testing.T) {
	list := games(t)
	enginetest.AtLeast(t, len(list), 120)
	d, p := &enginetest.Differences{T: t}, bitboard.New()
	for _, g := range list {
		if err := p.Set(g.Start); err != nil {
			t.Fatal(err)
		}
		for i, step := range g.Steps {
			m, err := p.ParseMove(step)
			if o := p.Outcome(); err != nil || o != engine.Ongoing {
				d.Addf("game from %s, step %d %s: %v, outcome %v", g.Start, i, step, err, o)
				break
			}
			p.Do(m)
		}
		result, reason := outcome(p)
		if reason == "" {
			reason = engine.PlyLimit.String() // the record was cut off
		}
		if p.String() != g.Final || result != g.Result || reason != g.Reason {
			d.Addf("game from %s: to %s, %q by %q; want %s, %q by %q", g.Start, p, result, reason, g.Final, g.Result, g.Reason)
		}
	}
	d.Report(len(list))
}

// A valid text reads and is written in canonical form. An invalid text gives the listed
// error and leaves the position unchanged.
func TestPositionTexts(t *testing.T) {
	list := notations(t)
	enginetest.AtLeast(t, len(list), 496)
	d, p := &enginetest.Differences{T: t}, bitboard.New()
	for _, n := range list {
		before := p.String()
		err := p.Set(n.Text)
		var textErr *engine.TextError
		switch {
		case n.OK && (err != nil || p.String() != n.Canonical):
			d.Addf("%q: %v, written as %q, want %q", n.Text, err, p, n.Canonical)
		case !n.OK && (!errors.As(err, &textErr) || textErr.Kind != n.Kind || textErr.Category != n.Category || p.String() != before):
			d.Addf("%q: %v, want %s (%s) and an unchanged position", n.Text, err, n.Kind, n.Category)
		}
	}
	d.Report(len(list))
}
