package search_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// graphGame is a game on the nodes of a graph. Reaching a node again is a draw.
type graphGame struct {
	engine.Defaults
	edges  map[byte]string // the successors of a node
	scores map[byte]int    // static scores from the view of First
	reason engine.Reason   // of the draw
	past   []byte          // visited nodes
}

func (g *graphGame) node() byte       { return g.past[len(g.past)-1] }
func (g *graphGame) Reset()           { g.past = g.past[:1] }
func (g *graphGame) Set(string) error { return errors.New("graph game: Set is not supported") }
func (g *graphGame) ParseMove(string) (m engine.Move, e error) {
	return 0, errors.New("graph game: ParseMove is not supported")
}
func (g *graphGame) String() string                           { return string(g.past) }
func (g *graphGame) FormatMove(m engine.Move) string          { return fmt.Sprintf("%c", m) }
func (g *graphGame) Captures(dst []engine.Move) []engine.Move { return dst }
func (g *graphGame) Gain(engine.Move) int                     { return 0 }
func (g *graphGame) Legal(m engine.Move) bool                 { return slices.Contains(g.Moves(nil), m) }
func (g *graphGame) DoRandom(*rand.PCG) (engine.Move, bool) {
	panic("graph game: DoRandom is not supported")
}
func (g *graphGame) Do(m engine.Move)  { g.past = append(g.past, byte(m)) }
func (g *graphGame) Undo()             { g.past = g.past[:len(g.past)-1] }
func (g *graphGame) Turn() engine.Side { return engine.Side(len(g.past)+1) & 1 }
func (g *graphGame) Hash() uint64      { return engine.Mix(uint64(g.node())) }

func (g *graphGame) Moves(dst []engine.Move) []engine.Move {
	for _, to := range []byte(g.edges[g.node()]) {
		dst = append(dst, engine.Move(to))
	}
	return dst
}

func (g *graphGame) Over() bool {
	for _, node := range g.past[:len(g.past)-1] {
		if node == g.node() {
			return true
		}
	}
	return false
}

func (g *graphGame) Outcome() engine.Outcome {
	if g.Over() {
		return engine.Outcome{Result: engine.Draw, Reason: g.reason}
	}
	return engine.Ongoing
}

func (g *graphGame) Evaluate() int {
	if g.Turn() == engine.First {
		return g.scores[g.node()]
	}
	return -g.scores[g.node()]
}

// A draw by repetition or clock holds on one path only, so its score must not enter the
// transposition table. From r both a and b lead to x, and x leads to a. After r-a-x the
// move to a is a draw. After r-b-x it is not, and the static score is 300. If the table
// kept x as a draw from the first path, r would be a draw too.
func TestPathDependentDrawsAreNotStored(t *testing.T) {
	for reason, want := range map[engine.Reason]int{
		engine.Repetition: 300,
		engine.Fifty:      300,
		engine.Material:   0, // storable: this case shows that the table is used here
	} {
		for _, off := range []search.Feature{0, search.Scout | search.Aspiration} {
			g := &graphGame{
				edges:  map[byte]string{'r': "ab", 'a': "x", 'b': "x", 'x': "a"},
				scores: map[byte]int{'a': 300},
				reason: reason,
				past:   []byte("r"),
			}
			r := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 3, Hash: 1, Off: off}).Search(g, nil)
			if r.Score != want || r.Depth != 3 {
				t.Errorf("draw by %s, features off %d: score %d at depth %d, want %d at depth 3", reason, off, r.Score, r.Depth, want)
			}
		}
	}
}
