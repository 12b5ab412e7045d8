package cotulenh_test

import (
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Design document 003, "Bitboard Architecture Design", proposes another representation and
// sketches rules. This file checks what its tables and examples say about the game. The
// rule book overrides most of its rules.

func TestSeed003(t *testing.T) {
	sections(t, []section{
		{"Board Representation Strategy", document003Squares},
		{"Piece Bitboards", document003Pieces},
		{"Occupancy Bitboards", document003Occupancy},
		{"Terrain Representation", document003Terrain},
		{"Directional Shifts", document003Shifts},
		{"Infantry/Engineer Move Generation", document003Infantry},
		{"Tank Move Generation", document003Tank},
		{"Air Force Move Generation", document003AirForce},
		{"Commander Special Rules", document003Commander},
		{"Air Defense Zone Generation", document003AirDefense},
		{"Circular Zones", document003Circles},
		{"Heroic Status Tracking", document003Heroes},
		{"Stack System Challenges", document003StackInfo},
		{"Stack Move Generation", document003StackMoves},
	})
}

// cell returns the index of a square among the 132 squares, row by row from a12.
func cell(sq cotulenh.Square) int { return sq.Rank()*11 + sq.File() }

// The document puts 132 squares into two words of 64 bits, which hold only 128. It numbers
// rank 5 from 88 and rank 4 from 99; by its own formula rank*11 + file these are the numbers
// of ranks 4 and 3.
func document003Squares(t *testing.T) {
	for _, c := range []struct {
		first, last string
		from, to    int
	}{
		{"a12", "k12", 0, 10}, {"a11", "k11", 11, 21}, {"a5", "k5", 77, 87}, {"a4", "k4", 88, 98}, {"a1", "k1", 121, 131},
	} {
		if from, to := cell(square(t, c.first)), cell(square(t, c.last)); from != c.from || to != c.to {
			t.Errorf("%s to %s are %d to %d, want %d to %d", c.first, c.last, from, to, c.from, c.to)
		}
	}
	if last := cell(square(t, "k1")); last < 128 {
		t.Errorf("the last square is %d, want one beyond two words of 64 bits", last)
	}
}

// 11 types per side are 22 kinds of lone piece.
func document003Pieces(t *testing.T) {
	kinds := map[cotulenh.Stack]bool{}
	for typ := cotulenh.Commander; typ <= cotulenh.Headquarters; typ++ {
		kinds[stack(t, engine.First, plain(typ)...)] = true
		kinds[stack(t, engine.Second, plain(typ)...)] = true
	}
	if len(kinds) != 22 || kinds[cotulenh.Empty] {
		t.Errorf("%d kinds of lone piece, want 22", len(kinds))
	}
}

func document003Occupancy(t *testing.T) {
	p := cotulenh.New()
	red, blue := p.Pieces(engine.First), p.Pieces(engine.Second)
	taken := map[cotulenh.Square]bool{}
	for _, sq := range slices.Concat(red, blue) {
		taken[sq] = true
	}
	if len(taken) != len(red)+len(blue) {
		t.Error("a square is listed for both sides")
	}
	for _, sq := range board() {
		if got, want := p.At(sq) != cotulenh.Empty, taken[sq]; got != want {
			t.Errorf("%s: occupied %t, listed %t", sq, got, want)
		}
	}
}

// The document counts the bridges f6 f7 h6 h7 as mixed and omits file c, so its navy may
// stand on 32 squares. By the rule book it may stand on files a to c and on d6 e6 d7 e7, 40
// squares; the bridges are land.
func document003Terrain(t *testing.T) {
	navy, land := 0, 0
	for _, sq := range board() {
		if cotulenh.CanStand(cotulenh.Navy, sq) {
			navy++
		}
		if cotulenh.CanStand(cotulenh.Infantry, sq) {
			land++
		}
	}
	if navy != 40 || land != 108 {
		t.Errorf("%d squares for navy and %d for land pieces, want 40 and 108", navy, land)
	}
	for _, bridge := range []string{"f6", "f7", "h6", "h7"} {
		if s := square(t, bridge); cotulenh.TerrainAt(s) != cotulenh.Land || cotulenh.CanStand(cotulenh.Navy, s) {
			t.Errorf("bridge %s is not plain land", bridge)
		}
	}
}

// The document's offsets belong to a board 11 wide. They are differences of cells here, not
// of squares.
func document003Shifts(t *testing.T) {
	for _, c := range []struct {
		name         string
		offset, want int
	}{
		{"NORTH", cotulenh.North, -11}, {"SOUTH", cotulenh.South, 11}, {"EAST", cotulenh.East, 1}, {"WEST", cotulenh.West, -1},
		{"NORTHEAST", cotulenh.NorthEast, -10}, {"NORTHWEST", cotulenh.NorthWest, -12},
		{"SOUTHEAST", cotulenh.SouthEast, 12}, {"SOUTHWEST", cotulenh.SouthWest, 10},
	} {
		e6 := square(t, "e6")
		next := cotulenh.Square(int(e6) + c.offset)
		if got := cell(next) - cell(e6); got != c.want {
			t.Errorf("%s: %s to %s is %d cells, want %d", c.name, e6, next, got, c.want)
		}
	}
}

// One square along a rank or file, on land. In the document no step enters an own square;
// by the rule book a valid combination does.
func document003Infantry(t *testing.T) {
	checkListings(t, []listing{
		{"infantry in the open", "10c/11/11/11/11/11/11/11/4I6/11/11/6C4 r - - 0 1", "Ie4", "e5 f4 e3 d4"},
		{"engineer in the open", "10c/11/11/11/11/11/11/11/4E6/11/11/6C4 r - - 0 1", "Ee4", "e5 f4 e3 d4"},
		{"infantry on the shore", "10c/11/11/11/11/11/11/11/2I8/11/11/6C4 r - - 0 1", "Ic4", "c5 d4 c3"},
		{"infantry joins a tank, not a militia", "10c/11/11/11/11/11/11/4T6/4IM5/11/11/6C4 r - - 0 1", "Ie4", "&e5 e3 d4"},
	})
}

// In the document a tank captures behind a piece, but never on water. By the rule book the
// first piece blocks it, and it captures on water without moving.
func document003Tank(t *testing.T) {
	checkListings(t, []listing{
		{"two squares in each direction", "10c/11/11/11/11/11/11/11/4T6/11/11/6C4 r - - 0 1", "Te4", "e5 e6 f4 g4 e3 e2 d4 c4"},
		{"the first piece blocks it", "10c/11/11/11/11/11/4i6/4i6/4T6/11/11/6C4 r - - 0 1", "Te4", "xe5 f4 g4 e3 e2 d4 c4"},
		{"a navy on water is captured without moving", "10c/11/11/11/11/11/11/11/1n1T7/11/11/6C4 r - - 0 1", "Td4", "d5 d6 e4 f4 d3 d2 c4 _b4"},
	})
}

// In the document only the zone of the target square counts, an air force lands on any
// terrain, and a capture is normal or suicide. By the rule book zones on the way count, an air
// force does not land on files a and b, and it may also capture and stay.
func document003AirForce(t *testing.T) {
	const zone = "10c/11/11/11/4i6/11/11/5g5/4F6/11/11/9C1 r - - 0 1"
	for _, c := range []struct{ point, text, squares, want string }{
		{"a capture with and without moving", "10c/11/11/11/4i6/11/11/11/4F6/11/11/9C1 r - - 0 1", "e8", "xe8 _e8"},
		{"a suicide inside a zone", zone, "f5", "@f5"},
		{"no landing inside a zone", zone, "e5 f4", ""},
		{"no capture beyond a zone, unlike the document", zone, "e8", ""},
		{"over own pieces", "10c/11/11/11/11/4I6/4I6/4I6/4F6/11/11/9C1 r - - 0 1", "e8", "e8"},
		{"no landing on water, unlike the document", "10c/11/11/11/11/11/11/11/4F6/11/11/9C1 r - - 0 1", "a4 b4 c4", "c4"},
	} {
		t.Run(c.point, func(t *testing.T) {
			wantAmong(t, at(t, c.text), "Fe4", c.squares, c.want)
		})
	}
}

// In the document a commander captures the other commander at any range and only may not
// step between. By the rule book it captures on adjacent squares only, and every exposed square
// ends its ray.
func document003Commander(t *testing.T) {
	const blocked = "10c/11/11/11/11/11/6t4/11/3I2C1t2/11/6t4/11 r - - 0 1"
	for _, c := range []struct{ point, text, mover, squares, want string }{
		{"moves at any distance", "11/9c1/11/11/11/11/11/11/11/11/6I4/6C4 r - - 0 1", "Cg1", "h1 i1 j1 k1 f1 e1 d1 c1 b1", "h1 i1 f1 e1 d1 c1"},
		{"an own piece blocks", blocked, "Cg4", "d4 c4", ""},
		{"an enemy two squares away is not captured", blocked, "Cg4", "g6 i4 g2", ""},
		{"an adjacent enemy is captured", "10c/11/11/11/11/11/11/6m4/6C4/11/11/11 r - - 0 1", "Cg4", "g5", "xg5"},
		{"a distant commander is not captured, unlike the document", "11/11/11/11/4c6/11/11/4C6/11/11/11/11 r - - 0 1", "Ce5", "e6 e7 e8", ""},
		{"an adjacent commander is captured", "11/11/11/11/11/11/4c6/4C6/11/11/11/11 r - - 0 1", "Ce5", "e6", "xe6"},
		{"an exposed square ends the ray, unlike the document", "5c5/11/11/11/11/11/11/11/11/4I6/11/3C7 r - - 0 1", "Cd1", "e1 f1 g1 h1", "e1"},
	} {
		t.Run(c.point, func(t *testing.T) {
			wantAmong(t, at(t, c.text), c.mover, c.squares, c.want)
		})
	}
}

// The document gives a heroic navy no bonus; by the rule book it has level 2.
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
	if s := stack(t, engine.First, plain(cotulenh.Navy, cotulenh.AirForce)...); cotulenh.AirDefense(s) != 1 {
		t.Errorf("%s has air defense %d, want 1", s, cotulenh.AirDefense(s))
	}
	if s := stack(t, engine.First, plain(cotulenh.Engineer, cotulenh.Missile)...); cotulenh.AirDefense(s) != 0 {
		t.Errorf("%s has air defense %d, want 0: cargo provides none", s, cotulenh.AirDefense(s))
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
		got := map[string]bool{}
		zone := cotulenh.Zone(square(t, c.center), c.level)
		for i, sq := range zone {
			got[sq.String()] = true
			if i > 0 && zone[i-1] >= sq {
				t.Errorf("zone %d of %s is not in board order: %v", c.level, c.center, zone)
			}
		}
		want := words(c.want)
		if len(got) != len(want) || len(zone) != len(want) || slices.ContainsFunc(want, func(s string) bool { return !got[s] }) {
			t.Errorf("zone %d of %s is %v, want %v", c.level, c.center, zone, want)
		}
	}
}

// In the document the piece that moved is promoted if it attacks the commander. By the rule
// book every piece that attacks it is promoted.
func document003Heroes(t *testing.T) {
	const before = "8I1c/11/10T/11/11/11/11/11/11/11/11/6C4 r - - 0 1"
	for _, c := range []struct{ point, step, want string }{
		{"the piece that moved", "Ii12j12", "9+Ic/11/10+T/11/11/11/11/11/11/11/11/6C4 b - - 1 1"},
		{"a piece that did not move", "Cg1h1", "8I1c/11/10+T/11/11/11/11/11/11/11/11/7C3 b - - 1 1"},
		{"not a piece that attacks no longer", "Tk10i10", "8I1c/11/8T2/11/11/11/11/11/11/11/11/6C4 b - - 1 1"},
	} {
		t.Run(c.point, func(t *testing.T) {
			if got := play(t, before, c.step).String(); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.step, got, c.want)
			}
		})
	}
}

// A stack gives its lead, its members with their heroic flags, and its side.
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

// In the document the lead moves the whole stack and cargo deploys. By the rule book the lead
// deploys too.
func document003StackMoves(t *testing.T) {
	const text = "10c/11/11/11/11/11/11/11/4(TI)6/11/11/6C4 r - - 0 1"
	checkListings(t, []listing{
		{"the whole stack", text, "(TI)e4", "e5 e6 f4 g4 e3 e2 d4 c4"},
		{"the cargo", text, "Ie4", ">e5 >f4 >e3 >d4"},
		{"the lead alone", text, "Te4", ">e5 >e6 >f4 >g4 >e3 >e2 >d4 >c4"},
	})
}
