package chessdata

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/internal/must"
)

// position returns the position of a text.
func position(t testing.TB, fen string) *chess.Position {
	t.Helper()
	p := chess.New()
	must.Do(t, p.Set(fen))
	return p
}

// parts returns the numbers of a position.
func parts(t testing.TB, fen string) chess.Parts { return position(t, fen).Parts() }

// playRandom plays random moves and calls look before each.
func playRandom(seed uint64, plies int, look func(p *chess.Position, m engine.Move)) {
	p, q, src := chess.New(), chess.New(), rand.NewPCG(3, seed)
	for range plies {
		m, ok := p.DoRandom(src)
		if !ok {
			return
		}
		look(q, m)
		q.Do(m)
	}
}

// TestMoveKinds: the kind of a move follows from the board.
func TestMoveKinds(t *testing.T) {
	for _, c := range []struct {
		fen, move string
		want      Kind
	}{
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", Castling},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", Castling},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1d1", Normal},
		{"4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1", "a4b3", EnPassant},
		{"4k3/8/8/8/p7/1P6/8/4K3 b - - 0 1", "a4b3", Normal},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", Promotion},
		{"4k3/8/8/8/8/8/Q7/4K3 w - - 0 1", "a2c4", Normal},
	} {
		if got := rowOf(t, c.fen, c.move).Move; got.Kind != c.want {
			t.Errorf("%s in %s: kind %d, want %d", c.move, c.fen, got.Kind, c.want)
		}
	}
}

// TestScores: mates keep their distance, other scores their value.
func TestScores(t *testing.T) {
	for _, c := range []struct{ own, foreign int16 }{
		{0, 0}, {-350, -350}, {20_000, 20_000}, {-20_000, -20_000},
		{29_999, 31_999}, {-29_999, -31_999}, {20_001, 22_001}, {-29_990, -31_990},
	} {
		if got := Foreign(c.own); got != c.foreign {
			t.Errorf("Foreign(%d) = %d, want %d", c.own, got, c.foreign)
		}
		if got, ok := Own(c.foreign); got != c.own || !ok {
			t.Errorf("Own(%d) = %d, %t, want %d", c.foreign, got, ok, c.own)
		}
	}
	for foreign, want := range map[int16]int16{21_000: 20_000, -21_999: -20_000, 32_000: 29_999, -32_000: -29_999} {
		if got, ok := Own(foreign); got != want || !ok {
			t.Errorf("Own(%d) = %d, %t, want %d", foreign, got, ok, want)
		}
	}
	for _, foreign := range []int16{NoScore, -NoScore, 32_767, -32_768} {
		if got, ok := Own(foreign); ok {
			t.Errorf("Own(%d) = %d, want none", foreign, got)
		}
	}
}
