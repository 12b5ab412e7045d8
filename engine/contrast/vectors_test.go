package contrast_test

import (
	"flag"
	"runtime"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// TestStates: in every state text and array come back, no state is unreachable,
// and moves, counts in both dialects and outcome are the listed ones.
func TestStates(t *testing.T) {
	list := states(t)
	enginetest.AtLeast(t, len(list), 1387)
	m, after, before := &enginetest.Misses{T: t}, in("after"), in("before")
	for _, s := range list {
		text := s.text()
		if err := after.Set(text); err != nil {
			m.Addf("%s: %v", text, err)
			continue
		}
		checkState(m, after, s)
		if err := before.Set(text); err != nil || before.Count() != s.NBefore || len(before.Moves(nil)) != s.NBefore {
			m.Addf("%s: in the dialect before %d moves, counted %d, want %d; %v",
				text, len(before.Moves(nil)), before.Count(), s.NBefore, err)
		}
	}
	m.Report(len(list))
}

func checkState(m *enginetest.Misses, p *contrast.Position, s state) {
	m.T.Helper()
	text := s.text()
	if got := p.String(); got != text {
		m.Addf("%s: written as %s", text, got)
	}
	if got := p.AppendArray([]byte{99}); got[0] != 99 || !slices.EqualFunc(got[1:], s.A, equalElement) {
		m.Addf("%s: array %v", text, got)
	}
	if err := p.Reachable(); err != nil {
		m.Addf("%s: %v", text, err)
	}
	checkList(m, p, s)
	if got := baseMoves(moves(p)); got != s.NBase {
		m.Addf("%s: %d moves without a tile, want %d", text, got, s.NBase)
	}
	o := p.Outcome()
	if winner, reason := result(o); winner != s.Winner || reason != s.Reason || (o != engine.Ongoing) != s.Terminal {
		m.Addf("%s: %d wins by %q, want %d by %q", text, winner, reason, s.Winner, s.Reason)
	}
}

func equalElement(a byte, b int) bool { return int(a) == b }

// checkList compares the list and its length.
func checkList(m *enginetest.Misses, p *contrast.Position, s state) {
	m.T.Helper()
	if got := moves(p); !slices.Equal(got, s.Moves) {
		extra, missing := difference(got, s.Moves)
		m.Addf("%s: %d moves, want %d; too many %q, missing %q", s.text(), len(got), len(s.Moves), extra, missing)
	}
	if got := p.Count(); got != s.N || got != len(s.Moves) {
		m.Addf("%s: counted %d moves, want %d", s.text(), got, s.N)
	}
}

func baseMoves(list []string) (n int) {
	for _, move := range list {
		if strings.HasSuffix(move, " -1") {
			n++
		}
	}
	return n
}

// TestStatesBefore: the lists of the dialect before.
func TestStatesBefore(t *testing.T) {
	list := statesBefore(t)
	enginetest.AtLeast(t, len(list), 300)
	m, p := &enginetest.Misses{T: t}, in("before")
	for _, s := range list {
		if err := p.Set(s.text()); err != nil {
			m.Addf("%s: %v", s.text(), err)
			continue
		}
		checkList(m, p, s)
	}
	m.Report(len(list))
}

// TestPerft: the number of move sequences of each length, in both dialects. The
// large counts are left out with -short; see also TestPerft5.
func TestPerft(t *testing.T) {
	start, counts := perftCounts(t)
	enginetest.AtLeast(t, len(counts), 36)
	start.After, start.Before = start.After[:4], start.Before[:4]
	for _, c := range append(counts, start) {
		for _, dialect := range dialects {
			t.Run(dialect+"/"+c.text(), func(t *testing.T) {
				t.Parallel()
				checkPerft(t, set(t, in(dialect), c.text()), c.in(dialect))
			})
		}
	}
}

// in returns the counts in a dialect.
func (c perftCount) in(dialect string) []uint64 {
	if dialect == "before" {
		return c.Before
	}
	return c.After
}

func checkPerft(t *testing.T, p *contrast.Position, nodes []uint64) {
	if len(nodes) == 0 {
		t.Error("no counts")
	}
	for i, want := range nodes {
		if testing.Short() && want > 10_000_000 {
			t.Skipf("depth %d has %d sequences", i+1, want)
		}
		if got := engine.Perft(p, i+1); got != want {
			t.Errorf("depth %d: %d, want %d", i+1, got, want)
		}
	}
}

// perft5 is not meant for every run: it costs two and a half minutes of one core.
var perft5 = flag.Bool("perft5", false, "count depth 5 of the start too")

// TestPerft5: depth 5 of the start, a quarter of a trillion sequences a dialect, in
// parallel over the first moves.
func TestPerft5(t *testing.T) {
	if !*perft5 {
		t.Skip("without -perft5")
	}
	start, _ := perftCounts(t)
	for _, dialect := range dialects {
		t.Run(dialect, func(t *testing.T) {
			want := start.in(dialect)[4]
			if got := perftOverMoves(t, dialect, 5); got != want {
				t.Errorf("%d, want %d", got, want)
			}
		})
	}
}

// perftOverMoves is perft from the start with a goroutine a core over the first
// moves.
func perftOverMoves(t *testing.T, dialect string, depth int) (nodes uint64) {
	first := in(dialect).Moves(nil)
	work, counts := make(chan engine.Move, len(first)), make(chan uint64)
	for _, m := range first {
		work <- m
	}
	close(work)
	workers := runtime.GOMAXPROCS(0)
	for range workers {
		go func() {
			p, sum := in(dialect), uint64(0)
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

// TestPerftLeaf: playing every leaf counts what the formula counts, and leaves
// the position as it was.
func TestPerftLeaf(t *testing.T) {
	_, counts := perftCounts(t)
	for _, dialect := range dialects {
		p := in(dialect)
		for _, c := range counts {
			set(t, p, c.text())
			if got, want := engine.PerftLeaf(p, 2), c.in(dialect)[1]; got != want {
				t.Errorf("%s %s: %d, want %d", dialect, c.text(), got, want)
			}
			if got := p.String(); got != c.text() {
				t.Errorf("%s: counting leaves %s", c.text(), got)
			}
		}
	}
}

// TestGames: every game runs move by move to the same end, and not before.
func TestGames(t *testing.T) {
	list := games(t)
	enginetest.AtLeast(t, len(list), 80)
	m, p := &enginetest.Misses{T: t}, contrast.New()
	reasons := map[string]int{}
	for _, g := range list {
		reasons[g.Reason]++
		replay(m, p, g)
	}
	m.Report(len(list))
	for _, reason := range []string{"goal", "blocked", "repetition", "limit"} {
		enginetest.AtLeast(t, reasons[reason], 6)
	}
}

func replay(m *enginetest.Misses, p *contrast.Position, g game) {
	m.T.Helper()
	p.Reset()
	for i, text := range g.Moves {
		if o := p.Outcome(); o != engine.Ongoing {
			m.Addf("game %d, ply %d: over before its end, %v", g.ID, i, o)
			return
		}
		move, err := p.ParseMove(text)
		if err != nil {
			m.Addf("game %d, ply %d, at %s: %v", g.ID, i, p, err)
			return
		}
		p.Do(move)
	}
	winner, reason := result(p.Outcome())
	if reason == "" && len(g.Moves) == contrast.Game().MaxPlies {
		reason = "limit" // the game was cut off, the rules go on
	}
	if p.String() != textOf(g.Final, g.STM) || winner != g.Winner || reason != g.Reason || len(g.Moves) != g.Plies {
		m.Addf("game %d: %d plies to %s, %d wins by %q; want %d plies to %s, %d by %q",
			g.ID, len(g.Moves), p, winner, reason, g.Plies, textOf(g.Final, g.STM), g.Winner, g.Reason)
	}
}
