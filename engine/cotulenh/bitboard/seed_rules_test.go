package bitboard_test

import "testing"

// Move generation of design document 003, on both engines. The rule book overrides most of
// its rules: each comment states the document's value first.

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
			if got := play(t, before, c.step).bitboard.String(); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.step, got, c.want)
			}
		})
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
