package chess

import (
	"math/rand/v2"
	"testing"

	"selfplay/internal/must"
)

// TestIncrementalState: after every move, sets, hash and state agree with the board
// and with a position read from the text.
func TestIncrementalState(t *testing.T) {
	fresh := New()
	visitPositions(t, 100_000, func(p *Position) {
		var kinds [8]uint64
		var sides [2]uint64
		for sq, piece := range p.board {
			if (piece == wall) != (mailbox[sq] < 0) {
				t.Errorf("square %d holds %d", sq, piece)
			}
			if mailbox[sq] >= 0 && piece != empty {
				kinds[piece&kindBits] |= bit[sq]
				sides[sideOf(piece)] |= bit[sq]
			}
		}
		if kinds != p.kinds || sides != p.sides {
			t.Errorf("sets %x %x, want %x %x as on the board", p.kinds, p.sides, kinds, sides)
		}
		if p.hash != p.computeHash() {
			t.Errorf("hash %x, want %x", p.hash, p.computeHash())
		}
		must.Do(t, fresh.Set(p.String()))
		if fresh.state != p.state || fresh.board != p.board || fresh.FullMove() != p.FullMove() {
			t.Errorf("state %x, as read %x", p.state, fresh.state)
		}
	})
}

// TestRepetitionsCountEqualHashes: Repetitions finds what a search of the whole
// history finds.
func TestRepetitionsCountEqualHashes(t *testing.T) {
	most := 0
	visitPositions(t, 100_000, func(p *Position) {
		n := 0
		for _, e := range p.history[:p.ply] {
			if e.hash == p.hash {
				n++
			}
		}
		if got := p.Repetitions(); got != min(n, 2) {
			t.Errorf("%d repetitions, want min(%d, 2)", got, n)
		}
		most = max(most, n)
	})
	if most == 0 {
		t.Error("no position repeats")
	}
}

// TestSetScans: firstCell, firstSquare and nth find what a scan of the set finds.
func TestSetScans(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		set := src.Uint64() & src.Uint64() & src.Uint64()
		n := uint32(0)
		for cell := range 64 {
			if set>>cell&1 == 0 {
				continue
			}
			if n == 0 && (firstCell(set) != cell || firstSquare(set) != mailbox64[cell]) {
				t.Fatalf("%x: firstCell %d, firstSquare %d, want cell %d", set, firstCell(set), firstSquare(set), cell)
			}
			if got := nth(set, n); got != cell {
				t.Fatalf("%x: nth(%d) = %d, want %d", set, n, got, cell)
			}
			n++
		}
	}
}
