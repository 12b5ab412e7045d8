package contrast_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// tileSampler draws with RandomTile at the given probability.
func tileSampler(probability engine.Fraction) enginetest.Draw {
	return func(p engine.Position, src *rand.PCG) bool {
		_, ok := p.(*contrast.Position).RandomTile(src, probability)
		return ok
	}
}

// playOut plays one game from the start and calls look at every position.
func playOut(p *contrast.Position, src *rand.PCG, draw enginetest.Draw, look func()) (plies int) {
	return enginetest.PlayOut(p, src, draw, contrast.Game().MaxPlies, look)
}

func BenchmarkRandomPlay(b *testing.B) {
	enginetest.BenchPlay(b, contrast.Game(), enginetest.Uniform)
}

func BenchmarkRandomTile(b *testing.B) { enginetest.BenchPlay(b, contrast.Game(), tileSampler(250)) }

// benchPositions measures query on every position of games with the default sampler and
// returns the number of positions.
func benchPositions(b *testing.B, query func(*contrast.Position)) (positions int) {
	b.Helper()
	return enginetest.BenchPositions(b, contrast.Game(), tileSampler(250), query)
}

// BenchmarkMoves lists the legal moves of each position.
func BenchmarkMoves(b *testing.B) {
	list, moves := make([]engine.Move, 0, 1024), 0
	positions := benchPositions(b, func(p *contrast.Position) {
		list = p.Moves(list[:0])
		moves += len(list)
	})
	b.ReportMetric(float64(moves)/float64(positions), "moves/position")
}

func BenchmarkCount(b *testing.B) {
	moves := 0
	benchPositions(b, func(p *contrast.Position) { moves += p.Count() })
}

func BenchmarkOutcome(b *testing.B) {
	over := 0
	benchPositions(b, func(p *contrast.Position) {
		if p.Outcome() != engine.Ongoing {
			over++
		}
	})
}

// BenchmarkArray copies the array of each position.
func BenchmarkArray(b *testing.B) {
	var array []byte
	benchPositions(b, func(p *contrast.Position) { array = p.AppendArray(array[:0]) })
}

// BenchmarkPack unpacks and packs one move per position.
func BenchmarkPack(b *testing.B) {
	type sample struct {
		p    *contrast.Position
		move engine.Move
	}
	var samples []sample
	for i, s := range states(b) {
		if p := at(b, s.text()); i%10 == 0 && !s.Terminal {
			samples = append(samples, sample{p, p.Moves(nil)[s.N/2]})
		}
	}
	packed := 0
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range samples {
			if m, err := s.p.Pack(contrast.Unpack(s.move)); err != nil || m != s.move {
				b.Fatal(m, err)
			}
		}
		packed += len(samples)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(packed), "ns/move")
}

// BenchmarkPerftBulk counts the moves of the last ply with Count.
func BenchmarkPerftBulk(b *testing.B) { benchPerft(b, engine.Perft) }

// BenchmarkPerftLeaf plays and undoes the moves of the last ply.
func BenchmarkPerftLeaf(b *testing.B) { benchPerft(b, engine.PerftLeaf) }

func benchPerft(b *testing.B, count func(engine.Position, int) uint64) {
	enginetest.BenchPerft(b, contrast.New(), 3, count)
}
