package search_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// randomGame is a random game graph: a hash of the seed and the state decides moves,
// successors, scores and outcomes. It has everything that is difficult for a search:
// open turns that are not part of the hash, transpositions, checks and mates, games that
// end in an open turn, winning and losing captures and, if cyclic, repetitions.
type randomGame struct {
	engine.Defaults

	seed   uint64
	cyclic bool // states can repeat; the second occurrence is a draw
	state  randomGameState
	past   []randomGameState
}

type randomGameState struct {
	node  uint16
	age   uint8 // plies so far, always 0 in a cyclic game
	stock uint8 // captures left
	turn  engine.Side
}

const (
	randomGameNodes  = 24
	randomGameMaxAge = 60
)

func newRandomGame(seed uint64, cyclic bool) *randomGame {
	g := &randomGame{seed: seed, cyclic: cyclic}
	g.Reset()
	return g
}

func (g *randomGame) Reset() {
	g.past = g.past[:0]
	g.state = randomGameState{node: uint16(g.seed % randomGameNodes), stock: 4}
}

// random returns a pseudorandom number that depends on seed, state and purpose only.
func (g *randomGame) random(purpose uint64) uint64 {
	return engine.Mix(g.seed ^ g.Hash() ^ engine.Mix(purpose))
}

// The purposes of random.
const (
	purposeCount = iota
	purposeCheck
	purposeEnd
	purposeScore
	purposeMove // plus the move
)

func (g *randomGame) Set(string) error                { return errors.New("random game: Set is not supported") }
func (g *randomGame) String() string                  { return fmt.Sprint(g.state, g.past) }
func (g *randomGame) Turn() engine.Side               { return g.state.turn }
func (g *randomGame) FormatMove(m engine.Move) string { return fmt.Sprint(m) }
func (g *randomGame) ParseMove(string) (m engine.Move, e error) {
	return 0, errors.New("random game: ParseMove is not supported")
}

func (g *randomGame) Hash() uint64 {
	s := g.state
	return engine.Mix(uint64(s.node) | uint64(s.age)<<16 | uint64(s.stock)<<24 | uint64(s.turn)<<32)
}

func (g *randomGame) Check() bool { return g.random(purposeCheck)%8 == 0 }

// Moves are numbered from 1 to at most 4.
func (g *randomGame) Moves(dst []engine.Move) []engine.Move {
	for m := range engine.Move(g.random(purposeCount) % 5) {
		dst = append(dst, m+1)
	}
	return dst
}

func (g *randomGame) isCapture(m engine.Move) bool {
	return g.state.stock > 0 && g.random(purposeMove+uint64(m))>>8%3 == 0
}

func (g *randomGame) Captures(dst []engine.Move) []engine.Move {
	for _, m := range g.Moves(nil) {
		if g.isCapture(m) {
			dst = append(dst, m)
		}
	}
	return dst
}

func (g *randomGame) Legal(m engine.Move) bool { return slices.Contains(g.Moves(nil), m) }

func (g *randomGame) Gain(m engine.Move) int {
	if !g.isCapture(m) {
		return 0
	}
	return int(g.random(purposeMove+uint64(m))>>16%400) - 50
}

func (g *randomGame) Do(m engine.Move) {
	random, next := g.random(purposeMove+uint64(m)), g.state
	next.node = uint16(random >> 40 % randomGameNodes)
	if !g.cyclic {
		next.age++
	}
	if g.isCapture(m) {
		next.stock--
	}
	if random>>32%4 != 0 {
		next.turn = next.turn.Other()
	}
	g.past = append(g.past, g.state)
	g.state = next
}

func (g *randomGame) Undo() {
	g.state = g.past[len(g.past)-1]
	g.past = g.past[:len(g.past)-1]
}

func (g *randomGame) repeated() bool {
	if !g.cyclic {
		return false
	}
	for _, s := range g.past {
		if s == g.state {
			return true
		}
	}
	return false
}

func (g *randomGame) Over() bool {
	return g.random(purposeEnd)%12 == 0 || g.state.age >= randomGameMaxAge || g.repeated()
}

func (g *randomGame) Outcome() engine.Outcome {
	winner := engine.Win(engine.Side(g.random(purposeEnd) >> 32 & 1))
	switch stuck := g.random(purposeCount)%5 == 0; {
	case g.random(purposeEnd)%12 == 0 && g.random(purposeEnd)>>8%3 > 0:
		return engine.Outcome{Result: winner, Reason: engine.Goal}
	case stuck && g.Check():
		return engine.Outcome{Result: engine.Win(g.Turn().Other()), Reason: engine.Checkmate}
	case stuck:
		return engine.Outcome{Result: engine.Draw, Reason: engine.Stalemate}
	case g.repeated():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	case g.Over():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Material}
	}
	return engine.Ongoing
}

func (g *randomGame) Evaluate() int {
	return int(g.random(purposeScore)%801) - 400
}

func (g *randomGame) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if g.Outcome() != engine.Ongoing {
		return 0, false
	}
	m := engine.Move(1 + engine.Below(src, uint32(g.random(purposeCount)%5)))
	g.Do(m)
	return m, true
}

var _ engine.Evaluator = (*randomGame)(nil)

// Placement is arbitrary: it only orders moves.
func (g *randomGame) Placement(m engine.Move) int { return int(m*37) % 64 }
