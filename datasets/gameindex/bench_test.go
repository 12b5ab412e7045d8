package gameindex

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// The benchmarks of queries use an index of random games. Those of Open and Find use a dataset:
//
//	go test ./datasets/gameindex -run '^$' -bench . -dataset DIR
var benchDataset = flag.String("dataset", "", "`DIR` of the dataset of benchmarks")

// benchGames is the number of games of the index of random games, in shards of 10,000.
const benchGames = 10_000_000

// randomState returns a state of random games.
func randomState() *state {
	src := rand.New(rand.NewPCG(1, 2))
	var shards []*shard
	for i := range benchGames / 10_000 {
		s := newShard(&record.Commit{Shard: i, FirstGame: uint64(i) * 10_000, Games: 10_000})
		for row := range s.result {
			s.result[row], s.reason[row] = uint8(src.IntN(4)), uint8(src.IntN(int(engine.PlyLimit)+1))
			s.plies[row], s.drop[row], s.dropPly[row] = uint16(20+src.IntN(200)), uint16(src.IntN(10_001)), uint16(src.IntN(200))
			s.lead[0][row], s.lead[1][row] = uint16(src.IntN(3000)), uint16(src.IntN(3000))
			s.players[row] = uint32(src.IntN(9))
			for ply := range s.opening {
				s.opening[ply][row] = uint16(src.IntN(20))
			}
		}
		shards = append(shards, s)
	}
	n := newNumbering(players{})
	for a := range 3 {
		for b := range 3 {
			n.number(fmt.Appendf(nil, "ab:depth=%d", a), fmt.Appendf(nil, "ab:depth=%d", b))
		}
	}
	return newState(shards, n.players)
}

// BenchmarkQueries: each is one view of a page of games.
func BenchmarkQueries(b *testing.B) {
	ix := new(Index)
	ix.state.Store(randomState())
	for _, c := range []struct {
		name   string
		filter Filter
		order  Order
	}{
		{"all", Filter{}, Order{}},
		{"result by plies", Filter{Results: []engine.Result{engine.FirstWins}}, Order{By: Plies, Descending: true}},
		{"drop by drop", Filter{Drop: &Range{3000, 10_000}}, Order{By: Drop, Descending: true}},
		{"player by player", Filter{Player: "ab:depth=1"}, Order{By: PlayerSecond}},
		{"opening", Filter{Opening: []uint16{3, 7, 4}}, Order{By: DropPly}},
		{"six conditions", Filter{
			Results: []engine.Result{engine.FirstWins, engine.Draw}, Reasons: []engine.Reason{engine.Goal, engine.Checkmate, engine.Repetition},
			Plies: &Range{40, 120}, Drop: &Range{100, 9000}, Players: [2]string{"ab:depth=1", ""}, Opening: []uint16{3},
		}, Order{By: Plies}},
	} {
		b.Run("select and page/"+c.name, func(b *testing.B) {
			for b.Loop() {
				sel := selected(b, ix, c.filter)
				must.Get(sel.Page(context.Background(), c.order, sel.Total()/2, 200))(b)
			}
		})
		b.Run("with 8 histograms/"+c.name, func(b *testing.B) {
			for b.Loop() {
				sel := selected(b, ix, c.filter)
				for column := range Columns() {
					must.Get(sel.Histogram(context.Background(), Column(column), 40))(b)
				}
			}
		})
	}
	b.Run("continuations", func(b *testing.B) {
		for b.Loop() {
			must.Get(selected(b, ix, Filter{Opening: []uint16{3}}).Continuations(context.Background(), 20))(b)
		}
	})
}

// benchCache makes the index of the dataset of benchmarks in a folder.
func benchCache(b *testing.B) string {
	b.Helper()
	if *benchDataset == "" {
		b.Skip("no -dataset")
	}
	cache := filepath.Join(b.TempDir(), "cache")
	must.Do(b, updated(b, *benchDataset, cache).Close())
	return cache
}

// BenchmarkOpen opens a dataset with its index, and looks for new shards.
func BenchmarkOpen(b *testing.B) {
	cache := benchCache(b)
	for b.Loop() {
		ix := must.Get(Open(encode.Games(), *benchDataset, cache))(b)
		if st := ix.Status(); st.Indexed < st.Shards {
			b.Fatalf("%+v", st)
		}
		b.ReportMetric(float64(ix.Status().Games), "games")
	}
}

// BenchmarkUpdate looks for new shards in a dataset that has none, as a server does every few
// seconds.
func BenchmarkUpdate(b *testing.B) {
	ix := must.Get(Open(encode.Games(), *benchDataset, benchCache(b)))(b)
	for b.Loop() {
		must.Do(b, ix.Update(context.Background()))
	}
}

// BenchmarkBuild reads all games of a dataset.
func BenchmarkBuild(b *testing.B) {
	if *benchDataset == "" {
		b.Skip("no -dataset")
	}
	games := uint64(0)
	for b.Loop() {
		games += updated(b, *benchDataset, "").Status().Games
	}
	b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
}

// benchTarget returns the position after six plies of the last game of the dataset of benchmarks.
func benchTarget(b *testing.B) (*Index, *Target) {
	b.Helper()
	ix := must.Get(Open(encode.Games(), *benchDataset, benchCache(b)))(b)
	g, ok := ix.Game(ix.Status().Games - 1)
	if !ok {
		b.Fatal("no last game")
	}
	pos := ix.Shape().Game.New(ix.Shape().Variant)
	must.Do(b, replay(&ix.Shape().Game, pos, &engine.Record{Actions: g.Opening}, func(int, engine.Move) bool { return true }))
	target := must.Get(ix.Position(pos.String()))(b)
	return ix, target
}

// BenchmarkFind looks for a position in all shards.
func BenchmarkFind(b *testing.B) {
	ix, target := benchTarget(b)
	for b.Loop() {
		f, err := ix.Find(context.Background(), Search{Target: target, Limit: 1000})
		if err != nil || f.Searched != f.Shards || len(f.Hits) == 0 || f.Failed != nil {
			b.Fatalf("%+v, %v", f, err)
		}
		b.ReportMetric(float64(len(f.Hits)), "hits")
	}
}

// BenchmarkFindASecond looks for a position for one second, again and again: how far it gets, and
// how long it really takes.
func BenchmarkFindASecond(b *testing.B) {
	ix, target := benchTarget(b)
	at, done, calls := "", 0, 0
	for b.Loop() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		f, err := ix.Find(ctx, Search{Target: target, Limit: 1000, Cursor: at})
		cancel()
		if err != nil || f.Failed != nil {
			b.Fatalf("%+v, %v", f, err)
		}
		at, done, calls = f.Next, f.Searched, calls+1
		if at == "" {
			calls = 0
		}
	}
	b.ReportMetric(float64(done)/float64(max(1, calls)), "shards/op")
}
