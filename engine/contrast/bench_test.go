package contrast_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"selfplay/engine"
	"selfplay/engine/contrast"
)

// cap of a random game in the benchmarks; nearly all end before.
const benchPlies = 500

// dice is a way to draw a move.
type dice func(p *contrast.Position, src *rand.PCG) bool

func uniformDice(p *contrast.Position, src *rand.PCG) bool {
	_, ok := p.Random(src)
	return ok
}

// tileDice lays a tile with the given share of the moves.
func tileDice(share engine.Share) dice {
	return func(p *contrast.Position, src *rand.PCG) bool {
		_, ok := p.RandomTile(src, share)
		return ok
	}
}

// BenchmarkRandomPlay plays whole games from the start by uniform draws alone.
func BenchmarkRandomPlay(b *testing.B) { benchPlay(b, uniformDice) }

// BenchmarkRandomTile plays them with the default dice.
func BenchmarkRandomTile(b *testing.B) { benchPlay(b, tileDice(250)) }

func benchPlay(b *testing.B, draw dice) {
	p, src := contrast.New(), rand.NewPCG(0, 0)
	plies := 0
	b.ReportAllocs()
	for game := uint64(1); b.Loop(); game++ {
		src.Seed(game, 0)
		plies += playOut(p, src, draw, nil)
	}
	perSecond(b, plies, "plies/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
}

// playOut plays one game from the start; look, if any, sees every position.
func playOut(p *contrast.Position, src *rand.PCG, draw dice, look func()) (plies int) {
	p.Reset()
	for ; plies < benchPlies; plies++ {
		if look != nil {
			look()
		}
		if !draw(p, src) {
			break
		}
	}
	return plies
}

// BenchmarkMoves lists all legal moves of every position of random games. Each
// game is played with and without the lists; they cost the difference.
func BenchmarkMoves(b *testing.B) {
	list := make([]engine.Move, 0, 1024)
	moves := 0
	positions, cost := benchLook(b, func(p *contrast.Position) {
		list = p.Moves(list[:0])
		moves += len(list)
	})
	b.ReportMetric(float64(moves)/float64(positions), "moves/position")
	b.ReportMetric(float64(cost.Nanoseconds())/float64(moves), "ns/move")
}

// BenchmarkCount counts the moves of the same positions.
func BenchmarkCount(b *testing.B) {
	moves := 0
	benchLook(b, func(p *contrast.Position) { moves += p.Count() })
}

// BenchmarkOutcome looks for the end of the game at each of them.
func BenchmarkOutcome(b *testing.B) {
	over := 0
	benchLook(b, func(p *contrast.Position) {
		if p.Outcome() != engine.Ongoing {
			over++
		}
	})
}

// BenchmarkArray copies the array of each of them.
func BenchmarkArray(b *testing.B) {
	var array []byte
	benchLook(b, func(p *contrast.Position) { array = p.AppendArray(array[:0]) })
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

// benchLook reports what look costs at the positions of games with the default
// dice, and returns how many they are and the whole cost.
func benchLook(b *testing.B, look func(*contrast.Position)) (positions int, cost time.Duration) {
	b.Helper()
	p, src, draw := contrast.New(), rand.NewPCG(0, 0), tileDice(250)
	play := func(game uint64, look func()) time.Duration {
		src.Seed(game, 0)
		begin := time.Now()
		playOut(p, src, draw, look)
		return time.Since(begin)
	}
	nothing := func() { positions++ }
	something := func() { look(p) }
	b.ReportAllocs()
	for game := uint64(1); b.Loop(); game++ {
		cost -= play(game, nothing)
		cost += play(game, something)
	}
	b.ReportMetric(float64(cost.Nanoseconds())/float64(positions), "ns/position")
	return positions, cost
}

// BenchmarkPerftBulk counts the last ply by formula.
func BenchmarkPerftBulk(b *testing.B) { benchPerft(b, engine.Perft) }

// BenchmarkPerftLeaf plays and takes back the last ply too.
func BenchmarkPerftLeaf(b *testing.B) { benchPerft(b, engine.PerftLeaf) }

func benchPerft(b *testing.B, count func(engine.Position, int) uint64) {
	p, nodes := contrast.New(), uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		nodes += count(p, 3)
	}
	perSecond(b, int(nodes), "nodes/s")
}

func perSecond(b *testing.B, n int, unit string) {
	b.Helper()
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), unit)
}
