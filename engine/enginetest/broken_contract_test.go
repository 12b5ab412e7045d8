package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// oneNim is the position that every call of New returns.
var oneNim = newNim()

type newShares struct{ *nim }

type newStartsLate struct{ *nim }

func makeLate(n *nim) engine.Position {
	n.Do(1)
	return &newStartsLate{n}
}

type thirdSide struct{ *nim }

func (b *thirdSide) Turn() engine.Side { return engine.Side(len(b.played) % 3) }

type gainPlays struct{ *nim }

// Gain plays the move and does not take it back.
func (b *gainPlays) Gain(m engine.Move) int {
	gain := b.nim.Gain(m)
	b.piles[m>>8] -= uint8(m)
	return gain
}

type parserPlays struct{ *nim }

func (b *parserPlays) ParseMove(text string) (engine.Move, error) {
	m, err := b.nim.ParseMove(text)
	if err == nil {
		b.turn = b.turn.Other()
	}
	return m, err
}

type hangsPanics struct{ *nim }

func (b *hangsPanics) Hangs(m engine.Move) bool { return b.piles[m>>8+3] > 0 }

type parserAcceptsElsewhere struct{ *nim }

func (b *parserAcceptsElsewhere) ParseMove(text string) (engine.Move, error) {
	return newNim().ParseMove(text)
}

type setIgnoresRest struct{ *nim }

func (b *setIgnoresRest) Set(text string) error {
	if len(text) > len("3,5,7 x") {
		text = text[:len("3,5,7 x")]
	}
	return b.nim.Set(text)
}

type sanOfPile struct{ *nim }

func (b *sanOfPile) SAN(m engine.Move) string { return b.FormatMove(m)[:1] }
func (b *sanOfPile) ParseSAN(text string) (engine.Move, error) {
	for _, m := range b.Moves(nil) {
		if b.SAN(m) == text {
			return m, nil
		}
	}
	return 0, errors.New("no move")
}

// arbiter is nim as an Arbiter: the piles are the squares that pieces leave, and the numbers of pieces those that
// they go to.
type arbiter struct{ *nim }

func (b *arbiter) Wish(m engine.Move) engine.Wish {
	text := b.FormatMove(m)
	return engine.Wish{From: text[:1], To: text[1:], Way: engine.Quiet}
}

func (b *arbiter) Obstacle(w engine.Wish) engine.Obstacle {
	_, err := b.ParseMove(w.From + w.To)
	switch {
	case err != nil:
		return engine.Obstacle{Why: engine.Range, Text: "The pile has no such number of pieces."}
	case w.Way != engine.AnyWay && w.Way != engine.Quiet:
		return engine.Obstacle{Why: engine.Target, Text: "Pieces are taken, and nothing else."}
	}
	return engine.Obstacle{}
}

type obstacleToAll struct{ *nim }

func (b *obstacleToAll) Wish(m engine.Move) engine.Wish { return (&arbiter{b.nim}).Wish(m) }
func (b *obstacleToAll) Obstacle(engine.Wish) engine.Obstacle {
	return engine.Obstacle{Why: engine.Range, Text: "No."}
}

type obstacleToNone struct{ *nim }

func (b *obstacleToNone) Wish(m engine.Move) engine.Wish       { return (&arbiter{b.nim}).Wish(m) }
func (b *obstacleToNone) Obstacle(engine.Wish) engine.Obstacle { return engine.Obstacle{} }

type obstacleWithoutText struct{ arbiter }

func (b *obstacleWithoutText) Obstacle(w engine.Wish) engine.Obstacle {
	o := b.arbiter.Obstacle(w)
	o.Text = ""
	return o
}

type turnOfPile struct{ sanOfPile }

func (b *turnOfPile) ParseSAN(string)                            {} // so that it is no engine.Algebraic
func (b *turnOfPile) TurnSAN(moves []engine.Move) (string, bool) { return b.SAN(moves[0]), true }
func (b *turnOfPile) ReadTurn(text string) ([][]engine.Move, error) {
	m, err := b.sanOfPile.ParseSAN(text)
	return [][]engine.Move{{m}}, err
}

type endsAnywhere struct{ turnOfPile }

func (b *endsAnywhere) EndsIn(string, []engine.Move, string) error { return nil }

type endIsPlayed struct{ turnOfPile }

func (b *endIsPlayed) EndsIn(_ string, turn []engine.Move, _ string) error {
	b.Do(turn[0])
	return errors.New("another end")
}

type unreachable struct{ *nim }

func (b *unreachable) Reachable() error {
	if b.piles[1] == 4 {
		return errors.New("four pieces")
	}
	return nil
}

type countsPlies struct{ *nim }

func (b *countsPlies) FullMove() uint16 { return uint16(len(b.played)) + 1 }

type shortHash struct{ *nim }

func (b *shortHash) Hash() uint64 { return b.nim.Hash() >> 32 }

type drawsLots struct {
	*nim
	plays int
}

func (b *drawsLots) Do(m engine.Move) {
	b.nim.Do(m)
	b.plays++
	if b.plays%3 == 0 {
		b.turn = b.turn.Other()
	}
}

type moveKeepsAll struct{ *nim }

// Do plays the move that takes one piece of the first pile as a move that takes none.
func (b *moveKeepsAll) Do(m engine.Move) {
	b.nim.Do(m)
	if m == 1 {
		b.piles[0]++
		b.turn = b.turn.Other()
	}
}

type emptyText struct{ *nim }

func (b *emptyText) FormatMove(m engine.Move) string {
	if m == 1 {
		return ""
	}
	return b.nim.FormatMove(m)
}

type capturesReordered struct {
	*nim
	asked int
}

func (b *capturesReordered) Captures(dst []engine.Move) []engine.Move {
	n := len(dst)
	dst = b.nim.Captures(dst)
	if b.asked++; b.asked%2 == 0 {
		slices.Reverse(dst[n:])
	}
	return dst
}

type passForgotten struct{ *nim }

func (b *passForgotten) Pass() bool {
	b.turn = b.turn.Other()
	return true
}
func (b *passForgotten) TakePass() {}

type neverCanonical struct{ *nim }

func (b *neverCanonical) Canonical(m engine.Move) bool { return m>>8 > 0 }

type loserWins struct{ *nim }

// Evaluate tells who takes the last piece, and Outcome who does not.
func (b *loserWins) Evaluate() int {
	if b.piles[0]^b.piles[1]^b.piles[2] == 0 {
		return -100
	}
	return 100
}

func (b *loserWins) Outcome() engine.Outcome {
	o := b.nim.Outcome()
	if o != engine.Ongoing {
		o.Result = engine.Win(b.turn)
	}
	return o
}

type lossesGain struct{ *nim }

func (b *lossesGain) Gain(m engine.Move) int { return -b.nim.Gain(m) }

type everythingHangs struct{ *nim }

func (b *everythingHangs) Hangs(engine.Move) bool { return true }

type placementReversed struct{ *nim }

func (b *placementReversed) Evaluate() int { return 10 * (len(b.played)&1*2 - 1) * b.Count() }

func (b *placementReversed) Placement(m engine.Move) int {
	before := b.Evaluate()
	b.nim.Do(m)
	defer b.nim.Undo()
	return before + b.Evaluate()
}

type checksClaimed struct{ *nim }

func (b *checksClaimed) GivesCheck(engine.Move) bool { return true }

type marginsChange struct{ *nim }

func (b *marginsChange) Tuning() *engine.Tuning { return &engine.Tuning{Delta: b.Count()} }

type noMargins struct{ *nim }

func (b *noMargins) Tuning() *engine.Tuning { return nil }

type undoPanics struct{ *nim }

func (b *undoPanics) Undo() {
	if b.piles[2] == 2 && len(b.played) > 0 {
		panic(fmt.Sprint("pile of ", b.piles[2]))
	}
	b.nim.Undo()
}

type drawPanics struct{ *nim }

func (b *drawPanics) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if b.piles[2] == 2 {
		panic("pile of 2")
	}
	return b.nim.DoRandom(src)
}
