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

// paths is a game on a few places. To come to a place again is a draw.
type paths struct {
	ways   map[byte]string // where to from a place
	scores map[byte]int    // static, as First sees it
	reason engine.Reason   // of the draw
	past   []byte
}

func (g *paths) at() byte         { return g.past[len(g.past)-1] }
func (g *paths) Reset()           { g.past = g.past[:1] }
func (g *paths) Set(string) error { return errors.New("paths are not read") }
func (g *paths) ParseMove(string) (m engine.Move, e error) {
	return 0, errors.New("paths are not read")
}
func (g *paths) String() string                           { return string(g.past) }
func (g *paths) FormatMove(m engine.Move) string          { return fmt.Sprintf("%c", m) }
func (g *paths) Check() bool                              { return false }
func (g *paths) Captures(dst []engine.Move) []engine.Move { return dst }
func (g *paths) Gain(engine.Move) int                     { return 0 }
func (g *paths) Legal(m engine.Move) bool                 { return slices.Contains(g.Moves(nil), m) }
func (g *paths) DoRandom(*rand.PCG) (engine.Move, bool)   { panic("paths are not drawn") }
func (g *paths) Do(m engine.Move)                         { g.past = append(g.past, byte(m)) }
func (g *paths) Undo()                                    { g.past = g.past[:len(g.past)-1] }
func (g *paths) Turn() engine.Side                        { return engine.Side(len(g.past)+1) & 1 }
func (g *paths) Hash() uint64                             { return engine.Mix(uint64(g.at())) }

func (g *paths) Moves(dst []engine.Move) []engine.Move {
	for _, to := range []byte(g.ways[g.at()]) {
		dst = append(dst, engine.Move(to))
	}
	return dst
}

func (g *paths) Over() bool {
	for _, place := range g.past[:len(g.past)-1] {
		if place == g.at() {
			return true
		}
	}
	return false
}

func (g *paths) Outcome() engine.Outcome {
	if g.Over() {
		return engine.Outcome{Result: engine.Draw, Reason: g.reason}
	}
	return engine.Ongoing
}

func (g *paths) Evaluate() int {
	if g.Turn() == engine.First {
		return g.scores[g.at()]
	}
	return -g.scores[g.at()]
}

// TestTaint: a draw by what came before must not be remembered as the value of a
// place. From r both ways lead to x, and from x it goes on to a. Who came by a is
// there for the second time; who came by b is not, and wins 300. If the table
// remembered x as the draw that it is by a, then r would be a draw.
func TestTaint(t *testing.T) {
	for reason, want := range map[engine.Reason]int{
		engine.Repetition: 300,
		engine.Fifty:      300,
		engine.Material:   0, // no matter how one came there: the table may serve, and this shows that it does
	} {
		for _, off := range []search.Feature{0, search.Scout | search.Aspiration} {
			g := &paths{
				ways:   map[byte]string{'r': "ab", 'a': "x", 'b': "x", 'x': "a"},
				scores: map[byte]int{'a': 300},
				reason: reason,
				past:   []byte("r"),
			}
			a := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 3, Hash: 1, Off: off}).Search(g, nil)
			if a.Score != want || a.Depth != 3 {
				t.Errorf("draw by %s, without %d: score %d at depth %d, want %d at 3", reason, off, a.Score, a.Depth, want)
			}
		}
	}
}
