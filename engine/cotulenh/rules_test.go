package cotulenh_test

import (
	"slices"
	"strings"
	"testing"

	"selfplay/engine/cotulenh"
)

// This file tests the traps of the rule book that a list of legal steps shows. Case names
// start with the number of the trap, ruling or section. rules_session_test.go holds
// sessions, rules_turn_test.go promotions, clocks and ends.

// stepsOf returns the sorted steps of a mover such as "Tc3" or "(TI)e4", without the
// mover: "xd3", ">&c5".
func stepsOf(p *cotulenh.Position, mover string) []string {
	var list []string
	for _, step := range steps(p) {
		rest, ok := strings.CutPrefix(step, mover)
		if ok && (rest[0] < '0' || rest[0] > '9') { // Te12 is not a step of Te1
			list = append(list, rest)
		}
	}
	return list
}

func words(text string) []string {
	list := strings.Fields(text)
	slices.Sort(list)
	return list
}

// listing is a mover in a position and its complete list of steps.
type listing struct{ trap, text, mover, want string }

func checkListings(t *testing.T, list []listing) {
	t.Helper()
	for _, l := range list {
		t.Run(l.trap+" "+l.mover, func(t *testing.T) {
			got, want := stepsOf(at(t, l.text), l.mover), words(l.want)
			if extra, missing := difference(got, want); !slices.Equal(got, want) {
				t.Errorf("%s\n got %v\nwant %v\nunexpected %v, missing %v", l.text, got, want, extra, missing)
			}
		})
	}
}

func TestRaysWithTerrainAndBlockers(t *testing.T) {
	const (
		airForceOverWater     = "10c/11/11/11/11/n10/11/2i8/1n1F7/11/11/6C4 r - - 0 1"
		tankBlocked           = "10c/11/11/11/11/11/4i6/4i6/4TIi4/11/11/6C4 r - - 0 1"
		acrossTheRiver        = "10c/11/11/11/6A4/11/4t6/3i2i4/11/11/11/6C4 r - - 0 1"
		engineerWithArtillery = "10c/11/11/11/11/4(EA)6/11/11/11/11/11/6C4 r - - 0 1"
	)
	checkListings(t, []listing{
		{"TR-1 air force over water", airForceOverWater, "Fd4",
			"d5 d6 d7 d8 e4 f4 g4 h4 d3 d2 d1 @b4 xc5 _c5 @a7 e5 f6 g7 h8 e3 f2 &g1 c3"},
		{"TR-2 the first piece blocks a tank", tankBlocked, "Te4", "xe5 &f4 e3 e2 d4 c4"},
		{"TR-3 artillery captures across the river", acrossTheRiver, "Ag8",
			"g9 g10 g11 h8 i8 j8 g7 xg5 f8 e8 d8 f9 e10 d11 h9 i10 j11 h7 f7 xe6 xd5"},
		{"TR-4 heavy piece crosses on file f", "10c/11/11/11/5A5/11/11/11/11/11/11/6C4 r - - 0 1", "Af8",
			"f9 f10 f11 g8 h8 i8 f7 f6 f5 e8 d8 c8 e9 d10 c11 g9 h10 i11 g7 e7"},
		{"TR-4 heavy piece on file g does not cross", "10c/11/11/11/11/6G4/11/11/11/11/11/6C4 r - - 0 1", "Gg7", "g8 h7 f7"},
		{"TR-4 heavy piece crosses on file h", "10c/11/11/11/11/7S3/11/11/11/11/11/6C4 r - - 0 1", "Sh7",
			"h8 h9 i7 j7 h6 h5 g7 f7 g8 i8"},
		{"TR-4 engineer with artillery crosses", engineerWithArtillery, "(EA)e7", "e8 f7 e6 d7"},
		{"TR-4 artillery of an engineer does not cross", engineerWithArtillery, "Ae7", ">e8 >e9 >e10 >f7 >g7 >h7 >d7 >c7 >d8 >c9 >f8 >g9 >h10"},
		{"TR-5 navy does not cross the diagonal barrier", "10c/11/11/11/11/11/11/11/1N9/11/11/6C4 r - - 0 1", "Nb4",
			"b5 b6 b7 b8 c4 b3 b2 b1 a4 a5 c5 c3 a3"},
		{"TR-5 navy on d6", "10c/11/11/11/11/11/3N7/11/11/11/11/6C4 r - - 0 1", "Nd6", "d7 e6 c6 b6 a6 c7 b8 a9 e7"},
		{"TR-5 navy on d7", "10c/11/11/11/11/3N7/11/11/11/11/11/6C4 r - - 0 1", "Nd7", "e7 d6 c7 b7 a7 e6 c6 b5 a4"},
		{"TR-5 navy captures over the diagonal barrier", "10c/11/11/11/11/4i6/3n7/11/1N9/11/11/6C4 r - - 0 1", "Nb4",
			"b5 b6 b7 b8 c4 b3 b2 b1 a4 a5 c5 xd6 xe7 c3 a3"},
		{"TR-18 only a navy blocks a navy", "10c/11/11/11/11/2i8/2n8/2N8/2T8/2i8/11/9C1 r - - 0 1", "Nc5",
			"xc6 xc7 &c4 xc3 c2 c1 b5 a5 b6 a7 b4 a3"},
	})
}

func TestRaysOfTheCommander(t *testing.T) {
	checkListings(t, []listing{
		{"TR-7 heroic commander moves diagonally", "11/11/11/11/11/11/11/11/11/8+c2/11/6C4 b - - 0 1", "+Ci3",
			"i4 i5 i6 i7 i8 i9 i10 i11 i12 j3 k3 i2 h3 h4 j4 k5 j2 h2"},
		{"TR-7 heroic commander captures adjacent squares only", "10c/11/11/11/11/4i6/5i5/4+C6/11/6i4/11/11 r - - 0 1", "+Ce5",
			"xf6 g5 h5 i5 j5 e4 e3 e2 e1 d5 c5 d6 c7 f4 d4 c3"},
		{"TR-8 facing commanders", "11/11/11/11/4c6/11/11/4C6/11/11/11/11 r - - 0 1", "Ce5", "f5 g5 h5 i5 j5 k5 d5 c5"},
		{"TR-8 adjacent commanders", "11/11/11/11/11/11/4c6/4C6/11/11/11/11 r - - 0 1", "Ce5",
			"xe6 f5 g5 h5 i5 j5 k5 d5 c5"},
		{"TR-9 tank with commander, whole stack", "4c6/11/11/11/11/11/11/11/11/11/11/3(TC)7 r - - 0 1", "(TC)d1", "d2 d3 f1 c1"},
		{"TR-9 tank with commander, tank deploys", "4c6/11/11/11/11/11/11/11/11/11/11/3(TC)7 r - - 0 1", "Td1",
			">d2 >d3 >e1 >f1 >c1"},
		{"TR-9 tank with commander, commander deploys", "4c6/11/11/11/11/11/11/11/11/11/11/3(TC)7 r - - 0 1", "Cd1",
			">d2 >d3 >d4 >d5 >d6 >d7 >d8 >d9 >d10 >d11 >c1"},
		{"TR-9 facing a carried commander", "5(tc)5/11/11/11/11/11/11/11/11/11/11/3C7 r - - 0 1", "Cd1",
			"d2 d3 d4 d5 d6 d7 d8 d9 d10 d11 e1 c1"},
		{"TR-19 exposed squares cut the ray", "5c5/11/11/11/11/11/11/11/11/4I6/11/3C7 r - - 0 1", "Cd1",
			"d2 d3 d4 d5 d6 d7 d8 d9 d10 d11 e1 c1"},
		{"section 22 commander at the start", cotulenh.StartText, "Cg1", "g2 h1 i1 j1 k1 f1 e1 d1 c1"},
	})
}

func TestRaysThroughAirDefense(t *testing.T) {
	checkListings(t, []listing{
		{"TR-16 one zone allows suicides only and ends the ray behind it", "10c/11/11/11/4i6/11/11/5g5/4F6/11/11/9C1 r - - 0 1", "Fe4",
			"e3 e2 e1 d4 c4 d5 c6 @f5 f3 g2 h1 d3 c2"},
		{"TR-33 the start square in a zone does not count", "10c/11/11/11/5i5/11/11/4g6/4F6/11/11/6C4 r - - 0 1", "Fe4",
			"@e5 f4 g4 h4 i4 e3 e2 e1 d4 c4 f3 g2 h1 d3 c2"},
		{"TR-23 a promoted provider has a wider zone", "10c/11/11/11/11/11/11/4+G6/11/10i/7f3/2C8 b - - 1 1", "Fh2",
			"@e5 h3 h4 h5 h6 i2 j2 k2 h1 g2 f2 e2 d2 g3 i3 j4 k5 i1 g1"},
	})
}

// Air defense is a function of the board (H1). Earlier positions of a provider do not
// matter.
func TestAirDefenseDependsOnTheBoardOnly(t *testing.T) {
	const (
		heroicLater = "10c/11/11/11/11/8g2/11/4G3F2/11/10i/7f3/2C8 r - - 0 1"
		uncovered   = "10c/11/11/4I6/11/11/11/5(EG)1f2i/11/11/11/2C8 r - - 0 1"
		covered     = "10c/11/11/4I6/11/11/11/4EG1f2i/11/11/11/2C8 r - - 0 1"
	)
	for _, c := range []struct{ trap, text, played, mover, squares, want string }{
		{"TR-23 last guard is promoted", heroicLater, "Fi5@i7", "Fh2", "g3 f4 e5 d6", "g3 @e5"},
		{"TR-24 engineer uncovers a provider", uncovered, "Ef5>f6 commit", "Fh5", "g5 f5 e5 d5", "@f5"},
		{"TR-24 engineer covers a provider", covered, "Ee5&f5", "Fh5", "g5 f5 e5 d5", "g5 xf5 _f5 e5 d5"},
	} {
		t.Run(c.trap, func(t *testing.T) {
			p := play(t, c.text, c.played)
			wantAmong(t, p, c.mover, c.squares, c.want)
			wantAmong(t, at(t, p.String()), c.mover, c.squares, c.want)
		})
	}
}

// Danger is tested with the zones after the step and its promotions (H1).
func TestDangerUsesZonesAfterPromotions(t *testing.T) {
	const (
		shield = "10c/11/11/11/2i8/4f6/11/4(EG)6/11/4C6/11/11 r - - 0 1"
		bare   = "10c/11/11/11/2i8/4f6/11/3EG6/11/4C6/11/11 r - - 0 1"
	)
	checkListings(t, []listing{
		{"TR-24b uncovering an anti-air ends the check", shield, "Ee5", ">d5 >e4 >e6 >f5"},
		{"TR-24b the anti-air deploys where it ends the check", shield, "Ge5", ">e6 >f5 >d5"},
		{"TR-24b the whole stack has no zone", shield, "(EG)e5", ""},
		{"TR-24b an engineer may not cover the anti-air", bare, "Ed5", "d6 d4 c5"},
		{"TR-24b the anti-air may not join the engineer", bare, "Ge5", "e6 f5"},
		{"TR-24b a missile promoted by the step protects its commander", "11/11/11/2f3c4/11/2C8/5S1I3/9G1/11/2i8/11/11 r - - 0 1", "Sf6", "f8"},
		{"TR-24b a missile promoted by the step protects its commander, second position", "11/11/11/5C5/5GS4/4iI5/2f8/6c4/11/11/11/11 r - - 0 1", "Sg8",
			"g10 g7 g9 h9"},
		{"H1 a navy promoted by the commander's step lets an enemy air force through", "8(ES)2/11/11/2c8/6f4/4(NI)6/3C7/11/11/11/11/6(tm)4 r - - 0 1",
			"Cd6", "d7 f6 g6 h6 j6 k6 d5 d4 d3 d2 d1"},
		{"H1 a navy promoted by the step of another piece lets an enemy air force through", "3I7/11/11/6g4/3(tc)7/6(TM)4/3n7/6e4/2(FM)(FC)7/7+T3/4G2E3/4+G6 b - - 0 1", "Eg5", ""},
	})
}

// wantAmong compares the steps of a mover that lead to the given squares.
func wantAmong(t *testing.T, p *cotulenh.Position, mover, squares, want string) {
	t.Helper()
	among := words(squares)
	got := slices.DeleteFunc(stepsOf(p, mover), func(step string) bool {
		return !slices.Contains(among, strings.TrimLeft(step, ">_x@&"))
	})
	if !slices.Equal(got, words(want)) {
		t.Errorf("%s: steps of %s to %s are %v, want %v", p, mover, squares, got, words(want))
	}
}

// These traps concern only some target squares.
func TestStepsToSomeSquares(t *testing.T) {
	const (
		twoProviders = "10c/11/11/11/11/4g6/4g6/11/4F2g3/11/11/9C1 r - - 0 1"
		navyRanges   = "10c/11/11/2(nf)8/11/11/11/2N2ti4/11/11/11/2i6C1 r - - 0 1"
		halfExposed  = "11/11/11/11/11/11/11/5ci+C3/11/11/11/11 r - - 0 1"
		lastGuard    = "3(TC)1g5/4F1c4/11/2(NFT)1f6/11/11/11/4F6/11/11/11/11 b - - 0 1"
		navyBetween  = "11/11/11/11/11/11/2(NI)8/11/3f7/2(ft+m)1f1ic2E/n7a2/2(NFC)8 r - - 0 3"
		twoPromoted  = "4M1m4/2I6H1/3+E7/6(+ft)4/N10/6C4/(+ni)6(fm)3/11/5(ea)4f/4(EG)6/9F1/3m1(hc)1+i3 b - - 6 37"
		joins        = "10c/11/11/2T8/2N8/11/3NI6/11/1NT1F6/11/11/3C7 r - - 0 1"
	)
	for _, c := range []struct{ trap, text, mover, squares, want string }{
		{"TR-6 missile reaches one square diagonally", "10c/11/11/11/11/11/11/11/11/8s2/11/6C4 b - - 0 1", "Si3", "h2 g1", "h2"},
		{"TR-15 air force joins inside a zone", "10c/11/11/11/11/11/4Tg5/11/4F6/11/11/6C4 r - - 0 1", "Fe4", "e6", "&e6"},
		{"TR-16 a second zone ends the ray", twoProviders, "Fe4", "e5 e6 e7 e8", ""},
		{"TR-16 one zone allows a suicide", twoProviders, "Fe4", "f4 g4 h4 i4", "f4 @h4"},
		{"TR-17 tank captures and stays", "10c/11/11/11/11/11/11/11/1n(TI)8/11/11/9C1 r - - 0 1", "Tc4", "b4", ">_b4"},
		{"TR-17 cargo captures and stays", "10c/11/11/11/11/11/11/11/1n(TI)8/11/11/9C1 r - - 0 1", "Ic4", "b4", ">_b4"},
		{"TR-17 whole stack captures and stays", "10c/11/11/11/11/11/11/11/1n(TI)8/11/11/9C1 r - - 0 1", "(TI)c4", "b4", "_b4"},
		{"TR-18 navy captures a navy one square farther", navyRanges, "Nc5", "c9 f5 g5 c1", "xc9 _f5"},
		{"TR-19 commander passes the other half of an exposed file", halfExposed, "+Ch5", "g6 f7 e8 d9 c10 b11", "e8 d9 c10"},
		{"TR-19 an exposed square ends the ray", halfExposed, "+Ch5", "g4 f3 e2 d1", ""},
		{"H1 a suicide may not leave a last guard whose wider zone lets an air force through", lastGuard, "Fe9", "c9", ""},
		{"H1 a commander's step may not promote a guard whose wider zone lets an air force through", "2A8/6(F+C)2c1/11/8g2/11/11/11/11/11/11/11/11 b - - 0 1", "Cj11", "j8", ""},
		{"H1 a navy in between ends the attacks of a tank and two air forces", navyBetween, "(NI)c6", "c2", "c2"},
		{"TR-30 promotions of a test do not remain", twoPromoted, "(FM)h6", "h7", "h7"},
		{"TR-30 promotions of a test do not appear in steps", twoPromoted, "(+FM)h6", "h7", ""},
		{"TR-31 no suicide with the commander as cargo", "10c/11/11/11/11/11/4g6/11/4(FC)6/11/11/11 r - - 0 1", "(FC)e4", "e6", ""},
		{"TR-31 suicide by deployment without the commander", "10c/11/11/11/11/11/4g6/11/4(FC)6/11/11/11 r - - 0 1", "Fe4", "e6", ">@e6"},
		{"TR-41 tank joins on land, not on water", joins, "Tc4", "b4 e4", "&e4"},
		{"TR-41 infantry joins a navy on a mixed square", joins, "Ie6", "d6 e4", "&d6"},
		{"TR-41 air force joins on any terrain", joins, "Fe4", "e6 c4 b4", "&e6 &c4 &b4"},
		{"TR-41 tank joins a navy on file c", joins, "Tc9", "c8", "&c8"},
		{"TR-41 navy joins land pieces on file c", joins, "Nc8", "c9 c4", "&c9 &c4"},
	} {
		t.Run(c.trap+" "+c.mover, func(t *testing.T) {
			wantAmong(t, at(t, c.text), c.mover, c.squares, c.want)
		})
	}
}

// For these traps the complete list of the position is known.
func TestCompleteLists(t *testing.T) {
	for _, c := range []struct{ trap, text, want string }{
		{"TR-10 no legal turn, headquarter with commander", "3c7/11/11/11/11/11/11/11/10a/11/9tt/7a1t(HC) r - - 0 1", ""},
		{"TR-10 no legal turn, tank with commander", "n2c7/11/11/11/11/11/11/11/7a2a/11/9tt/8at(TC) r - - 0 1", ""},
		{"TR-11 the first deploy step of another stack must end the check", "3c7/11/11/11/11/11/11/11/11/6t4/4(TI)6/6C4 r - - 0 1",
			"Te2>g2 (TI)e2g2 Cg1h1 Cg1j1 Cg1k1 Cg1f1"},
		{"TR-14 a capture may not promote a last enemy guard that then gives check", "7c3/11/11/11/11/11/11/6I4/4t1i4/11/11/2I1C6 r - - 0 1",
			"Ig5g6 Ig5h5 Ig5f5 Ic1c2 Ic1d1 Ce1f1 Ce1g1 Ce1d1"},
		{"TR-14 any step promotes the enemy's last guard", "10c/11/11/11/11/11/11/11/4t6/11/11/4C5I r - - 0 1",
			"Ce1c1 Ce1d1 Ce1f1 Ce1g1 Ce1i1 Ce1j1"},
		{"TR-36 no steps without a commander", "10c/11/11/11/11/11/11/4(FI)6/4T6/11/11/11 r - - 0 1", ""},
	} {
		t.Run(c.trap, func(t *testing.T) {
			if got, want := steps(at(t, c.text)), words(c.want); !slices.Equal(got, want) {
				t.Errorf("%s\n got %v\nwant %v", c.text, got, want)
			}
		})
	}
}

// Check means that the commander is attacked. A check does not imply a legal capture, and
// facing commanders are not check.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		trap, text string
		want       bool
	}{
		{"TR-6 missile two squares away diagonally", "10c/11/11/11/11/11/11/11/11/8s2/11/6C4 r - - 0 1", true},
		{"TR-7 heroic commander two squares away", "11/11/11/11/11/11/11/11/11/8+c2/11/6C4 r - - 0 1", true},
		{"section 11 facing commanders are not check", "11/11/11/11/4c6/11/11/4C6/11/11/11/11 r - - 0 1", false},
		{"section 11 adjacent commanders are check", "11/11/11/11/11/11/4c6/4C6/11/11/11/11 r - - 0 1", true},
		{"TR-36 a missing own commander is check", "10c/11/11/11/11/11/11/4(FI)6/4T6/11/11/11 r - - 0 1", true},
		{"TR-37 a missing enemy commander is not check", "11/11/11/11/11/11/11/11/4T6/11/11/3C7 r - - 0 1", false},
		{"section 11 a headquarter attacks nothing", "10c/11/11/11/11/11/11/11/11/11/6h4/6C4 r - - 0 1", false},
		{"section 11 a heroic headquarter attacks", "10c/11/11/11/11/11/11/11/11/11/6+h4/6C4 r - - 0 1", true},
		{"section 11 cargo attacks", "10c/11/11/11/11/11/11/11/11/11/6(eg)4/6C4 r - - 0 1", true},
		{"section 11 navy attacks a land target three squares away", "10c/11/11/11/11/11/11/11/2n8/11/11/2C8 r - - 0 1", true},
		{"section 11 navy does not attack a land target four squares away", "10c/11/11/11/11/11/11/2n8/11/11/11/2C8 r - - 0 1", false},
		{"section 11 navy attacks a navy with the commander four squares away", "10c/11/11/11/11/11/11/2n8/11/11/11/2(NC)8 r - - 0 1", true},
	} {
		t.Run(c.trap, func(t *testing.T) {
			if got := at(t, c.text).Check(); got != c.want {
				t.Errorf("%s: check %t, want %t", c.text, got, c.want)
			}
		})
	}
}
