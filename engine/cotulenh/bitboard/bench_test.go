package bitboard_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/cotulenh/bitboard"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// The operations of docs/bitboards.md, on both engines and the same positions. Each is a
// benchmark; TestVerdict compares them in CPU time and prints the page's tables.

// player is what both engines have.
type player interface {
	engine.Evaluator
	AppendCells(dst []byte) []byte
	At(sq cotulenh.Square) cotulenh.Stack
	Attacked(side engine.Side) bool
}

// benchEngines are the engines to compare.
var benchEngines = []struct {
	name string
	game engine.Game
}{
	{"mailbox", cotulenh.Game()},
	{"bitboard", bitboard.Game()},
}

// An operation does some work on positions and returns how many units of it.
type operation struct {
	name, unit string
	run        func(list []player) (units int)
}

var (
	moveList = make([]engine.Move, 0, 1024)
	cells    = make([]byte, 0, 264)
)

// operations are done on the positions of random games.
var operations = []operation{
	{"list of legal steps", "list", perPosition(func(p player) { moveList = p.Moves(moveList[:0]) })},
	{"list of captures", "list", perPosition(func(p player) { moveList = p.Captures(moveList[:0]) })},
	{"attack test, both commanders", "position", perPosition(func(p player) { p.Attacked(0); p.Attacked(1) })},
	{"static score", "position", perPosition(func(p player) { p.Evaluate() })},
	{"outcome", "position", perPosition(func(p player) { p.Outcome() })},
	{"Do and Undo, every step", "step", playEach(func(player, engine.Move) bool { return true })},
	{"Do and Undo, steps of air defense", "step", playEach(movesProvider)},
	{"Do and Undo, other steps", "step", playEach(func(p player, m engine.Move) bool { return !movesProvider(p, m) })},
	{"cells of the dataset's array", "position", perPosition(func(p player) { cells = p.AppendCells(cells[:0]) })},
	{"random ply", "ply", randomPlies},
	{"perft from the start, depth 3, bulk", "node", func(list []player) int { return int(engine.Perft(fromStart(list), 3)) }},
	{"perft from the start, depth 2, played", "node", func(list []player) int { return int(engine.PerftLeaf(fromStart(list), 2)) }},
}

func perPosition(query func(p player)) func([]player) int {
	return func(list []player) int {
		for _, p := range list {
			query(p)
		}
		return len(list)
	}
}

// playEach plays the chosen steps of each position and takes them back.
func playEach(choose func(p player, m engine.Move) bool) func([]player) int {
	chosen := map[player][]engine.Move{}
	return func(list []player) (units int) {
		for _, p := range list {
			steps, known := chosen[p]
			if !known {
				steps = slices.DeleteFunc(p.Moves(nil), func(m engine.Move) bool { return !choose(p, m) })
				chosen[p] = steps
			}
			for _, m := range steps {
				p.Do(m)
				p.Undo()
			}
			units += len(steps)
		}
		return units
	}
}

// movesProvider reports whether a step moves a stack that provides air defense.
func movesProvider(p player, m engine.Move) bool {
	s := cotulenh.Unpack(m)
	return !s.Commit && cotulenh.AirDefense(p.At(s.From)) > 0
}

func randomPlies(list []player) (units int) {
	src := rand.NewPCG(1, 1)
	for range 10 {
		units += enginetest.PlayOut(list[0], src, enginetest.Uniform, 1000, nil)
	}
	return units
}

// fromStart returns a position at the start; the last of a list is kept for it.
func fromStart(list []player) player {
	p := list[len(list)-1]
	p.Reset()
	return p
}

// samplePositions returns the texts of positions of random games, every 20th ply.
func samplePositions() (texts []string) {
	p, src := cotulenh.New(), rand.NewPCG(7, 7)
	for range 6 {
		plies := 0
		enginetest.PlayOut(p, src, enginetest.Uniform, 1000, func() {
			if plies++; plies%20 == 1 {
				texts = append(texts, p.String())
			}
		})
	}
	return texts
}

// load returns a position of the game for each text, and two at the start that operations
// may change.
func load(tb testing.TB, g engine.Game, texts []string) (list []player) {
	tb.Helper()
	for _, text := range texts {
		p := g.New("").(player)
		must.Do(tb, p.Set(text))
		list = append(list, p)
	}
	return list
}

// BenchmarkOperations measures each operation on each engine.
func BenchmarkOperations(b *testing.B) {
	texts := samplePositions()
	for _, o := range operations {
		for _, e := range benchEngines {
			b.Run(o.name+"/"+e.name, func(b *testing.B) {
				list, units := load(b, e.game, texts), 0
				b.ReportAllocs()
				for b.Loop() {
					units += o.run(list)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(units), "ns/"+o.unit)
			})
		}
	}
}
