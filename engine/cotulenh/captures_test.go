package cotulenh_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// takes reports by its text whether a step takes something.
func takes(step string) bool { return strings.ContainsAny(step, "x_@") }

// checkCaptures compares Captures with what Moves lists and takes something.
func checkCaptures(m *misses, p *cotulenh.Position) {
	m.t.Helper()
	var want []engine.Move
	for _, move := range p.Moves(nil) {
		if takes(p.FormatMove(move)) {
			want = append(want, move)
		}
	}
	got := p.Captures([]engine.Move{7})
	if got[0] != 7 {
		m.addf("%s: Captures does not append", p)
	}
	got = slices.Clone(got[1:])
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		m.addf("%s: captures %v, want %v", p, texts(p, got), texts(p, want))
	}
}

func texts(p *cotulenh.Position, list []engine.Move) (out []string) {
	for _, m := range list {
		out = append(out, p.FormatMove(m))
	}
	return out
}

// TestCaptures: in every state and all along random games Captures lists what
// takes something, each once, and nothing else.
func TestCaptures(t *testing.T) {
	list := states(t)
	shares(t, list, func(m *misses, share []state) {
		p := cotulenh.New()
		for _, s := range share {
			if err := p.Set(s.Position); err != nil {
				m.addf("%s: %v", s.Position, err)
				continue
			}
			checkCaptures(m, p)
		}
	})
	m, p, src, seen := &misses{t: t}, cotulenh.New(), rand.NewPCG(1, 0), 0
	for range 40 {
		playOut(p, src, func() {
			checkCaptures(m, p)
			seen++
		})
	}
	m.report(seen)
	atLeast(t, seen, 5000)
}

// BenchmarkCaptures lists the captures of every position of random games.
func BenchmarkCaptures(b *testing.B) {
	list, found := make([]engine.Move, 0, 256), 0
	positions := benchLook(b, func(p *cotulenh.Position) {
		list = p.Captures(list[:0])
		found += len(list)
	})
	b.ReportMetric(float64(found)/float64(positions), "captures/position")
}

// benchLook reports what look costs at the positions of random games, each of
// which is played with and without looking.
func benchLook(b *testing.B, look func(*cotulenh.Position)) (positions int) {
	b.Helper()
	p, src := cotulenh.New(), rand.NewPCG(0, 0)
	play := func(game uint64, look func()) time.Duration {
		src.Seed(game, 0)
		begin := time.Now()
		playOut(p, src, look)
		return time.Since(begin)
	}
	var cost time.Duration
	b.ReportAllocs()
	for game := uint64(1); b.Loop(); game++ {
		cost -= play(game, func() { positions++ })
		cost += play(game, func() { look(p) })
	}
	b.ReportMetric(float64(cost.Nanoseconds())/float64(positions), "ns/position")
	return positions
}
