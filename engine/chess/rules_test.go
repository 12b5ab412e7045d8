package chess_test

import (
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// TestCastling: the legal castling moves, as king moves.
func TestCastling(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"both wings", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1 e1g1"},
		{"both wings for black", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8 e8g8"},
		{"one right only", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", "e1g1"},
		{"no right", "r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", ""},
		{"out of check", "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", ""},
		{"through check on f1", "4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", "e1c1"},
		{"through check on d1", "4k3/8/8/8/3r4/8/8/R3K2R w KQ - 0 1", "e1g1"},
		{"into check on g1", "4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", "e1c1"},
		{"into check on c1", "4k3/8/8/8/2r5/8/8/R3K2R w KQ - 0 1", "e1g1"},
		{"b1 may be attacked", "4k3/8/8/8/1r6/8/8/R3K3 w Q - 0 1", "e1c1"},
		{"rook may be attacked", "4k3/8/8/8/7r/8/8/R3K2R w KQ - 0 1", "e1c1 e1g1"},
		{"b1 occupied", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", ""},
		{"pawn attacks the path", "4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", "e1c1"},
		{"king attacks the path", "8/8/8/8/8/8/1k6/R3K2R w KQ - 0 1", "e1g1"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var got []string
			for _, m := range moveTexts(at(t, c.text)) {
				if m == "e1g1" || m == "e1c1" || m == "e8g8" || m == "e8c8" {
					got = append(got, m)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s: %v, want %s", c.text, got, c.want)
			}
		})
	}
}

// TestSuccessors: the position after some moves.
func TestSuccessors(t *testing.T) {
	for _, c := range []struct{ rule, text, moves, want string }{
		{"castling moves king and rook", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 1", "e1g1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 6 2"},
		{"a king move loses both rights", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2", "r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1"},
		{"a rook move loses one right", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a2", "r3k2r/8/8/8/8/8/R7/4K2R b Kkq - 1 1"},
		{"a returning rook does not restore the right", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1h2 a8b8 h2h1", "1r2k2r/8/8/8/8/8/8/R3K2R b Qk - 3 2"},
		{"a captured corner rook loses one right", "r3k2r/8/8/8/8/8/6b1/R3K2R b KQkq - 3 1", "g2h1", "r3k2r/8/8/8/8/8/8/R3K2b w Qkq - 0 2"},
		{"rook takes corner rook: both sides lose a right", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 1", "h1h8", "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1"},
		{"promotion with capture of a corner rook loses one right", "r3k2r/6P1/8/8/8/8/8/4K3 w kq - 3 1", "g7h8n", "r3k2N/8/8/8/8/8/8/4K3 b q - 0 1"},
		{"en passant removes the adjacent pawn", "4k3/8/8/8/4p3/8/3P4/4K3 w - - 3 1", "d2d4 e4d3", "4k3/8/8/8/8/3p4/8/4K3 w - - 0 2"},
		{"en passant square is written if a capture is legal", "4k3/8/8/8/4p3/8/3P4/4K3 w - - 3 1", "d2d4", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1"},
		{"no en passant square without an adjacent pawn", "4k3/8/8/8/5p2/8/3P4/4K3 w - - 3 1", "d2d4", "4k3/8/8/8/3P1p2/8/8/4K3 b - - 0 1"},
		{"files a and h are not adjacent", "4k3/8/8/7p/8/8/P7/4K3 w - - 3 1", "a2a4", "4k3/8/8/7p/P7/8/8/4K3 b - - 0 1"},
		{"no en passant square if the pawn is pinned", "4k3/8/8/8/4p3/8/3P4/4RK2 w - - 3 1", "d2d4", "4k3/8/8/8/3Pp3/8/8/4RK2 b - - 0 1"},
		{"no en passant square if the capture exposes the king on the rank", "8/8/8/8/k3p2R/8/3P4/4K3 w - - 3 1", "d2d4", "8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 1"},
		{"a pawn move resets the half-move clock", "4k3/8/8/8/8/8/3P4/4K3 w - - 30 9", "d2d3", "4k3/8/8/8/8/3P4/8/4K3 b - - 0 9"},
		{"a capture resets the half-move clock", "4k3/8/8/8/8/8/3n4/4K3 w - - 30 9", "e1d2", "4k3/8/8/8/8/8/3K4/8 b - - 0 9"},
		{"the full-move number grows after black's move", "4k3/8/8/8/8/8/3R4/4K3 w - - 30 9", "d2d1 e8e7", "8/4k3/8/8/8/8/8/3RK3 w - - 32 10"},
		{"clocks saturate", "4k3/8/8/8/8/8/3R4/4K3 b - - 255 65535", "e8e7 d2d1", "8/4k3/8/8/8/8/8/3RK3 b - - 255 65535"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := at(t, c.text)
			for _, text := range strings.Fields(c.moves) {
				m, err := p.ParseMove(text)
				if err != nil {
					t.Fatal(err)
				}
				p.Do(m)
			}
			if got := p.String(); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.moves, got, c.want)
			}
			fresh := at(t, c.want)
			if fresh.Hash() != p.Hash() || !slices.Equal(fresh.Moves(nil), p.Moves(nil)) {
				t.Errorf("hash or moves differ as played and as read")
			}
		})
	}
}

// TestMoveLists: complete move lists of positions where a rule leaves few moves.
func TestMoveLists(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"en passant captures the checking pawn", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "c5b4 c5b5 c5b6 c5c4 c5c6 c5d4 c5d5 c5d6 e4d3"},
		{"only the king can answer a queen check", "8/8/8/q7/2pP4/8/8/4K1k1 w - - 0 1", "e1d1 e1e2"},
		{"en passant must not open the rank", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "a5a4 a5a6 a5b4 a5b5 a5b6 e5e6"},
		{"en passant must not open a diagonal", "7K/8/8/3pP3/8/8/1b6/k7 w - d6 0 1", "h8g7 h8g8 h8h7"},
		{"a pinned rook moves along its pin", "4k3/8/8/8/r2R2K1/8/8/8 w - - 0 1", "d4a4 d4b4 d4c4 d4e4 d4f4 g4f3 g4f5 g4g3 g4g5 g4h3 g4h5 g4f4 g4h4"},
		{"a pinned knight does not move", "4k3/8/8/8/r2N2K1/8/8/8 w - - 0 1", "g4f3 g4f5 g4g3 g4g5 g4h3 g4h5 g4f4 g4h4"},
		{"double check: only the king moves", "4k3/8/8/8/8/5n2/4r3/R3K2R w KQ - 0 1", "e1d1 e1e2 e1f1"},
		{"a slider attacks through the king", "4k3/8/8/8/r2K4/8/8/8 w - - 0 1", "d4c3 d4c5 d4d3 d4d5 d4e3 d4e5"},
		{"checkmate", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", ""},
		{"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""},
		{"four promotions per target", "2r5/1P6/K7/8/8/8/8/7k w - - 0 1", "a6a5 a6a7 a6b5 a6b6 b7b8b b7b8n b7b8q b7b8r b7c8b b7c8n b7c8q b7c8r"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			want := strings.Fields(c.want)
			slices.Sort(want)
			if got := moveTexts(at(t, c.text)); !slices.Equal(got, want) {
				t.Errorf("%s\n got %v\nwant %v", c.text, got, want)
			}
		})
	}
}

// TestOutcome: outcomes of positions without history.
func TestOutcome(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"start is ongoing", chess.StartText, ""},
		{"white checkmates", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "white checkmate"},
		{"black checkmates", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "black checkmate"},
		{"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "draw stalemate"},
		{"fifty moves", "4k3/8/8/8/8/8/3R4/4K3 w - - 100 90", "draw fifty"},
		{"one ply short of fifty moves", "4k3/8/8/8/8/8/3R4/4K3 w - - 99 90", ""},
		{"checkmate has priority over fifty moves", "7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", "white checkmate"},
		{"stalemate has priority over fifty moves", "7k/5Q2/6K1/8/8/8/8/8 b - - 100 90", "draw stalemate"},
		{"fifty moves has priority over material", "4k3/8/8/8/8/8/8/4K3 w - - 100 90", "draw fifty"},
		{"stalemate has priority over material", "k7/8/1K6/8/8/8/7B/8 b - - 0 1", "draw stalemate"},
		{"K v K", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "draw material"},
		{"K+N v K", "4k3/8/8/8/8/8/8/3NK3 w - - 0 1", "draw material"},
		{"K v K+N", "3nk3/8/8/8/8/8/8/4K3 w - - 0 1", "draw material"},
		{"K+B v K", "4k3/8/8/8/8/8/8/3BK3 b - - 0 1", "draw material"},
		{"K+B v K+B on one colour", "2b1k3/8/8/8/8/8/8/3BK3 b - - 0 1", "draw material"},
		{"K+B v K+B on two colours", "3bk3/8/8/8/8/8/8/3BK3 b - - 0 1", ""},
		{"several bishops on one colour", "b1b1k3/8/8/8/8/8/8/1B1BK3 b - - 0 1", "draw material"},
		{"K+B+B v K on two colours", "4k3/8/8/8/8/8/8/2BBK3 b - - 0 1", ""},
		{"K+N+N v K is sufficient", "4k3/8/8/8/8/8/8/2NNK3 b - - 0 1", ""},
		{"K+N v K+N is sufficient", "3nk3/8/8/8/8/8/8/3NK3 b - - 0 1", ""},
		{"K+B v K+N is sufficient", "3nk3/8/8/8/8/8/8/3BK3 b - - 0 1", ""},
		{"K+P v K", "4k3/8/8/8/8/8/3P4/4K3 b - - 0 1", ""},
		{"K+R v K", "4k3/8/8/8/8/8/3R4/4K3 b - - 0 1", ""},
		{"K+Q v K", "4k3/8/8/8/8/8/3Q4/4K3 b - - 0 1", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := outcomeText(at(t, c.text).Outcome()); got != c.want {
				t.Errorf("%s: %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// TestRepetition: the third occurrence of a position draws. A lost castling or en
// passant right makes the first position different.
func TestRepetition(t *testing.T) {
	const knights = "g1f3 g8f6 f3g1 f6g8 "
	for _, c := range []struct {
		rule, text, moves string
		repetitions       int
		want              string
	}{
		{"second occurrence", chess.StartText, knights, 1, ""},
		{"third occurrence", chess.StartText, knights + knights, 2, "draw repetition"},
		{"fourth occurrence", chess.StartText, knights + knights + knights, 2, "draw repetition"},
		{"third occurrence of a later position", chess.StartText, knights + knights + "g1f3", 2, "draw repetition"},
		{"pawn move in between", chess.StartText, knights + "e2e4 e7e5 " + knights, 1, ""},
		{"castling right lost after the first occurrence", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
			"a1b1 e8d8 b1a1 d8e8 a1b1 e8d8 b1a1 d8e8", 1, ""},
		{"third occurrence after the castling right is lost", "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1",
			"e8e7 a1b1 e7e8 b1a1 e8e7 a1b1 e7e8 b1a1 e8e7 a1b1 e7e8 b1a1", 2, "draw repetition"},
		{"en passant right lost after the first occurrence", "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1",
			"d2d4 e8e7 e1e2 e7e8 e2e1 e8e7 e1e2 e7e8 e2e1", 1, ""},
		{"illegal en passant does not count as a difference", "4k3/8/8/8/5p2/8/3P4/4K3 w - - 0 1",
			"d2d4 e8e7 e1e2 e7e8 e2e1 e8e7 e1e2 e7e8 e2e1", 2, "draw repetition"},
		{"other side to move is another position", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
			"a1a2 e8e7 a2a3 e7e8 a3a1", 0, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := at(t, c.text)
			for _, text := range strings.Fields(c.moves) {
				m, err := p.ParseMove(text)
				if err != nil {
					t.Fatal(err)
				}
				p.Do(m)
			}
			if got := p.Repetitions(); got != c.repetitions {
				t.Errorf("%d repetitions, want %d", got, c.repetitions)
			}
			if got := outcomeText(p.Outcome()); got != c.want {
				t.Errorf("outcome %q, want %q", got, c.want)
			}
			if err := p.Set(p.String()); err != nil || p.Repetitions() != 0 || p.Outcome() != engine.Ongoing {
				t.Errorf("after Set: %d repetitions, outcome %v, error %v", p.Repetitions(), p.Outcome(), err)
			}
		})
	}
}

// TestCheck: Check refers to the side to move.
func TestCheck(t *testing.T) {
	for text, want := range map[string]bool{
		chess.StartText:                    false,
		"4k3/8/8/8/8/8/8/r3K3 w - - 0 1":   true,
		"4k3/8/8/8/8/8/8/r1N1K3 w - - 0 1": false,
		"4k3/8/8/8/8/5n2/8/4K3 w - - 0 1":  true,
		"4k3/8/8/8/8/8/3p4/4K3 w - - 0 1":  true,
		"4k3/8/8/8/8/4p3/8/4K3 w - - 0 1":  false,
		"4k3/3P4/8/8/8/8/8/4K3 b - - 0 1":  true,
		"4k3/8/8/8/7b/8/8/4K3 w - - 0 1":   true,
	} {
		if got := at(t, text).Check(); got != want {
			t.Errorf("%s: Check %t", text, got)
		}
	}
}
