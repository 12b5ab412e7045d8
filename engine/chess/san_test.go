package chess_test

import (
	"testing"

	"selfplay/engine/chess"
)

func TestSAN(t *testing.T) {
	for _, c := range []struct{ rule, text, move, want string }{
		{"a pawn", chess.StartText, "e2e4", "e4"},
		{"a piece", chess.StartText, "g1f3", "Nf3"},
		{"a capture", "4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", "Nxd5"},
		{"a pawn's capture", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
		{"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
		{"king's side", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O"},
		{"queen's side", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O"},
		{"castling with check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
		{"the file tells them apart", "4k3/8/8/8/8/8/8/RN3NK1 w - - 0 1", "b1d2", "Nbd2"},
		{"the rank tells them apart", "4k3/8/8/R7/8/8/8/R5K1 w - - 0 1", "a1a3", "R1a3"},
		{"the file comes first", "4k3/8/8/8/8/5N2/8/1N4K1 w - - 0 1", "b1d2", "Nbd2"},
		{"both are needed", "8/5k2/8/8/Q2Q4/8/8/Q5K1 w - - 0 1", "a4d1", "Qa4d1"},
		{"mate by a capture of one of two", "3rk3/8/8/Q2Q4/8/8/8/Q5K1 w - - 0 1", "a5d8", "Qaxd8#"},
		{"three queens in a corner", "8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"},
		{"a pinned piece needs no distinction", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"},
		{"other kinds do not matter", "4k3/8/8/8/8/8/8/R2Q2K1 w - - 0 1", "a1b1", "Rb1"},
		{"two bishops", "4k3/8/8/8/8/B7/8/B5K1 w - - 0 1", "a1b2", "B1b2"},
		{"check", "4k3/8/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8+"},
		{"mate", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#"},
		{"stalemate has no mark", "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7", "Qf7"},
		{"promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q"},
		{"underpromotion with check", "8/P1k5/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a8=N+"},
		{"promotion with capture and check", "1n2k3/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q", "axb8=Q+"},
		{"promotion with mate", "6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1", "a7a8r", "a8=R#"},
		{"a king's move", "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2", "Kxe2"},
		{"a discovered check", "4k3/8/8/8/8/4N3/8/4R1K1 w - - 0 1", "e3d5", "Nd5+"},
		{"black's moves", "4k3/8/8/8/8/8/3K3p/8 b - - 0 1", "h2h1q", "h1=Q"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := at(t, c.text)
			m, err := p.ParseMove(c.move)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.SAN(m); got != c.want {
				t.Errorf("%s in %s: %s, want %s", c.move, c.text, got, c.want)
			}
			if p.String() != c.text {
				t.Errorf("writing changed %s to %s", c.text, p)
			}
		})
	}
}

// TestSANIsUnique: no two legal moves of a position are written alike.
func TestSANIsUnique(t *testing.T) {
	for _, text := range perftTexts(t) {
		p, seen := at(t, text), map[string]string{}
		for _, m := range p.Moves(nil) {
			san := p.SAN(m)
			if before, ok := seen[san]; ok {
				t.Errorf("%s: %s is %s and %s", text, san, before, p.FormatMove(m))
			}
			seen[san] = p.FormatMove(m)
		}
	}
}
