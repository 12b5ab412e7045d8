package bitboard_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/cotulenh/bitboard"
	"selfplay/internal/must"
)

// The second half of design document 003: shifts, zones, stacks, tables and the plan.

// The document moves by -11, 11, 1, -1, -10, -12, 12 and 10 with its numbers; here a step
// north is -16 (004 and the rule book). Its shiftBitboard wraps from file k to file a of the
// next rank and calls a shift to higher numbers a right shift; these shifts drop what
// leaves the board.
func document003Shifts(t *testing.T) {
	for d, c := range []struct {
		name, fromE6 string
		offset       int // the document's
	}{
		{"NORTH", "e7", -11}, {"EAST", "f6", 1}, {"SOUTH", "e5", 11}, {"WEST", "d6", -1},
		{"NORTHWEST", "d7", -12}, {"NORTHEAST", "f7", -10}, {"SOUTHEAST", "f5", 12}, {"SOUTHWEST", "d5", 10},
	} {
		e6 := square(t, "e6")
		if got := bitboard.Of(e6).Shift(d).First(); got != square(t, c.fromE6) || got.Cell()-e6.Cell() != c.offset {
			t.Errorf("%s: e6 to %s, want %s", c.name, got, c.fromE6)
		}
		dir := cotulenh.Directions()[d]
		for cell := range 132 {
			sq := cotulenh.SquareOfCell(cell)
			var want []cotulenh.Square
			if to := sq + cotulenh.Square(uint8(dir)); to.Valid() {
				want = []cotulenh.Square{to}
			}
			if got := bitboard.Of(sq).Shift(d).Squares(); !slices.Equal(got, want) {
				t.Errorf("%s of %s: %v, want %v", c.name, sq, got, want)
			}
		}
	}
}

// A ray ends with the first stack, which is part of it.
func document003Rays(t *testing.T) {
	occupied := bitboard.Of(named(t, "e8 g6 h9 c4")...)
	const want = "e8 e7 f6 g6 e5 e4 e3 d6 c6 b6 d7 c8 b9 f7 g8 h9 f5 g4 h3 d5 c4"
	if got := bitboard.ArtilleryReach(occupied, square(t, "e6")); got != bitboard.Of(named(t, want)...) {
		t.Errorf("%v, want %s", got.Squares(), want)
	}
}

// The document gives a heroic navy no bonus; by the rule book it has level 2. Cargo provides
// no zone in either. The document merges all zones into one mask; by the rule book the
// identity of the provider matters, so two providers differ from one.
func document003AirDefense(t *testing.T) {
	levels := map[cotulenh.Type][2]int{cotulenh.AntiAir: {1, 2}, cotulenh.Missile: {2, 3}, cotulenh.Navy: {1, 2}}
	for typ := cotulenh.Commander; typ <= cotulenh.Headquarters; typ++ {
		for i, heroic := range []bool{false, true} {
			s := stack(t, engine.Second, cotulenh.Member{Type: typ, Heroic: heroic})
			if got := cotulenh.AirDefense(s); got != levels[typ][i] {
				t.Errorf("%s has air defense %d, want %d", s, got, levels[typ][i])
			}
		}
	}
	p := at(t, "10c/11/11/4s6/11/11/2+n8/5(es)5/11/8gg1/11/9C1 r - - 0 1")
	want := bitboard.Circle(square(t, "e9"), 2).Or(bitboard.Circle(square(t, "c6"), 2)).
		Or(bitboard.Circle(square(t, "j3"), 1)).Or(bitboard.Circle(square(t, "i3"), 1))
	if got := p.AirDefense(1); got != want {
		t.Errorf("zone %v, want %v", got.Squares(), want.Squares())
	}
	for sq, providers := range map[string]string{"d8": "e9", "c8": "c6", "j3": "i3 j3", "k12": ""} {
		if got := p.Providers(1, square(t, sq)); got != bitboard.Of(named(t, providers)...) {
			t.Errorf("providers of %s: %v, want %s", sq, got.Squares(), providers)
		}
	}
}

// A zone holds all squares of the board with dx*dx + dy*dy <= level*level.
func document003Circles(t *testing.T) {
	for _, c := range []struct {
		center string
		level  int
		want   string
	}{
		{"e6", 1, "e7 d6 e6 f6 e5"},
		{"e6", 2, "e8 d7 e7 f7 c6 d6 e6 f6 g6 d5 e5 f5 e4"},
		{"e6", 3, "e9 c8 d8 e8 f8 g8 c7 d7 e7 f7 g7 b6 c6 d6 e6 f6 g6 h6 c5 d5 e5 f5 g5 c4 d4 e4 f4 g4 e3"},
		{"a12", 1, "a12 b12 a11"},
		{"a12", 2, "a12 b12 c12 a11 b11 a10"},
		{"k1", 3, "k4 i3 j3 k3 i2 j2 k2 h1 i1 j1 k1"},
	} {
		zone := bitboard.Circle(square(t, c.center), c.level)
		if zone != bitboard.Of(named(t, c.want)...) || !slices.Equal(zone.Squares(), cotulenh.Zone(square(t, c.center), c.level)) {
			t.Errorf("zone %d of %s is %v, want %s", c.level, c.center, zone.Squares(), c.want)
		}
	}
}

// The document keeps one heroic board and one per type. The second is the intersection with
// the boards of leads, so it is not stored.
func document003HeroicBoards(t *testing.T) {
	p := at(t, "10c/11/11/11/11/11/11/11/2(N+F)2+t5/11/4+T6/6C4 r - - 0 1")
	if got := p.Heroic(); got != bitboard.Of(named(t, "f4 e2")...) {
		t.Errorf("heroic leads on %v, want f4 and e2: a heroic member of the cargo is in the stack contents only", got.Squares())
	}
	if got := p.Heroic().And(p.Leads(engine.First, cotulenh.Tank)); got != bitboard.Of(named(t, "e2")...) {
		t.Errorf("heroic red tanks on %v", got.Squares())
	}
}

// A stack gives its lead (carrier), its members with their heroic flags, and its side. The
// document looks them up in a map by square, here it is an array.
func document003StackInfo(t *testing.T) {
	members := []cotulenh.Member{{Type: cotulenh.Navy}, {Type: cotulenh.AirForce, Heroic: true}, {Type: cotulenh.Tank}}
	p := at(t, "10c/11/11/11/11/11/11/11/2(n+ft)8/11/11/6C4 r - - 0 1")
	s := p.At(square(t, "c4"))
	if s.Lead() != cotulenh.Navy || s.Side() != engine.Second || !slices.Equal(s.Members(), members) {
		t.Errorf("%s: lead %d, side %d, members %v", s, s.Lead(), s.Side(), s.Members())
	}
	if p.At(square(t, "d4")) != cotulenh.Empty {
		t.Error("d4 is not empty")
	}
}

// Every type has a table of what it reaches from each square of an empty board. In the
// document the table of a type is one board; by the rule book moves depend on terrain and
// captures do not, so there are two.
func document003Tables(t *testing.T) {
	for _, c := range []struct {
		typ            cotulenh.Type
		from           string
		moves, attacks int
	}{
		{cotulenh.Infantry, "e6", 4, 4}, {cotulenh.Infantry, "c6", 3, 4}, {cotulenh.Tank, "e6", 8, 8},
		{cotulenh.Artillery, "g10", 21, 21}, {cotulenh.Navy, "b2", 11, 14}, {cotulenh.Headquarters, "e6", 0, 0},
	} {
		moves, attacks := bitboard.TableOf(c.typ, square(t, c.from))
		if moves.Count() != c.moves || attacks.Count() != c.attacks {
			t.Errorf("type %d on %s: %d moves and %d captures, want %d and %d", c.typ, c.from, moves.Count(), attacks.Count(), c.moves, c.attacks)
		}
	}
}

// Magic multiplication gives the reach of an artillery, and needs 6.5 MB of tables.
func document003Magic(t *testing.T) {
	occupied := bitboard.Of(named(t, "e8 g6 h9 c4")...)
	for cell := range 132 {
		sq := cotulenh.SquareOfCell(cell)
		if got, want := bitboard.MagicReach(occupied, sq), bitboard.ArtilleryReach(occupied, sq); got != want {
			t.Errorf("%s: %v, want %v", sq, got.Squares(), want.Squares())
		}
	}
}

// The parallel OR of the document loops over the boards.
func document003ParallelOr(t *testing.T) {
	p, all := bitboard.New(), bitboard.Board{}
	for typ := cotulenh.Commander; typ <= cotulenh.Headquarters; typ++ {
		all = all.Or(p.Leads(engine.First, typ))
	}
	if all != p.Occupied(engine.First) {
		t.Error("the union of the leads is not the occupancy")
	}
}

// The document groups the boards of both sides by how often they are read. Here the boards
// of a side are together, because a query reads those of one side.
func document003Layout(t *testing.T) {
	if size := bitboard.SizeOfBoards(); size != 2*(1+11)*24+24 {
		t.Errorf("the boards take %d bytes, want 25 boards of 24 bytes", size)
	}
}

// Phase 1 keeps the mailbox as the primary representation beside boards: package cotulenh
// does so with its occupancy sets. Phase 2 moves generation to boards and keeps the stacks
// hybrid: this package. Phase 3, boards alone, has no place for stacks.
func document003Phases(t *testing.T) {
	p := at(t, cotulenh.StartText)
	m := must.Get(p.ParseMove("Ic5&c4"))(t)
	p.Do(m)
	sq := square(t, "c4")
	if !p.Occupied(engine.First).Test(sq) || p.At(sq) != p.mailbox.At(sq) || !p.At(sq).HasCargo() {
		t.Errorf("c4 holds %v, on the mailbox %v", p.At(sq), p.mailbox.At(sq))
	}
}

// The adapter has the interface of the other engine.
func document003Adapter(t *testing.T) {
	var p engine.Evaluator = bitboard.New()
	if list := p.Moves(nil); len(list) != 116 || fmt.Sprint(p) != cotulenh.StartText {
		t.Errorf("%d steps from %v, want 116 from the start", len(list), p)
	}
}

// toBig and fromBig convert to one big number, bit by square.
func toBig(b bitboard.Board) *big.Int {
	n := new(big.Int)
	for _, sq := range b.Squares() {
		n.SetBit(n, int(sq), 1)
	}
	return n
}

func fromBig(n *big.Int) (b bitboard.Board) {
	for cell := range 132 {
		if sq := cotulenh.SquareOfCell(cell); n.Bit(int(sq)) == 1 {
			b.Set(sq)
		}
	}
	return b
}
