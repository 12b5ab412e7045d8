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

// TestStates: in every state, text and array round-trip, the position is reachable,
// and moves, counts in both variants and outcome match the data.
func TestStates(t *testing.T) {
	list := states(t)
	enginetest.AtLeast(t, len(list), 1387)
	d, after, before := &enginetest.Differences{T: t}, in("after"), in("before")
	for _, s := range list {
		text := s.text()
		if err := after.Set(text); err != nil {
			d.Addf("%s: %v", text, err)
			continue
		}
		checkState(d, after, s)
		if err := before.Set(text); err != nil || before.Count() != s.NBefore || len(before.Moves(nil)) != s.NBefore {
			d.Addf("%s: variant before: %d moves listed, Count %d, want %d; error %v",
				text, len(before.Moves(nil)), before.Count(), s.NBefore, err)
		}
	}
	d.Report(len(list))
}

func checkState(d *enginetest.Differences, p *contrast.Position, s state) {
	d.T.Helper()
	text := s.text()
	if got := p.String(); got != text {
		d.Addf("%s: String is %s", text, got)
	}
	if got := p.AppendArray([]byte{99}); got[0] != 99 || !slices.EqualFunc(got[1:], s.A, equalElement) {
		d.Addf("%s: array %v", text, got)
	}
	if err := p.Reachable(); err != nil {
		d.Addf("%s: %v", text, err)
	}
	checkList(d, p, s)
	if got := baseMoves(moveTexts(p)); got != s.NBase {
		d.Addf("%s: %d base moves, want %d", text, got, s.NBase)
	}
	o := p.Outcome()
	if winner, reason := result(o); winner != s.Winner || reason != s.Reason || (o != engine.Ongoing) != s.Terminal {
		d.Addf("%s: winner %d by %q, want %d by %q", text, winner, reason, s.Winner, s.Reason)
	}
}

func equalElement(a byte, b int) bool { return int(a) == b }

// checkList compares the move list and its length.
func checkList(d *enginetest.Differences, p *contrast.Position, s state) {
	d.T.Helper()
	if got := moveTexts(p); !slices.Equal(got, s.Moves) {
		extra, missing := difference(got, s.Moves)
		d.Addf("%s: %d moves, want %d; extra %q, missing %q", s.text(), len(got), len(s.Moves), extra, missing)
	}
	if got := p.Count(); got != s.N || got != len(s.Moves) {
		d.Addf("%s: Count %d, want %d", s.text(), got, s.N)
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

// TestStatesBefore: the move lists of the variant before.
func TestStatesBefore(t *testing.T) {
	list := statesBefore(t)
	enginetest.AtLeast(t, len(list), 300)
	d, p := &enginetest.Differences{T: t}, in("before")
	for _, s := range list {
		if err := p.Set(s.text()); err != nil {
			d.Addf("%s: %v", s.text(), err)
			continue
		}
		checkList(d, p, s)
	}
	d.Report(len(list))
}

// TestPerft: perft counts in both variants. -short skips the large ones; TestPerft5
// adds depth 5.
func TestPerft(t *testing.T) {
	start, counts := perftCounts(t)
	enginetest.AtLeast(t, len(counts), 36)
	start.After, start.Before = start.After[:4], start.Before[:4]
	for _, c := range append(counts, start) {
		for _, variant := range variants {
			t.Run(variant+"/"+c.text(), func(t *testing.T) {
				t.Parallel()
				checkPerft(t, set(t, in(variant), c.text()), c.in(variant))
			})
		}
	}
}

// in returns the counts of a variant.
func (c perftCount) in(variant string) []uint64 {
	if variant == "before" {
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
			want := start.in(variant)[4]
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

// TestPerftLeaf: PerftLeaf gives the same counts as Count and leaves the position
// unchanged.
func TestPerftLeaf(t *testing.T) {
	_, counts := perftCounts(t)
	for _, variant := range variants {
		p := in(variant)
		for _, c := range counts {
			set(t, p, c.text())
			if got, want := engine.PerftLeaf(p, 2), c.in(variant)[1]; got != want {
				t.Errorf("%s %s: %d, want %d", variant, c.text(), got, want)
			}
			if got := p.String(); got != c.text() {
				t.Errorf("%s: PerftLeaf changes the position to %s", c.text(), got)
			}
		}
	}
}

// TestGames: every recorded game replays to the same end and is ongoing before it.
func TestGames(t *testing.T) {
	list := games(t)
	enginetest.AtLeast(t, len(list), 80)
	d, p := &enginetest.Differences{T: t}, contrast.New()
	reasons := map[string]int{}
	for _, g := range list {
		reasons[g.Reason]++
		replay(d, p, g)
	}
	d.Report(len(list))
	for _, reason := range []string{"goal", "blocked", "repetition", "limit"} {
		enginetest.AtLeast(t, reasons[reason], 6)
	}
}

func replay(d *enginetest.Differences, p *contrast.Position, g game) {
	d.T.Helper()
	p.Reset()
	for i, text := range g.Moves {
		if o := p.Outcome(); o != engine.Ongoing {
			d.Addf("game %d, ply %d: outcome %v, want ongoing", g.ID, i, o)
			return
		}
		move, err := p.ParseMove(text)
		if err != nil {
			d.Addf("game %d, ply %d, at %s: %v", g.ID, i, p, err)
			return
		}
		p.Do(move)
	}
	winner, reason := result(p.Outcome())
	if reason == "" && len(g.Moves) == contrast.Game().MaxPlies {
		reason = "limit" // the ply limit is not a rule of the game
	}
	if p.String() != textOf(g.Final, g.STM) || winner != g.Winner || reason != g.Reason || len(g.Moves) != g.Plies {
		d.Addf("game %d: %d plies to %s, winner %d by %q; want %d plies to %s, winner %d by %q",
			g.ID, len(g.Moves), p, winner, reason, g.Plies, textOf(g.Final, g.STM), g.Winner, g.Reason)
	}
}
