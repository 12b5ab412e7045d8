package chess_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// cap of a random game in the benchmarks; most end before.
const benchPlies = 1000

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// BenchmarkRandomPlay plays whole games from the start by drawing alone.
func BenchmarkRandomPlay(b *testing.B) {
	p, src := chess.New(), rand.NewPCG(0, 0)
	plies := 0
	b.ReportAllocs()
	for game := uint64(1); b.Loop(); game++ {
		src.Seed(game, 0)
		plies += playOut(p, src, nil)
	}
	perSecond(b, plies, "plies/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
}

// playOut plays one game from the start; look, if any, sees every position.
func playOut(p *chess.Position, src *rand.PCG, look func()) (plies int) {
	p.Reset()
	for ; plies < benchPlies; plies++ {
		if look != nil {
			look()
		}
		if _, ok := p.Random(src); !ok {
			break
		}
	}
	return plies
}

// benchAsked plays games with and without asking something of every position,
// which costs the difference.
func benchAsked(b *testing.B, ask func(p *chess.Position)) {
	p, src := chess.New(), rand.NewPCG(0, 0)
	positions := 0
	play := func(game uint64, look func()) time.Duration {
		src.Seed(game, 0)
		begin := time.Now()
		playOut(p, src, look)
		return time.Since(begin)
	}
	var cost time.Duration
	b.ReportAllocs()
	for game := uint64(1); b.Loop(); game++ {
		cost -= play(game, nil)
		cost += play(game, func() {
			ask(p)
			positions++
		})
	}
	b.ReportMetric(float64(positions)/cost.Seconds(), "positions/s")
	b.ReportMetric(float64(cost.Nanoseconds())/float64(positions), "ns/position")
}

// BenchmarkMoves lists the legal moves of every position of random games.
func BenchmarkMoves(b *testing.B) {
	list := make([]engine.Move, 0, 256)
	benchAsked(b, func(p *chess.Position) { list = p.Moves(list[:0]) })
}

// BenchmarkCount counts them.
func BenchmarkCount(b *testing.B) {
	benchAsked(b, func(p *chess.Position) { p.Count() })
}

// BenchmarkAppendCells writes the cells of every position.
func BenchmarkAppendCells(b *testing.B) {
	cells := make([]byte, 0, 64)
	benchAsked(b, func(p *chess.Position) { cells = p.AppendCells(cells[:0]) })
}

// BenchmarkRepetitions looks for every position before.
func BenchmarkRepetitions(b *testing.B) {
	benchAsked(b, func(p *chess.Position) { p.Repetitions() })
}

// BenchmarkOutcome asks every position whether it is the last.
func BenchmarkOutcome(b *testing.B) {
	benchAsked(b, func(p *chess.Position) { p.Outcome() })
}

// BenchmarkPack replays games by their steps.
func BenchmarkPack(b *testing.B) {
	p, src := chess.New(), rand.NewPCG(1, 0)
	var steps []chess.Step
	for m, ok := p.Random(src); ok; m, ok = p.Random(src) {
		steps = append(steps, chess.Unpack(m))
	}
	packed := 0
	b.ReportAllocs()
	for b.Loop() {
		p.Reset()
		for _, s := range steps {
			m, err := p.Pack(s)
			if err != nil {
				b.Fatal(err)
			}
			p.Do(m)
		}
		packed += len(steps)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(packed), "ns/ply")
}

// BenchmarkPerftBulk counts the last ply without playing it.
func BenchmarkPerftBulk(b *testing.B) { benchPerft(b, engine.Perft) }

// BenchmarkPerftList lists the last ply to count it.
func BenchmarkPerftList(b *testing.B) {
	benchPerft(b, func(p engine.Position, depth int) uint64 { return engine.Perft(lister{p}, depth) })
}

// BenchmarkPerftLeaf plays and takes back the last ply too.
func BenchmarkPerftLeaf(b *testing.B) { benchPerft(b, engine.PerftLeaf) }

func benchPerft(b *testing.B, count func(engine.Position, int) uint64) {
	for _, c := range []struct {
		name, text string
		depth      int
	}{{"start5", chess.StartText, 5}, {"kiwipete4", kiwipete, 4}} {
		b.Run(c.name, func(b *testing.B) {
			p, nodes := at(b, c.text), uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				nodes += count(p, c.depth)
			}
			perSecond(b, int(nodes), "nodes/s")
		})
	}
}

func perSecond(b *testing.B, n int, unit string) {
	b.Helper()
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), unit)
}
