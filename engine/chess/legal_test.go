package chess

import (
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/enginetest"
)

// The tests in this package compare fast paths with slow ones: legality by pins with
// playing the move, Count with Moves, Pack with Moves, incremental state with state
// computed from scratch.

// visitPositions visits n positions of random games that start from tricky texts, and a third as
// many of Chess960.
func visitPositions(t *testing.T, n int, visit func(p *Position)) {
	t.Helper()
	starts := []string{
		StartText,
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
		"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
		"4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
		"q3k1bq/1r6/8/3PpP2/2R1K1N1/3PPP2/8/q3r2b w - e6 0 1",
		"8/8/4k3/8/2qQ4/8/3K4/8 w - - 0 1",
	}
	enginetest.FollowGames(t, New(), starts, n, visit)
	starts960 := []string{
		"1r1k1r2/pppppppp/8/8/8/8/PPPPPPPP/1R1K1R2 w KQkq - 0 1",
		"2rk2r1/8/2n2n2/8/8/2N2N2/8/R2KR3 w KQkq - 0 1",
		"rk2r3/p6p/8/8/8/8/P6P/5KR1 w Kkq - 0 1",
		"1rr1kr1r/8/3b4/8/8/3B4/8/RR2K1RR w GBfc - 0 1",
		"q3r1kr/pp3p1p/8/8/8/8/PPK1PP1P/R5R1 b kq - 0 1",
		"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
	}
	enginetest.FollowGames(t, New960(), starts960, n/3, visit)
}

// pseudo returns the pseudo-legal moves by the mailbox alone, without castling.
func pseudo(p *Position) (list []engine.Move) {
	us := p.turn()
	for _, from := range mailbox64 {
		piece := p.board[from]
		if piece == empty || sideOf(piece) != us {
			continue
		}
		var steps []int
		limit := 1
		switch piece & kindBits {
		case pawn:
			list = pseudoPawn(p, list, from)
			continue
		case knight:
			steps = knightSteps[:]
		case king:
			steps = kingSteps[:]
		case bishop:
			steps, limit = diagonalSteps[:], 7
		case rook:
			steps, limit = straightSteps[:], 7
		case queen:
			steps, limit = kingSteps[:], 7
		}
		for _, step := range steps {
			to := from
			for range limit {
				to += uint8(step)
				if taken := p.board[to]; taken == wall || taken != empty && sideOf(taken) == us {
					break
				}
				list = append(list, p.newMove(from, to))
				if p.board[to] != empty {
					break
				}
			}
		}
	}
	return list
}

func pseudoPawn(p *Position, list []engine.Move, from uint8) []engine.Move {
	us := p.turn()
	a := &advances[us]
	add := func(m engine.Move) {
		if bit[toOf(m)]&lastRanks == 0 {
			list = append(list, m)
			return
		}
		for kind := engine.Move(knight); kind <= queen; kind++ {
			list = append(list, m|promotion|kind<<promotionShift)
		}
	}
	to := from + a.step
	if p.board[to] == empty {
		add(p.newMove(from, to))
		if two := to + a.step; bit[from]&a.home != 0 && p.board[two] == empty {
			m := p.newMove(from, two)
			if enemy := colourOf(us^1) | pawn; p.board[two+east] == enemy || p.board[two+west] == enemy {
				m |= double
			}
			add(m)
		}
	}
	for _, aside := range []uint8{east, west} {
		if taken := p.board[to+aside]; taken != empty && taken != wall && sideOf(taken) != us {
			add(p.newMove(from, to+aside))
		}
		if cell, ok := p.passantCell(); ok && to+aside == squareOf(cell) {
			add(p.newMove(from, to+aside) | passant)
		}
	}
	return list
}

// TestMovesAreLegalWhenPlayed: the legal moves are the pseudo-legal moves that leave
// the king unattacked, and castling.
func TestMovesAreLegalWhenPlayed(t *testing.T) {
	visitPositions(t, 60_000, func(p *Position) {
		var want []engine.Move
		us := p.turn()
		for _, m := range pseudo(p) {
			p.Do(m)
			if !p.attacked(p.kingCell(us), us^1, p.sides[us^1], p.occupied()) {
				want = append(want, m)
			}
			p.Undo()
		}
		if !p.Check() {
			want = p.castlingMoves(want, us)
		}
		got := p.Moves(nil)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%d moves %x, want %d moves %x", len(got), got, len(want), want)
		}
		if n := p.Count(); n != len(got) {
			t.Errorf("Count %d, %d moves listed", n, len(got))
		}
		if p.canMove() != (len(got) > 0) {
			t.Errorf("canMove %t, %d moves listed", p.canMove(), len(got))
		}
	})
}

// TestPackAcceptsExactlyTheLegalMoves: of all possible steps, Pack accepts the legal
// moves and no others.
func TestPackAcceptsExactlyTheLegalMoves(t *testing.T) {
	visitPositions(t, 600, func(p *Position) {
		list := p.Moves(nil)
		left := len(list)
		for from := range uint8(65) {
			for to := range uint8(65) {
				for _, kind := range []uint8{0, pawn, knight, bishop, rook, queen, king, 255} {
					s := Step{from, to, kind}
					m, ok := p.pack(s) // Pack without the cost of error texts
					if !ok {
						continue
					}
					if !slices.Contains(list, m) || Unpack(m) != s {
						t.Errorf("step %v packs as %x, which is not legal or unpacks to another step", s, m)
					}
					left--
				}
			}
		}
		if left != 0 {
			t.Errorf("%d legal moves do not pack", left)
		}
	})
}
