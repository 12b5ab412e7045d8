package cotulenh_test

import (
	"errors"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// This file tests deployment: rulings H2 to H6, and the traps about sessions as the rulings
// decide them.

// After the played steps the session is open and has the listed legal steps.
func TestSessionLists(t *testing.T) {
	const (
		ray     = "10c/11/11/11/11/11/11/10i/11/4(FI)6/11/3C7 r - - 0 1"
		onWater = "10c/11/11/11/(NFI)10/11/11/10i/11/11/11/3C7 r - - 0 1"
		suicide = "10c/11/11/11/11/11/11/2g8/11/2(FT)8/11/9C1 r - - 5 1"
		carried = "10c/11/11/11/11/11/2g8/11/11/2(NFT)8/11/9C1 r - - 5 1"
		stay    = "10c/11/11/11/11/11/11/11/11/2(NFT)1i6/11/9C1 r - - 5 1"
		hero    = "7c3/7(TI)3/11/11/11/11/11/7I2i/11/11/11/3C7 r - - 0 1"
		stuck   = "10c/11/11/11/11/11/11/11/11/(NF)10/11/9C1 r - - 5 1"
		deadEnd = "10c/11/11/11/11/11/11/11/n10/(NT)10/11/9C1 r - - 5 1"
	)
	for _, c := range []struct{ trap, text, played, want string }{
		{"TR-26 a member may join an earlier one", ray, "Fe3>e7", "Ie3>e4 Ie3>f3 Ie3>e2 Ie3>d3 Ie3>&e7 commit"},
		{"TR-27 infantry left on water can only join", onWater, "Na8>a5 Fa8>c8", "Ia8>&a5 Ia8>&c8"},
		{"TR-28 a member may move to the square of a suicide", suicide, "Fc3>@c5",
			"+Tc3>c4 +Tc3>c5 +Tc3>c6 +Tc3>d3 +Tc3>e3 +Tc3>f3 +Tc3>c2 +Tc3>c1 +Tc3>d4 +Tc3>e5 +Tc3>f6 +Tc3>d2 +Tc3>e1 commit"},
		{"TR-28b the lead may move to the square of a suicide", carried, "Fc3>@c6", "Nc3>c4 Nc3>c5 Nc3>c6 Nc3>c7 Nc3>c2 Nc3>c1 Nc3>b3 Nc3>a3" +
			" Nc3>b4 Nc3>a5 Nc3>b2 Nc3>a1 Tc3>c4 Tc3>c5 Tc3>d3 Tc3>e3 Tc3>c2 Tc3>c1 commit"},
		{"TR-28c a member may move to the square of a stay capture", stay, "Nc3>_e3 Fc3>c7",
			"Tc3>c4 Tc3>c5 Tc3>d3 Tc3>e3 Tc3>c2 Tc3>c1 Tc3>&c7 commit"},
		{"TR-38 a member promoted during the session moves as a heroic piece (H2)", hero, "Th11>h10",
			"+Ih11>xh12 +Ih11>i11 +Ih11>j11 +Ih11>&h10 +Ih11>g11 +Ih11>f11 +Ih11>g12 +Ih11>i12" +
				" +Ih11>i10 +Ih11>j9 +Ih11>g10 +Ih11>f9 commit"},
		{"TR-40 air force left on water must deploy", stuck, "Na3>a6",
			"Fa3>&a6 Fa3>c3 Fa3>d3 Fa3>e3 Fa3>c5 Fa3>d6 Fa3>e7 Fa3>c1"},
		{"TR-40 a step without a continuation that can commit is illegal (H6)", deadEnd, "Na3>b3", "Ta3>&b3"},
	} {
		t.Run(c.trap, func(t *testing.T) {
			p := play(t, c.text, c.played)
			if got, want := steps(p), words(c.want); !slices.Equal(got, want) {
				t.Errorf("%s\n got %v\nwant %v", p, got, want)
			}
			if _, open := p.Session(); !open {
				t.Errorf("%s: no session is open", p)
			}
		})
	}
}

// The played steps lead to the position wanted. A text with seven fields is an open
// session; in a text with six fields the turn has ended.
func TestSessionEffects(t *testing.T) {
	const (
		ray     = "10c/11/11/11/11/11/11/10i/11/4(FI)6/11/3C7 r - - 0 1"
		joinBy  = "10c/11/11/11/11/11/11/10i/11/2(NFT)8/11/3C7 r - - 0 1"
		onWater = "10c/11/11/11/(NFI)10/11/11/10i/11/11/11/3C7 r - - 0 1"
		suicide = "10c/11/11/11/11/11/11/2g8/11/2(FT)8/11/9C1 r - - 5 1"
		carried = "10c/11/11/11/11/11/2g8/11/11/2(NFT)8/11/9C1 r - - 5 1"
		stay    = "10c/11/11/11/11/11/11/11/11/2(NFT)1i6/11/9C1 r - - 5 1"
		inZone  = "10c/11/11/11/11/11/11/10i/3g7/2(NFT)8/11/3C7 r - - 0 1"
		hero    = "7c3/7(TI)3/11/11/11/11/11/7I2i/11/11/11/3C7 r - - 0 1"
		rejoin  = "10c/11/11/11/11/11/11/11/11/2(T+I)8/11/9C1 r - - 5 1"
		atSea   = "10c/11/11/11/11/11/11/11/n10/(NT)10/11/9C1 r - - 5 1"
	)
	for _, c := range []struct{ trap, text, played, want string }{
		{"TR-26 the join of the last member ends the turn", ray, "Fe3>e7 Ie3>&e7",
			"10c/11/11/11/11/4(FI)6/11/10+i/11/11/11/3C7 b - - 1 1"},
		{"TR-26 a joining air force becomes the lead of a tank", joinBy, "Tc3>d3 Fc3>&d3",
			"10c/11/11/11/11/11/11/10+i/11/2N(FT)7/11/3C7 r - - 1 1 c3:N:d3"},
		{"TR-26 the former lead joins its former cargo", "10c/11/11/11/11/11/11/10i/11/4(TI)6/11/3C7 r - - 0 1", "Ie3>e4 Te3>&e4",
			"10c/11/11/11/11/11/11/10+i/4(TI)6/11/11/3C7 b - - 1 1"},
		{"TR-27 infantry left on water joins an air force", onWater, "Na8>a5 Fa8>c8 Ia8>&c8",
			"10c/11/11/11/2(FI)8/11/11/N9+i/11/11/11/3C7 b - - 1 1"},
		{"TR-28 the tank moves to the square of the suicide", suicide, "Fc3>@c5 +Tc3>c5",
			"10c/11/11/11/11/11/11/2+T8/11/11/11/9C1 b - - 0 1"},
		{"TR-28b a member lost in a suicide has not landed", carried, "Fc3>@c6", "10c/11/11/11/11/11/11/11/11/2(NT)8/11/9C1 r - - 0 1 c3:(NT):-"},
		{"TR-28b the navy moves to the square of the suicide", carried, "Fc3>@c6 Nc3>c6", "10c/11/11/11/11/11/2N8/11/11/2T8/11/9C1 r - - 0 1 c3:T:c6"},
		{"TR-28c a member that captured and stayed is used up (H4)", stay, "Nc3>_e3",
			"10c/11/11/11/11/11/11/11/11/2(NFT)8/11/9C1 r - - 0 1 c3:(FT):-"},
		{"TR-28c the tank moves to the square of the stay capture", stay, "Nc3>_e3 Tc3>e3",
			"10c/11/11/11/11/11/11/11/11/2(NF)1T6/11/9C1 r - - 0 1 c3:F:e3"},
		{"TR-29 an air force joins inside a zone", inZone, "Tc3>d3 Fc3>&d3",
			"10c/11/11/11/11/11/11/10i/3g7/2N(FT)7/11/3C7 r - - 1 1 c3:N:d3"},
		{"TR-38 a promotion during the session is kept (H2)", hero, "Th11>h10 +Ih11>g11",
			"7c3/6+I4/7+T3/11/11/11/11/7I2+i/11/11/11/3C7 b - - 1 1"},
		{"TR-39 a join keeps heroism (H2)", rejoin, "Tc3>c5 +Ic3>&c5",
			"10c/11/11/11/11/11/11/2(T+I)8/11/11/11/9C1 b - - 6 1"},
		{"TR-40 the tank joins the navy that left it on water", atSea, "Na3>b3 Ta3>&b3", "10c/11/11/11/11/11/11/11/+n10/1(NT)9/11/9C1 b - - 6 1"},
		{"H5 a session stays open while the remaining heroic headquarter can move", "10c/11/11/11/11/11/11/4(HC)6/11/11/11/11 r - - 0 1", "Ce5>e4",
			"10c/11/11/11/11/11/11/4+H6/4C6/11/11/11 r - - 1 1 e5:+H:e4"},
		{"H5 the turn commits when the remaining headquarter cannot move", "10c/11/11/11/11/11/11/4(HC)5I/11/11/11/11 r - - 0 1", "Ce5>e4",
			"10c/11/11/11/11/11/11/4H5I/4C6/11/11/11 b - - 1 1"},
	} {
		t.Run(c.trap, func(t *testing.T) {
			if got := play(t, c.text, c.played).String(); got != c.want {
				t.Errorf("%s, %s\n got %s\nwant %s", c.text, c.played, got, c.want)
			}
		})
	}
}

// A join in a session has no range or path condition and never changes the lead (H3).
func TestJoins(t *testing.T) {
	const (
		open  = "10c/11/11/10i/11/11/11/11/11/2(NFT)8/11/9C1 r - - 0 1"
		zones = "10c/11/11/11/11/11/11/11/3g7/2(NFT)2g5/11/9C1 r - - 0 1"
	)
	for _, c := range []struct{ rule, text, played, mover, squares, want string }{
		{"a tank joins the air force beyond its range", open, "Fc3>f6", "Tc3", "f6", ">&f6"},
		{"a tank joins the navy on water", open, "Nc3>a5", "Tc3", "a5", ">&a5"},
		{"an air force does not reach c7 by itself", zones, "Tc3>c2", "Fc3", "c7", ""},
		{"an air force joins the navy on c7", zones, "Nc3>c7", "Fc3", "c7", ">&c7"},
		{"an air force does not reach e3 by itself", zones, "Nc3>c7", "Fc3", "e3", ""},
		{"an air force does not join a tank, because it would become the lead", zones, "Tc3>e3", "Fc3", "e3", ""},
		{"a member joins a stack of two", open, "Nc3>a5 Fc3>&a5", "Tc3", "a5", ">&a5"},
		{"a member may join on either landing square", open, "Nc3>a5 Fc3>f6", "Tc3", "a5 f6", ">&a5 >&f6"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			wantAmong(t, play(t, c.text, c.played), c.mover, c.squares, c.want)
		})
	}
}

// Commit is legal if the remnant may stand on the origin and the commander is not in danger
// (H5).
func TestCommit(t *testing.T) {
	const facing = "4c6/11/11/11/11/11/11/11/11/11/11/3(TC)7 r - - 0 1"
	for _, c := range []struct {
		rule, text, played string
		want               bool
	}{
		{"not outside a session", facing, "", false},
		{"with a remnant on its terrain", "10c/11/11/11/11/11/11/11/2(NF)8/11/11/6C4 r - - 0 1", "Nc4>c5", true},
		{"not with an air force left on water", "10c/11/11/11/11/11/11/11/11/(NF)10/11/9C1 r - - 5 1", "Na3>a6", false},
		{"with a navy left on water", "10c/11/11/11/11/11/11/11/11/(NF)10/11/9C1 r - - 5 1", "Fa3>c3", true},
		{"with the commander left in safety", facing, "Td1>d3", true},
		{"not with the commander left exposed", "3c7/11/11/11/11/11/11/11/11/11/11/3(TC)7 r - - 0 1", "Td1>e1", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := play(t, c.text, c.played)
			if got := slices.Contains(steps(p), "commit"); got != c.want {
				t.Errorf("%s: commit %t, want %t", p, got, c.want)
			}
		})
	}
}

// The text of an open session shows the current board (H9). The published engine's text of
// the same session shows the board before it; it reads as the same position.
func TestSessionTexts(t *testing.T) {
	for _, c := range []struct{ text, published string }{
		{"10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4",
			"10c/11/11/11/11/11/11/11/2(NFT)8/11/11/3C7 r - - 5 1 c4:(NF):T>e4..."},
		{"10c/11/11/11/11/11/11/11/11/11/2(NT)8/9C1 r - - 0 1 c2:(NT):-",
			"10c/11/11/11/11/11/11/11/11/2g8/2(NFT)8/9C1 r - - 5 1 c2:(NT):F>@c3..."},
	} {
		for _, text := range []string{c.text, c.published} {
			if got := at(t, text).String(); got != c.text {
				t.Errorf("%s\n reads as %s\n     want %s", text, got, c.text)
			}
		}
	}
}

// The hash includes the session: the members still to deploy and the landing squares.
func TestHashIncludesSession(t *testing.T) {
	seen := map[uint64]string{}
	for _, text := range []string{
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:(NT):-",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:(NT):e5",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:N:-",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:T:-",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 b - - 0 1",
	} {
		h := at(t, text).Hash()
		if other, ok := seen[h]; ok {
			t.Errorf("hash %016x belongs to %s and to %s", h, other, text)
		}
		seen[h] = text
	}
}

// TR-20: the steps in the published engine's session text must be legal. Here the red
// commander faces the blue one.
func TestSessionTextWithIllegalStepsIsRejected(t *testing.T) {
	const text = "11/11/11/11/11/11/11/11/11/2(TI)8/11/3C3c3 r - - 0 1 c3:T:I>c4..."
	var textErr *engine.TextError
	if err := cotulenh.New().Set(text); !errors.As(err, &textErr) || textErr.Kind != "FEN_INVALID_SESSION" {
		t.Errorf("%s: %v, want FEN_INVALID_SESSION", text, err)
	}
}
