package chess

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
)

// The fast paths are tested against the slow ones they stand for: legality by pins
// against playing the move, counts against lists, steps packed one by one against
// the list, what is kept ply by ply against what is computed from nothing.

// wander visits the positions of random games from texts that hold much, until n
// were seen.
func wander(t *testing.T, n int, visit func(p *Position)) {
	t.Helper()
	if testing.Short() {
		n /= 10
	}
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
	p, src := New(), rand.NewPCG(20, 26)
	for game := 0; n > 0; game++ {
		if err := p.Set(starts[game%len(starts)]); err != nil {
			t.Fatal(err)
		}
		src.Seed(uint64(game), 5)
		for ok := true; ok && n > 0; n-- {
			visit(p)
			if t.Failed() {
				t.Fatalf("after %d plies of game %d: %s", p.ply, game, p)
			}
			_, ok = p.DoRandom(src)
		}
	}
}

// pseudo returns every move of pieces by the mailbox alone, castling left out.
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

// TestLegalityByPlaying: the legal moves are those after which no piece attacks the
// king, and the castlings.
func TestLegalityByPlaying(t *testing.T) {
	wander(t, 60_000, func(p *Position) {
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
			t.Errorf("%d moves %x, want %d %x", len(got), got, len(want), want)
		}
		if n := p.Count(); n != len(got) {
			t.Errorf("%d moves counted, %d listed", n, len(got))
		}
		if p.canMove() != (len(got) > 0) {
			t.Errorf("can move %t, %d moves", p.canMove(), len(got))
		}
	})
}

// TestPackExactly: of all steps that can be written, Pack takes the legal moves.
func TestPackExactly(t *testing.T) {
	wander(t, 600, func(p *Position) {
		list := p.Moves(nil)
		left := len(list)
		for from := range uint8(65) {
			for to := range uint8(65) {
				for _, kind := range []uint8{0, pawn, knight, bishop, rook, queen, king, 255} {
					s := Step{from, to, kind}
					m, ok := p.pack(s) // Pack but for the text of the error
					if !ok {
						continue
					}
					if !slices.Contains(list, m) || Unpack(m) != s {
						t.Errorf("%v is packed as %x, which is not legal or another step", s, m)
					}
					left--
				}
			}
		}
		if left != 0 {
			t.Errorf("%d legal moves are not packed", left)
		}
	})
}

// TestKeptStepByStep: sets, hash and state agree with the board and with what a
// position read from the text has.
func TestKeptStepByStep(t *testing.T) {
	fresh := New()
	wander(t, 100_000, func(p *Position) {
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
			t.Errorf("sets %x %x, the board has %x %x", p.kinds, p.sides, kinds, sides)
		}
		if p.hash != p.computeHash() {
			t.Errorf("hash %x, computed %x", p.hash, p.computeHash())
		}
		if err := fresh.Set(p.String()); err != nil {
			t.Fatal(err)
		}
		if fresh.state != p.state || fresh.board != p.board || fresh.FullMove() != p.FullMove() {
			t.Errorf("state %x, read %x", p.state, fresh.state)
		}
	})
}

// TestRepetitionsByLooking: as many as equal hashes in the whole history.
func TestRepetitionsByLooking(t *testing.T) {
	most := 0
	wander(t, 100_000, func(p *Position) {
		n := 0
		for _, e := range p.history[:p.ply] {
			if e.hash == p.hash {
				n++
			}
		}
		if got := p.Repetitions(); got != min(n, 2) {
			t.Errorf("%d repetitions, want %d", got, n)
		}
		most = max(most, n)
	})
	if most == 0 {
		t.Error("no position was repeated")
	}
}

// TestPartsComeBack: a position taken apart and assembled is the same.
func TestPartsComeBack(t *testing.T) {
	wander(t, 20_000, func(p *Position) {
		a := Parts{Turn: p.Turn(), Castling: p.Castling(), EnPassant: -1, HalfMove: p.HalfMove(), FullMove: p.FullMove()}
		copy(a.Cells[:], p.AppendCells(nil))
		if file, ok := p.EnPassant(); ok {
			a.EnPassant = file
		}
		q, err := Assemble(&a)
		if err != nil {
			t.Fatal(err)
		}
		if q.String() != p.String() || q.Hash() != p.Hash() {
			t.Errorf("assembled as %s", q)
		}
	})
}

// TestAssembleRefuses: parts that no text describes.
func TestAssembleRefuses(t *testing.T) {
	good := Parts{Castling: 15, EnPassant: -1, FullMove: 1}
	copy(good.Cells[:], New().AppendCells(nil))
	if _, err := Assemble(&good); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(*Parts){
		"no such piece":     func(a *Parts) { a.Cells[20] = 13 },
		"no such side":      func(a *Parts) { a.Turn = 2 },
		"no such right":     func(a *Parts) { a.Castling = 16 },
		"no such file":      func(a *Parts) { a.EnPassant = 8 },
		"file below none":   func(a *Parts) { a.EnPassant = -2 },
		"no pawn to take":   func(a *Parts) { a.EnPassant = 3 },
		"rook away":         func(a *Parts) { a.Cells[0] = 0 },
		"no king":           func(a *Parts) { a.Cells[4], a.Castling = 0, 3 },
		"pawn on rank 8":    func(a *Parts) { a.Cells[1] = 7 },
		"king can be taken": func(a *Parts) { a.Cells[12] = 5 },
	} {
		a := good
		spoil(&a)
		if p, err := Assemble(&a); err == nil {
			t.Errorf("%s: assembled as %s", what, p)
		}
	}
}

// TestTargets: the tickets of a piece are its targets on the empty board, each once.
func TestTargets(t *testing.T) {
	for _, c := range []struct {
		name    string
		reach   [64]uint64
		targets [64][16]uint8
		tickets int
	}{
		{"knight", knightReach, knightTargets, knightSlots},
		{"bishop", diagonals, bishopTargets, bishopSlots},
		{"rook", straights, rookTargets, rookSlots},
	} {
		most := 0
		for cell, set := range c.reach {
			most = max(most, bits.OnesCount64(set))
			for _, to := range c.targets[cell][:c.tickets] {
				if int(to) != cell && set>>to&1 == 0 {
					t.Errorf("%s on %s: %s twice or out of reach", c.name, cellName(cell), cellName(int(to)))
				}
				set &^= 1 << to
			}
			if set != 0 {
				t.Errorf("%s on %s: %x has no ticket", c.name, cellName(cell), set)
			}
		}
		if most != c.tickets {
			t.Errorf("%s: %d tickets, most targets %d", c.name, c.tickets, most)
		}
	}
}

// TestSetsOfCells: first, firstSquare and nth find what a scan finds.
func TestSetsOfCells(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		set := src.Uint64() & src.Uint64() & src.Uint64()
		n := uint32(0)
		for cell := range 64 {
			if set>>cell&1 == 0 {
				continue
			}
			if n == 0 && (firstCell(set) != cell || firstSquare(set) != mailbox64[cell]) {
				t.Fatalf("%x: first %d, square %d, want cell %d", set, firstCell(set), firstSquare(set), cell)
			}
			if got := nth(set, n); got != cell {
				t.Fatalf("%x: cell %d is %d, want %d", set, n, got, cell)
			}
			n++
		}
	}
}
