package contrast_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// tileDice lays a tile with the given share of the moves.
func tileDice(share engine.Fraction) enginetest.Draw {
	return func(p engine.Position, src *rand.PCG) bool {
		_, ok := p.(*contrast.Position).RandomTile(src, share)
		return ok
	}
}

// playOut plays one game from where the game starts; look sees every position.
func playOut(p *contrast.Position, src *rand.PCG, draw enginetest.Draw, look func()) (plies int) {
	return enginetest.PlayOut(p, src, draw, contrast.Game().MaxPlies, look)
}

// BenchmarkRandomPlay plays whole games from the start by uniform draws alone.
func BenchmarkRandomPlay(b *testing.B) {
	enginetest.BenchPlay(b, contrast.Game(), enginetest.Uniform)
}

// BenchmarkRandomTile plays them with the default dice.
func BenchmarkRandomTile(b *testing.B) { enginetest.BenchPlay(b, contrast.Game(), tileDice(250)) }

// benchAsked reports what it costs to ask something of every position of games with
// the default dice, and returns how many there were.
func benchAsked(b *testing.B, ask func(*contrast.Position)) (positions int) {
	b.Helper()
	return enginetest.BenchAsk(b, contrast.Game(), tileDice(250), ask)
}

// BenchmarkMoves lists all legal moves there.
func BenchmarkMoves(b *testing.B) {
	list, moves := make([]engine.Move, 0, 1024), 0
	positions := benchAsked(b, func(p *contrast.Position) {
		list = p.Moves(list[:0])
		moves += len(list)
	})
	b.ReportMetric(float64(moves)/float64(positions), "moves/position")
}

// BenchmarkCount counts the moves of the same positions.
func BenchmarkCount(b *testing.B) {
	moves := 0
	benchAsked(b, func(p *contrast.Position) { moves += p.Count() })
}

// BenchmarkOutcome looks for the end of the game at each of them.
func BenchmarkOutcome(b *testing.B) {
	over := 0
	benchAsked(b, func(p *contrast.Position) {
		if p.Outcome() != engine.Ongoing {
			over++
		}
	})
}

// BenchmarkArray copies the array of each of them.
func BenchmarkArray(b *testing.B) {
	var array []byte
	benchAsked(b, func(p *contrast.Position) { array = p.AppendArray(array[:0]) })
}

// BenchmarkPack takes moves apart and puts them together, one a position.
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

// BenchmarkPerftBulk counts the last ply by formula.
func BenchmarkPerftBulk(b *testing.B) { benchPerft(b, engine.Perft) }

// BenchmarkPerftLeaf plays and takes back the last ply too.
func BenchmarkPerftLeaf(b *testing.B) { benchPerft(b, engine.PerftLeaf) }

func benchPerft(b *testing.B, count func(engine.Position, int) uint64) {
	enginetest.BenchPerft(b, contrast.New(), 3, count)
}
