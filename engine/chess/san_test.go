package chess_test

import (
	"testing"

	"selfplay/engine/chess"
)

func TestSAN(t *testing.T) {
	for _, c := range []struct{ rule, text, move, want string }{
		{"pawn move", chess.StartText, "e2e4", "e4"},
		{"piece move", chess.StartText, "g1f3", "Nf3"},
		{"capture", "4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", "Nxd5"},
		{"pawn capture", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
		{"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
		{"kingside castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O"},
		{"queenside castling", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O"},
		{"castling with check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
		{"file disambiguates", "4k3/8/8/8/8/8/8/RN3NK1 w - - 0 1", "b1d2", "Nbd2"},
		{"rank disambiguates", "4k3/8/8/R7/8/8/8/R5K1 w - - 0 1", "a1a3", "R1a3"},
		{"file is preferred to rank", "4k3/8/8/8/8/5N2/8/1N4K1 w - - 0 1", "b1d2", "Nbd2"},
		{"file and rank are needed", "8/5k2/8/8/Q2Q4/8/8/Q5K1 w - - 0 1", "a4d1", "Qa4d1"},
		{"checkmate by an ambiguous capture", "3rk3/8/8/Q2Q4/8/8/8/Q5K1 w - - 0 1", "a5d8", "Qaxd8#"},
		{"three queens", "8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"},
		{"pinned piece needs no disambiguation", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"},
		{"other kinds need no disambiguation", "4k3/8/8/8/8/8/8/R2Q2K1 w - - 0 1", "a1b1", "Rb1"},
		{"two bishops", "4k3/8/8/8/8/B7/8/B5K1 w - - 0 1", "a1b2", "B1b2"},
		{"check", "4k3/8/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8+"},
		{"checkmate", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#"},
		{"stalemate has no mark", "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7", "Qf7"},
		{"promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q"},
		{"underpromotion with check", "8/P1k5/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a8=N+"},
		{"promotion with capture and check", "1n2k3/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q", "axb8=Q+"},
		{"promotion with checkmate", "6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1", "a7a8r", "a8=R#"},
		{"king capture", "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2", "Kxe2"},
		{"discovered check", "4k3/8/8/8/8/4N3/8/4R1K1 w - - 0 1", "e3d5", "Nd5+"},
		{"black move", "4k3/8/8/8/8/8/3K3p/8 b - - 0 1", "h2h1q", "h1=Q"},
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
				t.Errorf("SAN changes %s to %s", c.text, p)
			}
		})
	}
}

// TestSANIsUnique: no two legal moves of a position have the same SAN.
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
