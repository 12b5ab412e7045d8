package chess

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"selfplay/internal/must"
)

// TestIncrementalState: after every move, sets, hash and state agree with the board
// and with a position read from the text.
func TestIncrementalState(t *testing.T) {
	visitPositions(t, 100_000, func(p *Position) {
		fresh := newPosition(p.chess960)
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

// TestSlotTargets: the slots of a piece hold its targets on the empty board, each
// once.
func TestSlotTargets(t *testing.T) {
	for _, c := range []struct {
		name    string
		reach   [64]uint64
		targets [64][16]uint8
		slots   int
	}{
		{"knight", knightReach, knightTargets, knightSlots},
		{"bishop", diagonals, bishopTargets, bishopSlots},
		{"rook", straights, rookTargets, rookSlots},
	} {
		most := 0
		for cell, set := range c.reach {
			most = max(most, bits.OnesCount64(set))
			for _, to := range c.targets[cell][:c.slots] {
				if int(to) != cell && set>>to&1 == 0 {
					t.Errorf("%s on %s: target %s is repeated or out of reach", c.name, cellName(cell), cellName(int(to)))
				}
				set &^= 1 << to
			}
			if set != 0 {
				t.Errorf("%s on %s: targets %x have no slot", c.name, cellName(cell), set)
			}
		}
		if most != c.slots {
			t.Errorf("%s: %d slots, want the maximum number of targets %d", c.name, c.slots, most)
		}
	}
}

// TestPass: passing changes the side to move and nothing else on the board, and taking it
// back restores text, hash and score.
func TestPass(t *testing.T) {
	p, src, passed := New(), rand.NewPCG(1, 2), 0
	for range 20 {
		p.Reset()
		for {
			if _, ok := p.DoRandom(src); !ok {
				break
			}
			text, hash, score, side := p.String(), p.Hash(), p.Evaluate(), p.Turn()
			if !p.Pass() {
				continue
			}
			passed++
			if p.Turn() != side.Other() || p.Hash() == hash || p.Hash() != p.computeHash() {
				t.Fatalf("%s: passing leads to %s with hash %x", text, p, p.Hash())
			}
			p.TakePass()
			if p.String() != text || p.Hash() != hash || p.Evaluate() != score {
				t.Fatalf("%s: taking the pass back leads to %s", text, p)
			}
		}
	}
	if passed < 500 {
		t.Errorf("%d passes, want more", passed)
	}
}

// TestPassIsRefused in check, and where a side has only pawns.
func TestPassIsRefused(t *testing.T) {
	for _, text := range []string{"4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"} {
		p := New()
		must.Do(t, p.Set(text))
		if p.Pass() || p.String() != text {
			t.Errorf("%s: passes", text)
		}
	}
}
