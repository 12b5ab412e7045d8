package bitboard_test

import (
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/cotulenh/bitboard"
	"selfplay/engine/enginetest"
)

// Design document 003, "Bitboard Architecture Design for CoTuLenh", has one subtest per
// section. Where the rule book or arithmetic overrules the document, the comment and the
// test state both values. docs/lab/bitboards.md says what was taken, and what it gained.

func TestSeed003(t *testing.T) {
	for _, s := range []struct {
		section string
		check   func(*testing.T)
	}{
		{"Primary Approach: 128-bit Bitboards", document003TwoWords},
		{"Alternative Approach: Single 256-bit Representation", document003BigNumber},
		{"Piece Bitboards (22 total)", document003Pieces},
		{"Occupancy Bitboards", document003Occupancy},
		{"Terrain Bitboards", document003Terrain},
		{"Basic Bitboard Operations", document003Basic},
		{"Bitwise Operations", document003Bitwise},
		{"Directional Shifts", document003Shifts},
		{"Orthogonal and diagonal ray attacks", document003Rays},
		{"Air Defense Zone Generation", document003AirDefense},
		{"Circular Zones", document003Circles},
		{"Heroic Bitboard Management", document003HeroicBoards},
		{"Stack Representation Strategy", document003StackInfo},
		{"Precomputed Attack Tables", document003Tables},
		{"Magic Bitboards for Sliding Pieces", document003Magic},
		{"SIMD Optimization Opportunities", document003ParallelOr},
		{"Structure of Arrays (SoA) Layout", document003Layout},
		{"Migration Strategy", document003Phases},
		{"Compatibility Layer", document003Adapter},
	} {
		t.Run(s.section, s.check)
	}
	enginetest.Rules{Game: pairs(t), Path: "testdata/seed003.txt"}.Run(t) // the sections on moves
}

// The document puts 132 squares into two words of 64 bits, which hold 128: squares 128 to
// 131, h1 to k1, have no bit. It also says that rank 5 is squares 88 to 98 and rank 4 is 99
// to 109; by its formula rank*11 + file they are 77 to 87 and 88 to 98. Boards here have
// three words and the numbers of the rule book, rank*16 + file, which fill 192 bits.
func document003TwoWords(t *testing.T) {
	for name, number := range map[string]int{"a12": 0, "k12": 10, "a11": 11, "a5": 77, "k5": 87, "a4": 88, "k4": 98, "h1": 128, "k1": 131} {
		if got := square(t, name).Cell(); got != number {
			t.Errorf("%s is number %d of the document's formula, want %d", name, got, number)
		}
	}
	for name, board := range map[string]bitboard.Board{
		"a12": {A: 1}, "k12": {A: 1 << 10}, "a11": {A: 1 << 16}, "a8": {B: 1}, "a4": {C: 1}, "k1": {C: 1 << 58},
	} {
		if got := bitboard.Of(square(t, name)); got != board {
			t.Errorf("%s is %x, want %x", name, got, board)
		}
	}
	if n := bitboard.Valid.Count(); n != 132 {
		t.Errorf("%d squares, want 132", n)
	}
}

// The document's alternative is one integer of 256 bits. It holds the same sets.
func document003BigNumber(t *testing.T) {
	a, b := bitboard.Of(named(t, "a12 e6 k1")...), bitboard.Of(named(t, "e6 f6")...)
	if got := fromBig(toBig(a).Or(toBig(a), toBig(b))); got != a.Or(b) {
		t.Errorf("%v, want %v", got.Squares(), a.Or(b).Squares())
	}
	if got := fromBig(toBig(a).And(toBig(a), toBig(b))); got != a.And(b) {
		t.Errorf("%v, want %v", got.Squares(), a.And(b).Squares())
	}
}

// One board per side and type, 22 in all. Like in the document they hold the leads
// (carriers); cargo is only in the stack contents.
func document003Pieces(t *testing.T) {
	p := at(t, "10c/11/11/11/11/11/11/11/2(nft)8/11/4(TI)1T4/6C4 r - - 0 1")
	boards := 0
	for side := range engine.Side(2) {
		all := bitboard.Board{}
		for typ := cotulenh.Commander; typ <= cotulenh.Headquarters; typ++ {
			boards++
			all = all.Or(p.Leads(side, typ))
		}
		if all != p.Occupied(side) {
			t.Errorf("side %d: leads %v, occupied %v", side, all.Squares(), p.Occupied(side).Squares())
		}
	}
	if boards != 22 {
		t.Errorf("%d boards, want 22", boards)
	}
	if got := p.Leads(0, cotulenh.Tank); got != bitboard.Of(named(t, "e2 g2")...) {
		t.Errorf("red tanks on %v", got.Squares())
	}
	if !p.Leads(0, cotulenh.Infantry).Empty() || !p.Leads(1, cotulenh.Tank).Empty() {
		t.Error("cargo is on a board of leads")
	}
}

// Red, blue, all and empty squares.
func document003Occupancy(t *testing.T) {
	p := bitboard.New()
	red, blue := p.Occupied(engine.First), p.Occupied(engine.Second)
	all := red.Or(blue)
	if red.Count() != 19 || blue.Count() != 19 || !red.And(blue).Empty() || all.Not().Count() != 132-38 {
		t.Errorf("%d red, %d blue, %d empty squares, want 19, 19, 94", red.Count(), blue.Count(), all.Not().Count())
	}
	for cell := range 132 {
		sq := cotulenh.SquareOfCell(cell)
		if got, want := all.Test(sq), p.At(sq) != cotulenh.Empty; got != want {
			t.Errorf("%s: occupied %t, want %t", sq, got, want)
		}
	}
}

// Water is files a and b in both. The document's mixed squares are d6 e6 d7 e7 and the four
// bridges, so its navy mask has 32 squares; by the rule book they are file c and d6 e6 d7
// e7, and the navy mask has 40. The document's pure land is files c to k, 108 squares; by the rule
// book 92, and the bridges f6 f7 h6 h7 are among them. It declares zones of heavy pieces but
// never fills them: by the rule book they are ranks 7 to 12 and 1 to 6 of files c to k.
func document003Terrain(t *testing.T) {
	for _, c := range []struct {
		name string
		mask bitboard.Board
		want int
	}{
		{"water", bitboard.Water, 24}, {"mixed", bitboard.Mixed, 16}, {"land", bitboard.Land, 92}, {"bridges", bitboard.Bridges, 4},
		{"navy mask", bitboard.NavyMask, 40}, {"land mask", bitboard.LandMask, 108},
		{"upper bank", bitboard.UpperBank, 54}, {"lower bank", bitboard.LowerBank, 54},
	} {
		if got := c.mask.Count(); got != c.want {
			t.Errorf("%s: %d squares, want %d", c.name, got, c.want)
		}
	}
	if got := bitboard.Of(named(t, "f6 f7 h6 h7")...); got != bitboard.Bridges || !bitboard.Bridges.And(bitboard.Land.Not()).Empty() {
		t.Errorf("bridges are %v", bitboard.Bridges.Squares())
	}
	documentNavy := bitboard.Water.Or(bitboard.Of(named(t, "d6 e6 d7 e7 f6 f7 h6 h7")...))
	if documentNavy.Count() != 32 || documentNavy == bitboard.NavyMask {
		t.Errorf("the document's navy mask has %d squares, want 32, unlike the rule book's", documentNavy.Count())
	}
}

// setBit, clearBit, testBit, popCount and findFirstBit.
func document003Basic(t *testing.T) {
	var b bitboard.Board
	if b.First() != cotulenh.NoSquare || !b.Empty() || b.Count() != 0 {
		t.Error("a new board is not empty")
	}
	for cell := 131; cell >= 0; cell-- {
		sq := cotulenh.SquareOfCell(cell)
		b.Set(sq)
		if !b.Test(sq) || b.First() != sq || b.Count() != 132-cell {
			t.Fatalf("after setting %s: first %s, count %d", sq, b.First(), b.Count())
		}
	}
	if b != bitboard.Valid {
		t.Error("all squares are not the valid squares")
	}
	for cell := range 132 {
		sq := cotulenh.SquareOfCell(cell)
		if b.Clear(sq); b.Test(sq) || b.Count() != 131-cell {
			t.Fatalf("after clearing %s: count %d", sq, b.Count())
		}
	}
}

// and, or, xor, and not under the mask of valid squares.
func document003Bitwise(t *testing.T) {
	a, b := bitboard.Of(named(t, "a12 e6 k1")...), bitboard.Of(named(t, "e6 f6")...)
	for _, c := range []struct {
		name string
		got  bitboard.Board
		want string
	}{
		{"and", a.And(b), "e6"}, {"or", a.Or(b), "a12 e6 f6 k1"}, {"xor", a.Xor(b), "a12 f6 k1"}, {"and not", a.AndNot(b), "a12 k1"},
	} {
		if !slices.Equal(c.got.Squares(), named(t, c.want)) {
			t.Errorf("%s: %v, want %s", c.name, c.got.Squares(), c.want)
		}
	}
	if n := a.Not(); n.Count() != 129 || n.Not() != a || n.And(a) != (bitboard.Board{}) {
		t.Errorf("not: %d squares, want the 129 others", n.Count())
	}
}
