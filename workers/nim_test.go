package workers

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// nim is the game "subtract a square": a move takes a square number of stones from a pile.
// The side that cannot move loses. The Move is the square root of the number taken.
type nim struct {
	engine.Defaults

	start, pile int
	turn        engine.Side
	taken       []int // square roots of the numbers taken, by ply
}

// nimGame returns the game with a pile of stones at the start. Random games from 5000
// stones take about 20 plies.
func nimGame(stones int) encode.Game {
	return encode.Game{
		Game: engine.Game{
			Name: "nim", Title: "Subtract a square", Rules: 1, Sides: [2]string{"first", "second"}, MaxPlies: 1000,
			New: func(string) engine.Position { return &nim{start: stones, pile: stones} },
		},
		Actions: encode.Actions{
			Version: 1, Count: 256,
			Number: func(m engine.Move) uint16 { return uint16(m) },
		},
	}
}

func (p *nim) Reset() { *p = nim{start: p.start, pile: p.start, taken: p.taken[:0]} }

func (p *nim) Set(text string) error {
	pile, err := strconv.Atoi(text)
	if err != nil {
		return &engine.TextError{Kind: "NIM_PILE", Category: "lexical", Msg: "not a number"}
	}
	p.Reset()
	p.pile = pile
	return nil
}

// maxRoot returns the largest legal move.
func (p *nim) maxRoot() int { return int(math.Sqrt(float64(p.pile))) }

func (p *nim) DoRandom(src *rand.PCG) (engine.Move, bool) {
	n := p.maxRoot()
	if n == 0 {
		return 0, false
	}
	m := engine.Move(1 + src.Uint64()%uint64(n))
	p.Do(m)
	return m, true
}

func (p *nim) Moves(dst []engine.Move) []engine.Move {
	for k := 1; k <= p.maxRoot(); k++ {
		dst = append(dst, engine.Move(k))
	}
	return dst
}

func (p *nim) Do(m engine.Move) {
	p.pile -= int(m * m)
	p.taken = append(p.taken, int(m))
	p.turn = p.turn.Other()
}

func (p *nim) Undo() {
	last := len(p.taken) - 1
	p.pile += p.taken[last] * p.taken[last]
	p.taken = p.taken[:last]
	p.turn = p.turn.Other()
}

func (p *nim) Outcome() engine.Outcome {
	if p.pile > 0 {
		return engine.Ongoing
	}
	return engine.Outcome{Result: engine.Win(p.turn.Other()), Reason: engine.Blocked}
}

func (p *nim) String() string                  { return strconv.Itoa(p.pile) }
func (p *nim) Turn() engine.Side               { return p.turn }
func (p *nim) Hash() uint64                    { return uint64(p.pile) }
func (p *nim) FormatMove(m engine.Move) string { return strconv.Itoa(int(m)) }

func (p *nim) ParseMove(text string) (engine.Move, error) {
	k, err := strconv.Atoi(text)
	return engine.Move(k), err
}

// thirdSide is nim with a third side after some plies.
type thirdSide struct{ *nim }

func (p *thirdSide) Turn() engine.Side { return engine.Side(len(p.taken) % 3) }

// TestOtherSidesEndTheRun: rules with a third side are refused with the position, not by an index.
func TestOtherSidesEndTheRun(t *testing.T) {
	g := nimGame(5000)
	g.New = func(string) engine.Position { return &thirdSide{&nim{start: 5000, pile: 5000}} }
	err := startPool(t, seriesOf(t, g, "random"), 1).Play(t.Context(), Games(0, 1), nil, func(*engine.Record) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "side to move 2 at ply 2") {
		t.Errorf("%v, want the side to move", err)
	}
}
