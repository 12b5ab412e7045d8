package cotulenh_test

import (
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// This file tests promotions (section 13), clocks (H7), ends of the game (H8) and the counts
// of section 22.

func TestPromotions(t *testing.T) {
	for _, c := range []struct{ rule, text, played, want string }{
		{"reading a text promotes nothing", "8c2/11/6S4/10I/11/11/11/11/11/11/11/6C4 r - - 0 1", "",
			"8c2/11/6S4/10I/11/11/11/11/11/11/11/6C4 r - - 0 1"},
		{"every attacker of the commander, cargo and unmoved pieces included", "7c3/7(TI)3/11/11/11/11/11/7I2i/11/11/11/3C7 r - - 0 1", "Cd1c1",
			"7c3/7(+T+I)3/11/11/11/11/11/7I2+i/11/11/11/2C8 b - - 1 1"},
		{"an attacker that the step uncovers", "11/11/11/11/11/11/11/4c6/4I6/4T6/11/6C4 r - - 0 1", "Ie4d4",
			"11/11/11/11/11/11/11/4c6/3I7/4+T6/11/6C4 b - - 1 1"},
		{"a missile two squares away diagonally", "8c2/11/11/6S3I/11/11/11/11/11/11/11/6C4 r - - 0 1", "Sg9g10",
			"8c2/11/6+S4/10I/11/11/11/11/11/11/11/6C4 b - - 1 1"},
		{"the last guard of each side", "10c/11/11/11/11/4i6/11/11/4T6/11/11/6C4 r - - 0 1", "Cg1h1",
			"10c/11/11/11/11/4+i6/11/11/4+T6/11/11/7C3 b - - 1 1"},
		{"not a last guard of two members", "10c/11/11/11/11/4(ti)6/11/11/4(TI)6/11/11/6C4 r - - 0 1", "Cg1h1",
			"10c/11/11/11/11/4(ti)6/11/11/4(TI)6/11/11/7C3 b - - 1 1"},
		{"not a tank that carries the commander", "11/11/11/11/11/4(tc)6/11/11/4T5I/11/11/6C4 r - - 0 1", "Cg1h1",
			"11/11/11/11/11/4(tc)6/11/11/4T5I/11/11/7C3 b - - 1 1"},
		{"the last guard of a side without a commander", "11/11/11/11/11/4i6/11/11/4T6/11/11/6C4 r - - 0 1", "Cg1h1",
			"11/11/11/11/11/4+i6/11/11/4+T6/11/11/7C3 b - - 1 1"},
		{"attackers are found before a last guard widens its zone", "8c2/2F8/11/5C3s1/2F8/11/11/11/11/11/11/11 r - - 0 1", "Fc8e8",
			"8c2/2F8/11/5C3+s1/4+F6/11/11/11/11/11/11/11 b - - 1 1"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := play(t, c.text, c.played).String(); got != c.want {
				t.Errorf("%s, %s\n got %s\nwant %s", c.text, c.played, got, c.want)
			}
		})
	}
}

// A turn in which any step captured resets the half-move clock (H7). The cases include the
// traps TR-12 and TR-44 as the ruling decides them.
func TestClocks(t *testing.T) {
	const (
		stay    = "10c/11/11/4ii5/11/11/11/11/1nT8/11/11/6C4 r - - 7 3"
		second  = "10c/11/11/10i/11/4i6/11/11/4(TI)i5/11/11/6C4 r - - 7 3"
		first   = "10c/11/11/10i/10i/11/4i6/11/4(TI)6/11/11/6C4 r - - 7 3"
		suicide = "10c/11/11/10i/11/11/11/2g8/11/2F8/11/9C1 r - - 7 3"
		blue    = "10c/11/11/4i5i/11/11/11/11/4T5I/11/11/6C4 b - - 7 3"
	)
	for _, c := range []struct{ rule, text, played, clocks string }{
		{"a quiet turn", stay, "Tc4c3", "b - - 8 3"},
		{"a stay capture", stay, "Tc4_b4", "b - - 0 3"},
		{"a suicide", suicide, "Fc3@c5", "b - - 0 3"},
		{"a capture by the second step", second, "Te4>e5 Ie4>xf4", "b - - 0 3"},
		{"a capture by the first step", first, "Te4>xe6 Ie4>f4", "b - - 0 3"},
		{"a quiet turn of two steps counts once", first, "Te4>e5 Ie4>f4", "b - - 8 3"},
		{"a session does not pass the turn", first, "Te4>e5", "r - - 8 3 e4:I:e5"},
		{"a join is not a capture", first, "Te4>e5 Ie4>&e5", "b - - 8 3"},
		{"commit counts no half-move of its own", first, "Te4>e5 commit", "b - - 8 3"},
		{"commit after a capture keeps 0", first, "Te4>xe6 commit", "b - - 0 3"},
		{"blue's turn raises the full-move number", blue, "Ie9d9", "r - - 8 4"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := play(t, c.text, c.played).String()
			if _, clocks, _ := strings.Cut(got, " "); clocks != c.clocks {
				t.Errorf("%s, %s: %s, want %s", c.text, c.played, clocks, c.clocks)
			}
		})
	}
}

// The ends of the game are tested in a fixed order (H8).
func TestEndsOfTheGame(t *testing.T) {
	const captureInSession = "7c3/7(TI)3/11/11/11/11/11/7I2i/11/11/11/3C7 r - - 0 1"
	for _, c := range []struct {
		rule, text, played string
		result             engine.Result
		reason             engine.Reason
	}{
		{"the start is not an end", cotulenh.StartText, "", engine.NoResult, engine.NoReason},
		{"TR-43 a commander captured in its stack loses", "11/11/11/4(tc)6/11/11/4A6/11/11/11/1N9/3C7 r - - 0 1", "Ae6xe9",
			engine.FirstWins, engine.CommanderCaptured},
		{"TR-37 a side without a commander has lost", "11/11/11/11/11/11/11/11/4T6/11/11/3C7 r - - 0 1", "",
			engine.FirstWins, engine.CommanderCaptured},
		{"TR-36 a missing commander precedes checkmate", "10c/11/11/11/11/11/11/4(FI)6/4T6/11/11/11 r - - 0 1", "",
			engine.SecondWins, engine.CommanderCaptured},
		{"no commanders at all are a draw", "11/11/11/11/11/11/11/4(FI)6/4t6/11/11/11 r - - 0 1", "",
			engine.Draw, engine.CommanderCaptured},
		{"a missing commander precedes fifty moves", "11/11/11/11/11/11/11/11/4T6/11/11/3C7 r - - 100 1", "",
			engine.FirstWins, engine.CommanderCaptured},
		{"an open session has no result, even after the commander was captured", captureInSession, "Ih11>xh12", engine.NoResult, engine.NoReason},
		{"the capture of a commander in a session counts after commit", captureInSession, "Ih11>xh12 commit", engine.FirstWins, engine.CommanderCaptured},
		{"TR-10 no legal turn under attack is checkmate", "3c7/11/11/11/11/11/11/11/10a/11/9tt/7a1t(HC) r - - 0 1", "",
			engine.SecondWins, engine.Checkmate},
		{"checkmate precedes fifty moves", "3c7/11/11/11/11/11/11/11/10a/11/9tt/7a1t(HC) r - - 100 1", "",
			engine.SecondWins, engine.Checkmate},
		{"no legal turn without attack is stalemate", "10C/9c1/11/11/11/11/11/11/11/11/11/11 r - - 0 1", "", engine.Draw, engine.Stalemate},
		{"a hundred half-moves draw", "10c/11/11/4i5i/11/11/11/11/4T5I/11/11/6C4 r - - 99 70", "Te4e5", engine.Draw, engine.Fifty},
		{"ninety-nine half-moves do not draw", "10c/11/11/4i5i/11/11/11/11/4T5I/11/11/6C4 r - - 98 70", "Te4e5", engine.NoResult, engine.NoReason},
		{"a hundred half-moves do not draw in an open session", "10c/11/11/4i5i/11/11/11/11/4(TI)6/11/11/6C4 r - - 99 70", "Te4>e5",
			engine.NoResult, engine.NoReason},
		{"a capture on the hundredth half-move does not draw", "10c/11/11/4i5i/4T6/11/11/11/10I/11/11/6C4 r - - 99 70", "Te8xe9",
			engine.NoResult, engine.NoReason},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := play(t, c.text, c.played)
			if got, want := p.Outcome(), (engine.Outcome{Result: c.result, Reason: c.reason}); got != want {
				t.Errorf("%s: %v by %q, want %v by %q", p, got.Result, got.Reason, want.Result, want.Reason)
			}
		})
	}
}

// The third occurrence of a placement with the same side to move is a draw, whatever the
// clocks are (TR-13 as H8 decides it).
func TestThreefoldRepetition(t *testing.T) {
	const (
		start  = "10c/11/11/4t5i/11/11/11/11/4T5I/11/11/6C4 r - - 0 1"
		cycle  = "Te4f4 Te9d9 Tf4e4 Td9e9 "
		blueTo = "Te4e5 Te9d9 Te5e6 Td9e9 Te6e4 " // the same placement, blue to move
		redTo  = "Te9d9 Te4f4 Td9c9 Tf4e4 Tc9e9 " // and again, red to move
	)
	for _, c := range []struct {
		rule, played string
		third        bool
	}{
		{"the second occurrence is no draw", cycle, false},
		{"the third occurrence is a draw", cycle + cycle, true},
		{"one step before the third occurrence is no draw", cycle + "Te4f4 Te9d9 Tf4e4", false},
		{"the same placement with the other side to move does not count", blueTo + redTo + blueTo, false},
		{"occurrences are counted separately for each side to move", blueTo + redTo + blueTo + redTo, true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := play(t, start, c.played)
			want := engine.Ongoing
			if c.third {
				want = engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
			}
			if got := p.Outcome(); got != want {
				t.Errorf("%v, want %v", got, want)
			}
			p.Undo()
			if got := p.Outcome(); got != engine.Ongoing {
				t.Errorf("one step before: %v, want no end", got)
			}
		})
	}
}

// The counts of section 22: legal steps at the start, the opponent's steps after each of
// them, and first steps and distinct turns of small positions with a stack.
//
// In the first two small positions the rule book counts 65 and 263 turns. There, a quiet
// step before a capture and the same step after it lead to different clocks. H7 makes them
// the same turn. That removes 9 turns (three steps of the infantry with the tank's capture,
// six of the tank with the infantry's capture) and 8 turns (the tank's steps with the
// capture on e7).
func TestCountsOfTheRuleBook(t *testing.T) {
	p := cotulenh.New()
	if got := len(steps(p)); got != 116 {
		t.Errorf("%d steps from the start, want 116", got)
	}
	if got := engine.Perft(p, 2); got != 13_460 {
		t.Errorf("%d step sequences of length 2, want 13,460", got)
	}
	if got := len(steps(at(t, "10c/11/11/11/11/11/2g8/11/11/2(NFT)8/11/9C1 r - - 5 1"))); got != 61 {
		t.Errorf("%d first steps of a navy with two members as cargo, want 61", got)
	}
	for _, c := range []struct {
		text         string
		first, turns int
	}{
		{"10c/11/11/11/11/11/11/11/4(TI)i5/11/11/6C4 r - - 0 1", 32, 56},
		{"10c/11/11/11/11/4i6/11/11/4(FT)6/11/11/6C4 r - - 3 9", 71, 255},
		{"10c/11/11/11/11/11/11/11/2(NF)8/11/11/6C4 r - - 0 1", 61, 288},
		{"3c7/11/11/11/11/11/11/11/11/6t4/4(TI)6/6C4 r - - 0 1", 6, 10},
		{"10c/11/11/11/4(EA)6/11/11/11/11/11/11/6C4 r - - 0 1", 41, 101},
	} {
		p := at(t, c.text)
		if got := len(steps(p)); got != c.first {
			t.Errorf("%s: %d first steps, want %d", c.text, got, c.first)
		}
		ends := map[string]bool{}
		walkTurn(p, ends)
		if len(ends) != c.turns {
			t.Errorf("%s: %d turns, want %d", c.text, len(ends), c.turns)
		}
	}
}

// walkTurn collects the texts of all positions that the turn can lead to.
func walkTurn(p *cotulenh.Position, ends map[string]bool) {
	side := p.Turn()
	for _, m := range slices.Clone(p.Moves(nil)) {
		p.Do(m)
		if p.Turn() != side {
			ends[p.String()] = true
		} else {
			walkTurn(p, ends)
		}
		p.Undo()
	}
}
