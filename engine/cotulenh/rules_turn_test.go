package cotulenh_test

import (
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// What a turn leaves behind: promotions (section 13), clocks (ruling H7), ends of
// the game (ruling H8), and the counts of section 22.

func TestPromotions(t *testing.T) {
	for _, c := range []struct{ rule, text, played, want string }{
		{"reading promotes nobody", "8c2/11/6S4/10I/11/11/11/11/11/11/11/6C4 r - - 0 1", "",
			"8c2/11/6S4/10I/11/11/11/11/11/11/11/6C4 r - - 0 1"},
		{"who attacks the commander, cargo and bystanders too", "7c3/7(TI)3/11/11/11/11/11/7I2i/11/11/11/3C7 r - - 0 1", "Cd1c1",
			"7c3/7(+T+I)3/11/11/11/11/11/7I2+i/11/11/11/2C8 b - - 1 1"},
		{"who attacks once the way is free", "11/11/11/11/11/11/11/4c6/4I6/4T6/11/6C4 r - - 0 1", "Ie4d4",
			"11/11/11/11/11/11/11/4c6/3I7/4+T6/11/6C4 b - - 1 1"},
		{"a missile from two squares off on the diagonal", "8c2/11/11/6S3I/11/11/11/11/11/11/11/6C4 r - - 0 1", "Sg9g10",
			"8c2/11/6+S4/10I/11/11/11/11/11/11/11/6C4 b - - 1 1"},
		{"the last guard of either side", "10c/11/11/11/11/4i6/11/11/4T6/11/11/6C4 r - - 0 1", "Cg1h1",
			"10c/11/11/11/11/4+i6/11/11/4+T6/11/11/7C3 b - - 1 1"},
		{"not a last stack", "10c/11/11/11/11/4(ti)6/11/11/4(TI)6/11/11/6C4 r - - 0 1", "Cg1h1",
			"10c/11/11/11/11/4(ti)6/11/11/4(TI)6/11/11/7C3 b - - 1 1"},
		{"not the bearer of the commander", "11/11/11/11/11/4(tc)6/11/11/4T5I/11/11/6C4 r - - 0 1", "Cg1h1",
			"11/11/11/11/11/4(tc)6/11/11/4T5I/11/11/7C3 b - - 1 1"},
		{"the last guard without a commander", "11/11/11/11/11/4i6/11/11/4T6/11/11/6C4 r - - 0 1", "Cg1h1",
			"11/11/11/11/11/4+i6/11/11/4+T6/11/11/7C3 b - - 1 1"},
		{"attackers before the last guard widens a zone", "8c2/2F8/11/5C3s1/2F8/11/11/11/11/11/11/11 r - - 0 1", "Fc8e8",
			"8c2/2F8/11/5C3+s1/4+F6/11/11/11/11/11/11/11 b - - 1 1"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := play(t, c.text, c.played).String(); got != c.want {
				t.Errorf("%s, %s\n got %s\nwant %s", c.text, c.played, got, c.want)
			}
		})
	}
}

// H7: the half-move clock returns to 0 when any step of the turn captured. The
// traps TR-12 and TR-44 as the ruling decides them.
func TestClocks(t *testing.T) {
	const (
		stay    = "10c/11/11/4ii5/11/11/11/11/1nT8/11/11/6C4 r - - 7 3"
		second  = "10c/11/11/10i/11/4i6/11/11/4(TI)i5/11/11/6C4 r - - 7 3"
		first   = "10c/11/11/10i/10i/11/4i6/11/4(TI)6/11/11/6C4 r - - 7 3"
		suicide = "10c/11/11/10i/11/11/11/2g8/11/2F8/11/9C1 r - - 7 3"
		bluish  = "10c/11/11/4i5i/11/11/11/11/4T5I/11/11/6C4 b - - 7 3"
	)
	for _, c := range []struct{ rule, text, played, clocks string }{
		{"a quiet turn", stay, "Tc4c3", "b - - 8 3"},
		{"a stay capture", stay, "Tc4_b4", "b - - 0 3"},
		{"a suicide", suicide, "Fc3@c5", "b - - 0 3"},
		{"a capture by the second step", second, "Te4>e5 Ie4>xf4", "b - - 0 3"},
		{"a capture by the first step", first, "Te4>xe6 Ie4>f4", "b - - 0 3"},
		{"a quiet turn of two steps counts once", first, "Te4>e5 Ie4>f4", "b - - 8 3"},
		{"the turn does not pass between them", first, "Te4>e5", "r - - 8 3 e4:I:e5"},
		{"a join is no capture", first, "Te4>e5 Ie4>&e5", "b - - 8 3"},
		{"commit ends the turn", first, "Te4>e5 commit", "b - - 8 3"},
		{"commit after a capture", first, "Te4>xe6 commit", "b - - 0 3"},
		{"blue's turn ends the full move", bluish, "Ie9d9", "r - - 8 4"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := play(t, c.text, c.played).String()
			if _, clocks, _ := strings.Cut(got, " "); clocks != c.clocks {
				t.Errorf("%s, %s: %s, want %s", c.text, c.played, clocks, c.clocks)
			}
		})
	}
}

// H8: ends of the game in the order in which they are looked for.
func TestEnds(t *testing.T) {
	const captureInSession = "7c3/7(TI)3/11/11/11/11/11/7I2i/11/11/11/3C7 r - - 0 1"
	for _, c := range []struct {
		rule, text, played string
		result             engine.Result
		reason             engine.Reason
	}{
		{"a game that goes on", cotulenh.StartText, "", engine.NoResult, engine.NoReason},
		{"TR-43 the commander falls with its stack", "11/11/11/4(tc)6/11/11/4A6/11/11/11/1N9/3C7 r - - 0 1", "Ae6xe9",
			engine.FirstWins, engine.CommanderCaptured},
		{"TR-37 no blue commander, steps or not", "11/11/11/11/11/11/11/11/4T6/11/11/3C7 r - - 0 1", "",
			engine.FirstWins, engine.CommanderCaptured},
		{"TR-36 no red commander, before mate", "10c/11/11/11/11/11/11/4(FI)6/4T6/11/11/11 r - - 0 1", "",
			engine.SecondWins, engine.CommanderCaptured},
		{"no commander at all", "11/11/11/11/11/11/11/4(FI)6/4t6/11/11/11 r - - 0 1", "",
			engine.Draw, engine.CommanderCaptured},
		{"no commander before fifty moves", "11/11/11/11/11/11/11/11/4T6/11/11/3C7 r - - 100 1", "",
			engine.FirstWins, engine.CommanderCaptured},
		{"a commander taken in an open session", captureInSession, "Ih11>xh12", engine.NoResult, engine.NoReason},
		{"is found when the turn begins", captureInSession, "Ih11>xh12 commit", engine.FirstWins, engine.CommanderCaptured},
		{"TR-10 no turn while attacked", "3c7/11/11/11/11/11/11/11/10a/11/9tt/7a1t(HC) r - - 0 1", "",
			engine.SecondWins, engine.Checkmate},
		{"no turn before fifty moves", "3c7/11/11/11/11/11/11/11/10a/11/9tt/7a1t(HC) r - - 100 1", "",
			engine.SecondWins, engine.Checkmate},
		{"no turn while not attacked", "10C/9c1/11/11/11/11/11/11/11/11/11/11 r - - 0 1", "", engine.Draw, engine.Stalemate},
		{"fifty moves each", "10c/11/11/4i5i/11/11/11/11/4T5I/11/11/6C4 r - - 99 70", "Te4e5", engine.Draw, engine.Fifty},
		{"one short of it", "10c/11/11/4i5i/11/11/11/11/4T5I/11/11/6C4 r - - 98 70", "Te4e5", engine.NoResult, engine.NoReason},
		{"not in an open session", "10c/11/11/4i5i/11/11/11/11/4(TI)6/11/11/6C4 r - - 99 70", "Te4>e5",
			engine.NoResult, engine.NoReason},
		{"a capture on the last of them", "10c/11/11/4i5i/4T6/11/11/11/10I/11/11/6C4 r - - 99 70", "Te8xe9",
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

// TR-13 as H8 decides it: the third time that the same pieces stand on the same
// squares with the same side to move is a draw, clocks aside.
func TestThreefold(t *testing.T) {
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
		{"twice is no draw", cycle, false},
		{"three times is", cycle + cycle, true},
		{"not one step before", cycle + "Te4f4 Te9d9 Tf4e4", false},
		{"the other side to move is another position", blueTo + redTo + blueTo, false},
		{"and counts by itself", blueTo + redTo + blueTo + redTo, true},
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
				t.Errorf("one step before: %v", got)
			}
		})
	}
}

// Section 22: steps of the start, steps of the opponent after each of them, and
// first steps and distinct turns of small positions with a stack. The rule book
// counts 65 and 263 turns in the first two: there, a quiet step before a capture
// and after it leave different clocks. Ruling H7 makes them the same turn, which
// takes away 9 (three steps of the infantry with the tank's capture, six of the
// tank with the infantry's) and 8 (the tank's steps with the capture of e7).
func TestCountsOfTheRuleBook(t *testing.T) {
	p := cotulenh.New()
	if got := len(steps(p)); got != 116 {
		t.Errorf("%d steps from the start, want 116", got)
	}
	if got := engine.Perft(p, 2); got != 13_460 {
		t.Errorf("%d answers, want 13,460", got)
	}
	if got := len(steps(at(t, "10c/11/11/11/11/11/2g8/11/11/2(NFT)8/11/9C1 r - - 5 1"))); got != 61 {
		t.Errorf("%d first steps of a navy with two aboard, want 61", got)
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

// walkTurn collects every text that a turn can lead to.
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
