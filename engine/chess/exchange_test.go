package chess_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// TestGainPrefersTheCheapestAttacker: among winning captures of one piece, a cheaper
// attacker has the higher gain.
func TestGainPrefersTheCheapestAttacker(t *testing.T) {
	p := at(t, "4k3/8/8/3q4/4P3/1BN5/8/3R1K1Q w - - 0 1")
	last := 1 << 20
	for _, text := range []string{"e4d5", "c3d5", "b3d5", "d1d5"} {
		m := must.Get(p.ParseMove(text))(t)
		if got := p.Gain(m); got >= last || got <= 0 {
			t.Errorf("%s: Gain %d, want between 0 and %d", text, got, last)
		} else {
			last = got
		}
	}
}

// TestGainHasTheSignOfTheExchange: Gain agrees in sign with a slow recursive exchange
// evaluation, and is not 0 for captures.
func TestGainHasTheSignOfTheExchange(t *testing.T) {
	var lost, won int
	eachPosition(t, 60, func(p *chess.Position) {
		b := newExchangeBoard(p)
		for _, m := range p.Captures(nil) {
			s := chess.Unpack(m)
			if s.Promotion != 0 {
				continue
			}
			want := b.value(int(s.From), int(s.To))
			got := p.Gain(m)
			if got == 0 || got > 0 != (want >= 0) {
				t.Fatalf("%s in %s: Gain %d, exchange %d", p.FormatMove(m), p, got, want)
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

// exchangeBoard evaluates exchanges recursively on the codes of AppendCells.
type exchangeBoard struct {
	cells [64]byte
	turn  int
}

func newExchangeBoard(p *chess.Position) (b exchangeBoard) {
	copy(b.cells[:], p.AppendCells(nil))
	b.turn = int(p.Turn())
	return b
}

// exchangeValues are indexed by kind: none, pawn, knight, bishop, rook, queen, king.
var exchangeValues = [7]int{0, 100, 325, 325, 500, 900, 10_000}

// value returns the material that a capture wins if both sides continue only as long
// as that pays. An en passant capture, recognized by its empty target, always wins a
// pawn.
func (b exchangeBoard) value(from, to int) int {
	taken := kindOf(b.cells[to])
	if taken == 0 {
		return 100
	}
	b.cells[to], b.cells[from] = b.cells[from], 0
	return exchangeValues[taken] - b.reply(1-b.turn, to)
}

// reply returns the material that a side wins by recapturing with its least valuable
// piece; 0 if it does not recapture.
func (b exchangeBoard) reply(side, to int) int {
	from := b.leastValuable(side, to)
	if from < 0 {
		return 0
	}
	won := exchangeValues[kindOf(b.cells[to])]
	b.cells[to], b.cells[from] = b.cells[from], 0
	if kindOf(b.cells[to]) == 6 && b.leastValuable(1-side, to) >= 0 {
		return 0 // the king would be captured
	}
	return max(0, won-b.reply(1-side, to))
}

// leastValuable returns the cell of the least valuable piece of a side that attacks a
// cell, or -1.
func (b exchangeBoard) leastValuable(side, to int) int {
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

// attacks reports whether the piece on a cell attacks another cell.
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

// open reports whether the cells between two cells, steps apart, are empty.
func (b exchangeBoard) open(from, to, steps int) bool {
	step := (to - from) / steps
	for cell := from + step; cell != to; cell += step {
		if b.cells[cell] != 0 {
			return false
		}
	}
	return true
}

// kindOf returns the kind of a code of AppendCells, 0 for an empty cell.
func kindOf(code byte) int {
	if code > 6 {
		code -= 6
	}
	return int(code)
}

// sideOf returns the side of a code of AppendCells.
func sideOf(code byte) int {
	if code > 6 {
		return 1
	}
	return 0
}

func abs(n int) int { return max(n, -n) }

// BenchmarkGain lists the captures of each position and evaluates their gains.
func BenchmarkGain(b *testing.B) {
	list := make([]engine.Move, 0, 256)
	benchPositions(b, func(p *chess.Position) {
		list = p.Captures(list[:0])
		for _, m := range list {
			p.Gain(m)
		}
	})
}
