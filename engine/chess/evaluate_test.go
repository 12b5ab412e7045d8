package chess_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

var update = flag.Bool("update", false, "rewrite the golden file; changed scores are a new version of every player that searches")

// everyPosition shows the positions of random games and of testdata.
func everyPosition(t testing.TB, games int, look func(p *chess.Position)) {
	t.Helper()
	p, src := chess.New(), rand.NewPCG(11, 12)
	for range games {
		p.Reset()
		for ok := true; ok; _, ok = p.DoRandom(src) {
			look(p)
		}
	}
	for _, text := range perftTexts(t) {
		look(at(t, text))
	}
}

// TestCaptures: they are those listed moves that take or promote.
func TestCaptures(t *testing.T) {
	loud := 0
	everyPosition(t, 100, func(p *chess.Position) {
		var want []string
		before := countPieces(p)
		for _, m := range p.Moves(nil) {
			p.Do(m)
			promotes := chess.Unpack(m).Promotion != 0
			took := countPieces(p) < before
			p.Undo()
			if took || promotes {
				want = append(want, p.FormatMove(m))
			}
		}
		var got []string
		for _, m := range p.Captures(nil) {
			got = append(got, p.FormatMove(m))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: captures %q, want %q", p, got, want)
		}
		loud += len(want)
	})
	enginetest.AtLeast(t, loud, 20_000)
}

func countPieces(p *chess.Position) (n int) {
	for _, code := range p.AppendCells(nil) {
		if code != 0 {
			n++
		}
	}
	return n
}

// TestEvaluateIsTheSameForBothSides: the mirrored position has the same score.
func TestEvaluateIsTheSameForBothSides(t *testing.T) {
	q := chess.New()
	everyPosition(t, 30, func(p *chess.Position) {
		if err := q.Set(mirrorText(p.String())); err != nil {
			t.Fatal(err)
		}
		if p.Evaluate() != q.Evaluate() {
			t.Fatalf("%s is worth %d, its mirror %d", p, p.Evaluate(), q.Evaluate())
		}
	})
}

// TestEvaluateLooksAtTheText: a position is worth what its text is worth, and Over
// agrees with Outcome.
func TestEvaluateLooksAtTheText(t *testing.T) {
	q := chess.New()
	everyPosition(t, 30, func(p *chess.Position) {
		if err := q.Set(p.String()); err != nil {
			t.Fatal(err)
		}
		if p.Evaluate() != q.Evaluate() {
			t.Fatalf("%s is worth %d as played, %d as read", p, p.Evaluate(), q.Evaluate())
		}
		if over := p.Outcome() != engine.Ongoing; over != (p.Over() || p.Count() == 0) {
			t.Fatalf("%s: over %t, outcome %v", p, p.Over(), p.Outcome())
		}
	})
	for _, text := range []string{"QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/5q2/K6k w - - 0 1"} {
		if err := q.Set(text); err == nil && max(q.Evaluate(), -q.Evaluate()) > engine.MaxStatic {
			t.Errorf("%s is worth %d", text, q.Evaluate())
		}
	}
}

func TestEvaluatePrefers(t *testing.T) {
	for _, c := range []struct{ name, better, worse string }{
		{"a queen to a rook", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"},
		{"a knight in the centre", "4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1"},
		{"a pawn far ahead", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"},
		{"two bishops", "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "4k3/8/8/8/8/8/8/2B1KN2 w - - 0 1"},
		{"a king at home in the opening", "rnbq1rk1/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQ1RK1 w - - 0 1", "rnbq1rk1/pppp1ppp/8/8/4K3/8/PPPP1PPP/RNBQ1R2 w - - 0 1"},
		{"a king in the centre in the end", "8/p3k3/8/8/4K3/8/P7/8 w - - 0 1", "8/p3k3/8/8/8/8/P7/6K1 w - - 0 1"},
	} {
		if b, w := at(t, c.better).Evaluate(), at(t, c.worse).Evaluate(); b <= w {
			t.Errorf("%s: %d, not better than %d", c.name, b, w)
		}
	}
}

// TestEvaluateIsFrozen pins scores that datasets depend on.
func TestEvaluateIsFrozen(t *testing.T) {
	var b strings.Builder
	for _, text := range perftTexts(t) {
		p := at(t, text)
		gains := 0
		for _, m := range p.Moves(nil) {
			gains += p.Gain(m)
		}
		fmt.Fprintf(&b, "%6d %6d %s\n", p.Evaluate(), gains, text)
	}
	const name = "testdata/scores.txt"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || string(want) != b.String() {
		t.Errorf("error %v; scores changed: that is a new version of every player that searches", err)
	}
}

// BenchmarkEvaluate scores every position of random games.
func BenchmarkEvaluate(b *testing.B) { benchAsked(b, func(p *chess.Position) { p.Evaluate() }) }

// BenchmarkCaptures lists the captures there.
func BenchmarkCaptures(b *testing.B) {
	list := make([]engine.Move, 0, 256)
	benchAsked(b, func(p *chess.Position) { list = p.Captures(list[:0]) })
}
