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

// nim is a game with turns of two moves. A turn takes one to three stones from a pile:
// first one or two, then none or one more. The side that takes the last stone wins. A
// pile divisible by four at the start of a turn is lost.
type nim struct {
	engine.Defaults

	nimState
	past []nimState
}

type nimState struct {
	pile int
	turn engine.Side
	open bool // the second move of the turn is next
}

func newNim(pile int) *nim { return &nim{nimState: nimState{pile: pile}} }

func (n *nim) Reset()                          { *n = *newNim(21) }
func (n *nim) Set(string) error                { return errors.New("nim: Set is not supported") }
func (n *nim) String() string                  { return fmt.Sprint(n.pile, n.turn, n.open) }
func (n *nim) Turn() engine.Side               { return n.turn }
func (n *nim) FormatMove(m engine.Move) string { return fmt.Sprint(m) }
func (n *nim) ParseMove(string) (m engine.Move, e error) {
	return 0, errors.New("nim: ParseMove is not supported")
}

// Moves lists the numbers of stones to take.
func (n *nim) Moves(dst []engine.Move) []engine.Move {
	switch {
	case n.pile == 0:
		return dst
	case n.open:
		return append(dst, 0, 1)
	case n.pile == 1:
		return append(dst, 1)
	}
	return append(dst, 1, 2)
}

func (n *nim) Do(m engine.Move) {
	n.past = append(n.past, n.nimState)
	n.pile -= int(m)
	if n.open {
		n.turn = n.turn.Other()
	}
	n.open = !n.open
}

func (n *nim) Undo() {
	last := len(n.past) - 1
	n.nimState, n.past = n.past[last], n.past[:last]
}

func (n *nim) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if n.pile == 0 {
		return 0, false
	}
	var buffer [2]engine.Move
	moves := n.Moves(buffer[:0])
	m := moves[engine.Below(src, uint32(len(moves)))]
	n.Do(m)
	return m, true
}

// If the turn is open, the side to move took the last stone.
func (n *nim) Outcome() engine.Outcome {
	switch {
	case n.pile > 0:
		return engine.Ongoing
	case n.open:
		return engine.Outcome{Result: engine.Win(n.turn), Reason: engine.Goal}
	}
	return engine.Outcome{Result: engine.Win(n.turn.Other()), Reason: engine.Goal}
}

func (n *nim) Hash() uint64 {
	h := uint64(n.pile)<<2 | uint64(n.turn)<<1
	if n.open {
		h |= 1
	}
	return engine.Mix(h)
}

func (n *nim) Evaluate() int                            { return 0 }
func (n *nim) Over() bool                               { return n.pile == 0 }
func (n *nim) Captures(dst []engine.Move) []engine.Move { return dst }
func (n *nim) Gain(engine.Move) int                     { return 0 }
func (n *nim) Legal(m engine.Move) bool                 { return slices.Contains(n.Moves(nil), m) }

var _ engine.Evaluator = (*nim)(nil)

// isWinning reports whether a move keeps the win: the turn must leave a multiple of
// four.
func isWinning(n *nim, m engine.Move) bool {
	rest := n.pile - int(m)
	if n.open || rest == 0 {
		return rest%4 == 0
	}
	return rest%4 == 0 || rest%4 == 1 // the second move may take one more
}

// Scores have the right sign although a turn has two moves and the game may end between
// them.
func TestAlphaBetaSolvesNim(t *testing.T) {
	s := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 20, Exact: true})
	withTable := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 20, Hash: 1})
	for pile := 1; pile <= 14; pile++ {
		for _, turn := range []engine.Side{engine.First, engine.Second} {
			n := newNim(pile)
			n.turn = turn
			for _, r := range []search.Result{clone(s.Search(n, nil)), clone(withTable.Search(n, nil))} {
				won := pile%4 != 0
				if won != (r.Score > engine.MaxStatic) || won == (r.Score < -engine.MaxStatic) {
					t.Errorf("pile %d: score %d, won %t", pile, r.Score, won)
				}
				if won && !isWinning(n, r.Moves[0].Move) {
					t.Errorf("pile %d: takes %d, which does not win", pile, r.Moves[0].Move)
				}
			}
		}
	}
}

// All static scores are 0: MCTS finds the winning moves of a turn from the ends of the
// game alone.
func TestMCTSSolvesNim(t *testing.T) {
	for name, o := range map[string]search.MCTSOptions{
		"static leaves":  {Sims: 4000},
		"rollout leaves": {Sims: 4000, Rollout: 30},
		"noise":          {Sims: 4000, Noise: 250},
		"static priors":  {Sims: 4000, Priors: search.PriorStatic},
	} {
		s := search.NewMCTS(o)
		for pile := 2; pile <= 13; pile++ {
			for _, turn := range []engine.Side{engine.First, engine.Second} {
				n := newNim(pile)
				n.turn = turn
				for n.turn == turn && n.pile > 0 && (pile%4 != 0) {
					r := s.Search(n, source(3))
					if m := r.Moves[0].Move; !isWinning(n, m) {
						t.Errorf("%s, pile %s: takes %d with score %d, which does not win", name, n, m, r.Score)
					}
					n.Do(r.Moves[0].Move)
				}
			}
		}
	}
}
