package chess_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

func TestGain(t *testing.T) {
	for _, c := range []struct {
		name, text, move string
		least, most      int
	}{
		{"a quiet move", chess.StartText, "e2e4", 0, 0},
		{"castling", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0, 0},
		{"a pawn takes a queen", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", 890, 900},
		{"en passant", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", 90, 100},
		{"the king takes", "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1d2", 90, 100},

		{"a queen takes a pawn that nobody guards", "4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", 90, 100},
		{"a queen takes a pawn that a pawn guards", "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", -900, -700},
		{"a queen takes a pawn that the king guards", "8/8/3k4/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", -900, -700},
		{"a queen takes a pawn that the king may not take back", "8/8/3k4/3p4/8/8/6B1/3QK3 w - - 0 1", "d1d5", 90, 100},
		{"a rook takes a knight that a knight guards", "4k3/8/1n6/3n4/8/8/8/3RK3 w - - 0 1", "d1d5", -200, -100},
		{"a rook takes a knight that a knight guards, backed by a pawn", "4k3/8/1n6/3n4/2P5/8/8/3RK3 w - - 0 1", "d1d5", 310, 325},
		{"a rook takes a knight that a pawn guards, backed by a pawn", "4k3/8/2p5/3n4/2P5/8/8/3RK3 w - - 0 1", "d1d5", -200, -100},
		{"a rook takes a pawn that a queen guards, backed by a rook", "3qk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 90, 100},
		{"a rook takes a pawn that queen and rook guard, backed by a rook", "3qk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -400, -300},
		{"a rook in front of the queen takes a pawn that a rook guards", "3rk3/8/8/3p4/8/8/3R4/3QK3 w - - 0 1", "d2d5", 90, 100},
		{"the queen in front of a rook takes a pawn that a rook guards", "3rk3/8/8/3p4/8/8/3Q4/3RK3 w - - 0 1", "d2d5", -900, -700},

		{"a bishop takes a knight that a rook guards: even", "3rk3/8/8/3n4/8/8/6B1/4K3 w - - 0 1", "g2d5", 1, 330},
		{"a bishop takes a knight that a pawn guards: even", "4k3/8/2p5/3n4/8/8/6B1/4K3 w - - 0 1", "g2d5", 1, 30},
		{"a rook takes a rook that a pawn guards: even", "4k3/8/2p5/3r4/8/8/8/3RK3 w - - 0 1", "d1d5", 1, 30},
		{"a pawn takes a rook that a pawn guards", "4k3/8/2p5/3r4/4P3/8/8/4K3 w - - 0 1", "e4d5", 400, 410},

		{"a queen with a rook", "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 1300, 1300},
		{"a queen where nobody is", "7k/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", 800, 800},
		{"a queen that a rook takes", "3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", -100, -100},
		{"a queen that a rook takes, backed by a rook", "3rk3/2P5/8/8/8/8/8/2R1K3 w - - 0 1", "c7c8q", 800, 800},
		{"a knight where nobody is", "7k/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8n", 220, 220},
		{"a knight that a rook takes", "3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8n", -100, -100},
		{"a rook instead of a queen", "7k/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8r", -400, -400},
		{"a bishop with a rook instead of a queen", "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8b", -570, -570},
	} {
		p := at(t, c.text)
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Gain(m); got < c.least || got > c.most {
			t.Errorf("%s: %s in %s gains %d, want %d to %d", c.name, c.move, c.text, got, c.least, c.most)
		}
	}
}

// TestGainTakesTheCheapestFirst: of two captures of one piece that pay the cheaper
// one gains more.
func TestGainTakesTheCheapestFirst(t *testing.T) {
	p := at(t, "4k3/8/8/3q4/4P3/1BN5/8/3R1K1Q w - - 0 1")
	last := 1 << 20
	for _, text := range []string{"e4d5", "c3d5", "b3d5", "d1d5"} {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Gain(m); got >= last || got <= 0 {
			t.Errorf("%s gains %d, after %d", text, got, last)
		} else {
			last = got
		}
	}
}

// TestGainIsAnExchange: its sign is that of the exchange as a slow program plays it
// out, and it is not 0 for captures.
func TestGainIsAnExchange(t *testing.T) {
	var lost, won int
	everyPosition(t, 60, func(p *chess.Position) {
		b := newExchangeBoard(p)
		for _, m := range p.Captures(nil) {
			s := chess.Unpack(m)
			if s.Promotion != 0 {
				continue
			}
			want := b.value(int(s.From), int(s.To))
			got := p.Gain(m)
			if got == 0 || got > 0 != (want >= 0) {
				t.Fatalf("%s in %s gains %d, the exchange %d", p.FormatMove(m), p, got, want)
			}
			if got < 0 {
				lost++
			} else {
				won++
			}
		}
	})
	enginetest.AtLeast(t, lost, 2_000)
	enginetest.AtLeast(t, won, 10_000)
}

// exchangeBoard plays exchanges out: codes by cell, as AppendCells writes them.
type exchangeBoard struct {
	cells [64]byte
	turn  int
}

func newExchangeBoard(p *chess.Position) (b exchangeBoard) {
	copy(b.cells[:], p.AppendCells(nil))
	b.turn = int(p.Turn())
	return b
}

// exchangeValues are by kind: none, pawn, knight, bishop, rook, queen, king.
var exchangeValues = [7]int{0, 100, 325, 325, 500, 900, 10_000}

// value returns what a capture wins if both sides go on as long as it pays. En
// passant, which takes something from an empty cell, always does.
func (b exchangeBoard) value(from, to int) int {
	taken := kindOf(b.cells[to])
	if taken == 0 {
		return 100
	}
	b.cells[to], b.cells[from] = b.cells[from], 0
	return exchangeValues[taken] - b.reply(1-b.turn, to)
}

// reply returns what a side wins by taking back with its least piece, 0 if it does
// not.
func (b exchangeBoard) reply(side, to int) int {
	from := b.least(side, to)
	if from < 0 {
		return 0
	}
	won := exchangeValues[kindOf(b.cells[to])]
	b.cells[to], b.cells[from] = b.cells[from], 0
	if kindOf(b.cells[to]) == 6 && b.least(1-side, to) >= 0 {
		return 0 // the king would be taken
	}
	return max(0, won-b.reply(1-side, to))
}

// least returns the cell of the least piece of a side that attacks a cell, -1 if
// none does.
func (b exchangeBoard) least(side, to int) int {
	best := -1
	for from, code := range b.cells {
		if code == 0 || sideOf(code) != side || !b.attacks(from, to) {
			continue
		}
		if best < 0 || kindOf(code) < kindOf(b.cells[best]) {
			best = from
		}
	}
	return best
}

// attacks reports whether the piece on a cell attacks another.
func (b exchangeBoard) attacks(from, to int) bool {
	rows, files := to/8-from/8, to%8-from%8
	far, near := max(abs(rows), abs(files)), min(abs(rows), abs(files))
	diagonal, straight := far == near && far > 0, near == 0 && far > 0
	switch kindOf(b.cells[from]) {
	case 1:
		ahead := 2*sideOf(b.cells[from]) - 1
		return rows == ahead && abs(files) == 1
	case 2:
		return far == 2 && near == 1
	case 3:
		return diagonal && b.open(from, to, far)
	case 4:
		return straight && b.open(from, to, far)
	case 5:
		return (diagonal || straight) && b.open(from, to, far)
	default:
		return far == 1
	}
}

// open reports whether nothing stands between two cells, so many steps apart.
func (b exchangeBoard) open(from, to, steps int) bool {
	step := (to - from) / steps
	for cell := from + step; cell != to; cell += step {
		if b.cells[cell] != 0 {
			return false
		}
	}
	return true
}

// kindOf returns the kind that a code of AppendCells stands for, 0 for none.
func kindOf(code byte) int {
	if code > 6 {
		code -= 6
	}
	return int(code)
}

// sideOf returns whose piece it is.
func sideOf(code byte) int {
	if code > 6 {
		return 1
	}
	return 0
}

func abs(n int) int { return max(n, -n) }

// BenchmarkGain asks for the gains of all captures in every position of random
// games, the list included.
func BenchmarkGain(b *testing.B) {
	list := make([]engine.Move, 0, 256)
	benchAsked(b, func(p *chess.Position) {
		list = p.Captures(list[:0])
		for _, m := range list {
			p.Gain(m)
		}
	})
}
