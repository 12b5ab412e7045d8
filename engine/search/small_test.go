package search_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// Two small games that the searchers are tried on.

// nim is a pile from which a turn takes one to three: first one or two, then none
// or one more. Who takes the last one wins. A pile divisible by four is lost for
// the side whose turn begins.
type nim struct {
	pile int
	turn engine.Side
	open bool // the second half of the turn
	past []nimMoment
}

type nimMoment struct {
	pile int
	turn engine.Side
	open bool
}

func newNim(pile int) *nim { return &nim{pile: pile} }

func (n *nim) Reset()                                    { *n = nim{pile: 21} }
func (n *nim) Set(string) error                          { return errors.New("nim is not read") }
func (n *nim) String() string                            { return fmt.Sprint(n.pile, n.turn, n.open) }
func (n *nim) Turn() engine.Side                         { return n.turn }
func (n *nim) Check() bool                               { return false }
func (n *nim) FormatMove(m engine.Move) string           { return fmt.Sprint(m) }
func (n *nim) ParseMove(string) (m engine.Move, e error) { return 0, errors.New("nim is not read") }

// Moves lists how many to take.
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
	n.past = append(n.past, nimMoment{n.pile, n.turn, n.open})
	n.pile -= int(m)
	if n.open {
		n.turn = n.turn.Other()
	}
	n.open = !n.open
}

func (n *nim) Undo() {
	was := n.past[len(n.past)-1]
	n.past = n.past[:len(n.past)-1]
	n.pile, n.turn, n.open = was.pile, was.turn, was.open
}

func (n *nim) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if n.pile == 0 {
		return 0, false
	}
	var buffer [2]engine.Move
	list := n.Moves(buffer[:0])
	m := list[engine.Below(src, uint32(len(list)))]
	n.Do(m)
	return m, true
}

// Outcome may find the turn still open: then the side to move took the last one.
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

// jungle is a game without sense: dice, thrown once and for all, say what a state
// leads to. It has all that a search can stumble over: open turns that the state
// does not tell, transpositions, checks and mates, ends in open turns, captures that
// gain and lose, and, if states come again, repetitions.
type jungle struct {
	seed   uint64
	cyclic bool // states come again; the second time is a draw
	state  jungleState
	past   []jungleState
}

type jungleState struct {
	place uint16
	age   uint8 // plies so far, 0 in a cyclic jungle
	stock uint8 // captures left
	turn  engine.Side
}

const (
	junglePlaces = 24
	jungleAge    = 60
)

func newJungle(seed uint64, cyclic bool) *jungle {
	j := &jungle{seed: seed, cyclic: cyclic}
	j.Reset()
	return j
}

func (j *jungle) Reset() {
	j.past = j.past[:0]
	j.state = jungleState{place: uint16(j.seed % junglePlaces), stock: 4}
}

// dice are what the state has drawn for a purpose.
func (j *jungle) dice(purpose uint64) uint64 {
	return engine.Mix(j.seed ^ j.Hash() ^ engine.Mix(purpose))
}

// Purposes of dice.
const (
	diceCount = iota
	diceCheck
	diceEnd
	diceScore
	diceMove // and those above
)

func (j *jungle) Set(string) error                { return errors.New("jungle is not read") }
func (j *jungle) String() string                  { return fmt.Sprint(j.state, j.past) }
func (j *jungle) Turn() engine.Side               { return j.state.turn }
func (j *jungle) FormatMove(m engine.Move) string { return fmt.Sprint(m) }
func (j *jungle) ParseMove(string) (m engine.Move, e error) {
	return 0, errors.New("jungle is not read")
}

func (j *jungle) Hash() uint64 {
	s := j.state
	return engine.Mix(uint64(s.place) | uint64(s.age)<<16 | uint64(s.stock)<<24 | uint64(s.turn)<<32)
}

func (j *jungle) Check() bool { return j.dice(diceCheck)%8 == 0 }

// Moves of a state are its numbers 1 to 5.
func (j *jungle) Moves(dst []engine.Move) []engine.Move {
	for m := range engine.Move(j.dice(diceCount) % 5) {
		dst = append(dst, m+1)
	}
	return dst
}

func (j *jungle) captures(m engine.Move) bool {
	return j.state.stock > 0 && j.dice(diceMove+uint64(m))>>8%3 == 0
}

func (j *jungle) Captures(dst []engine.Move) []engine.Move {
	for _, m := range j.Moves(nil) {
		if j.captures(m) {
			dst = append(dst, m)
		}
	}
	return dst
}

func (j *jungle) Legal(m engine.Move) bool { return slices.Contains(j.Moves(nil), m) }

func (j *jungle) Gain(m engine.Move) int {
	if !j.captures(m) {
		return 0
	}
	return int(j.dice(diceMove+uint64(m))>>16%400) - 50
}

func (j *jungle) Do(m engine.Move) {
	dice, next := j.dice(diceMove+uint64(m)), j.state
	next.place = uint16(dice >> 40 % junglePlaces)
	if !j.cyclic {
		next.age++
	}
	if j.captures(m) {
		next.stock--
	}
	if dice>>32%4 != 0 {
		next.turn = next.turn.Other()
	}
	j.past = append(j.past, j.state)
	j.state = next
}

func (j *jungle) Undo() {
	j.state = j.past[len(j.past)-1]
	j.past = j.past[:len(j.past)-1]
}

func (j *jungle) repeated() bool {
	if !j.cyclic {
		return false
	}
	for _, s := range j.past {
		if s == j.state {
			return true
		}
	}
	return false
}

func (j *jungle) Over() bool {
	return j.dice(diceEnd)%12 == 0 || j.state.age >= jungleAge || j.repeated()
}

func (j *jungle) Outcome() engine.Outcome {
	winner := engine.Win(engine.Side(j.dice(diceEnd) >> 32 & 1))
	switch stuck := j.dice(diceCount)%5 == 0; {
	case j.dice(diceEnd)%12 == 0 && j.dice(diceEnd)>>8%3 > 0:
		return engine.Outcome{Result: winner, Reason: engine.Goal}
	case stuck && j.Check():
		return engine.Outcome{Result: engine.Win(j.Turn().Other()), Reason: engine.Checkmate}
	case stuck:
		return engine.Outcome{Result: engine.Draw, Reason: engine.Stalemate}
	case j.repeated():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	case j.Over():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Material}
	}
	return engine.Ongoing
}

func (j *jungle) Evaluate() int {
	return int(j.dice(diceScore)%801) - 400
}

func (j *jungle) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if j.Outcome() != engine.Ongoing {
		return 0, false
	}
	m := engine.Move(1 + engine.Below(src, uint32(j.dice(diceCount)%5)))
	j.Do(m)
	return m, true
}

var _, _ engine.Evaluator = (*nim)(nil), (*jungle)(nil)
