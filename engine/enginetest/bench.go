package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"selfplay/engine"
)

// Draw plays a random move and reports whether there was one.
type Draw func(p engine.Position, src *rand.PCG) bool

// Uniform draws with DoRandom.
func Uniform(p engine.Position, src *rand.PCG) bool { return draw(p, src) }

// BenchPlay plays random games of g from the start and reports plies/s and ns/ply.
func BenchPlay(b *testing.B, g engine.Game, draw Draw) {
	p, src := g.New(""), rand.NewPCG(0, 0)
	plies := 0
	b.ReportAllocs()
	for game := uint64(1); b.Loop(); game++ {
		src.Seed(game, 0)
		plies += PlayOut(p, src, draw, g.MaxPlies, nil)
	}
	PerSecond(b, plies, "plies/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
}

// BenchPositions measures query on every position of random games and reports
// positions/s and ns/position. It plays each game twice, without and with query, and
// reports the difference. It returns the number of positions.
func BenchPositions[P engine.Position](b *testing.B, g engine.Game, draw Draw, query func(p P)) (positions int) {
	b.Helper()
	p, src := g.New("").(P), rand.NewPCG(0, 0)
	play := func(game uint64, visit func()) time.Duration {
		src.Seed(game, 0)
		begin := time.Now()
		PlayOut(p, src, draw, g.MaxPlies, visit)
		return time.Since(begin)
	}
	var cost time.Duration
	b.ReportAllocs()
	for game := uint64(1); b.Loop(); game++ {
		cost -= play(game, func() { positions++ })
		cost += play(game, func() { query(p) })
	}
	b.ReportMetric(float64(positions)/cost.Seconds(), "positions/s")
	b.ReportMetric(float64(cost.Nanoseconds())/float64(positions), "ns/position")
	return positions
}

// PlayOut plays one game from the start, of at most limit plies, and returns its
// length. It calls visit, if not nil, at every position before it draws.
func PlayOut(p engine.Position, src *rand.PCG, draw Draw, limit int, visit func()) (plies int) {
	p.Reset()
	for ; plies < limit; plies++ {
		if visit != nil {
			visit()
		}
		if !draw(p, src) {
			break
		}
	}
	return plies
}

// BenchPerft measures count, either engine.Perft or engine.PerftLeaf, from p and reports
// nodes/s.
func BenchPerft(b *testing.B, p engine.Position, depth int, count func(engine.Position, int) uint64) {
	nodes := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		nodes += count(p, depth)
	}
	PerSecond(b, int(nodes), "nodes/s")
}

// PerSecond reports n divided by the elapsed time as a metric.
func PerSecond(b *testing.B, n int, unit string) {
	b.Helper()
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), unit)
}

// FuzzText fuzzes Set in all variants. No text may make it panic. A valid text must
// have a canonical form that reads back as itself with the same hash and moves, and so
// must every successor. An invalid text must be rejected with a complete *TextError and
// change nothing.
func FuzzText(f *testing.F, g engine.Game, seeds []string) {
	for _, text := range seeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, variant := range (Suite{Game: g}).variants() {
			v := &visit{p: g.New(variant), fresh: g.New(variant)}
			if err := v.checkAnyText(text); err != nil {
				t.Errorf("variant %q, %q: %v", variant, v.p, err)
			}
		}
	})
}

// checkAnyText sets the position to a text and checks what follows from that.
func (v *visit) checkAnyText(text string) error {
	before := newSnapshot(v.p)
	if err := v.p.Set(text); err != nil {
		return errors.Join(checkTextError(err), before.compare(v.p))
	}
	if err := errors.Join(textRoundTrips(v), textIsMarkov(v), countIsLength(v), leafScoresAt(v), captureListsAgree(v)); err != nil {
		return err
	}
	read := newSnapshot(v.p)
	for _, m := range read.list {
		v.p.Do(m)
		err := textRoundTrips(v)
		v.p.Undo()
		if err != nil {
			return fmt.Errorf("after move %#x: %w", m, err)
		}
	}
	return read.compare(v.p)
}
