package chess_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// TestParseSANReadsWhatSANWrites: every legal move of every position, in SAN, without its
// marks, and in the long form.
func TestParseSANReadsWhatSANWrites(t *testing.T) {
	for _, text := range perftTexts(t) {
		p := at(t, text)
		for _, m := range p.Moves(nil) {
			san := p.SAN(m)
			for _, written := range []string{san, strings.TrimRight(san, "+#"), san + "!?", p.FormatMove(m)} {
				if got, err := p.ParseSAN(written); err != nil || got != m {
					t.Errorf("%s: %s is read as %s, %v; want %s", text, written, p.FormatMove(got), err, p.FormatMove(m))
				}
			}
			if p.String() != at(t, text).String() {
				t.Fatalf("ParseSAN changes %s to %s", text, p)
			}
		}
	}
}

func TestParseSANReadsOtherSpellings(t *testing.T) {
	const (
		castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
		promotes = "1n2k3/P7/8/8/8/8/8/K7 w - - 0 1"
		knights  = "4k3/8/8/3p4/8/8/8/1N2KN2 w - - 0 1"
		passing  = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
	)
	for _, c := range []struct{ rule, text, san, want string }{
		{"castling with zeros", castling, "0-0", "e1g1"},
		{"castling with zeros, other wing", castling, "0-0-0", "e1c1"},
		{"castling in lower case", castling, "o-o-o", "e1c1"},
		{"promotion without a sign", promotes, "a8Q", "a7a8q"},
		{"promotion in brackets", promotes, "axb8(N)", "a7b8n"},
		{"promotion with a slash", promotes, "a8/R", "a7a8r"},
		{"promotion in lower case", promotes, "a8=b", "a7a8b"},
		{"capture without a mark", promotes, "ab8=Q", "a7b8q"},
		{"letter of a pawn", promotes, "Pa8=Q", "a7a8q"},
		{"more of the square than needed", knights, "Nb1c3", "b1c3"},
		{"long form", knights, "Nf1-g3", "f1g3"},
		{"squares alone", knights, "b1c3", "b1c3"},
		{"squares alone, castling", castling, "e1g1", "e1g1"},
		{"en passant with its mark", passing, "exd6e.p.", "e5d6"},
		{"judgement", passing, "e6!?", "e5e6"},
		{"missing mark of check", castling, "Rxa8", "a1a8"},
	} {
		p := at(t, c.text)
		m, err := p.ParseSAN(c.san)
		if err != nil || p.FormatMove(m) != c.want {
			t.Errorf("%s: %s is %s, %v; want %s", c.rule, c.san, p.FormatMove(m), err, c.want)
		}
	}
}

func TestParseSANRefuses(t *testing.T) {
	const (
		promotes = "1n2k3/P7/8/8/8/8/8/K7 w - - 0 1"
		knights  = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1"
		pinned   = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"
	)
	for _, c := range []struct{ rule, text, san, want string }{
		{"a promotion without its piece", promotes, "a8", "not a legal move"},
		{"a promotion to a king", promotes, "a8=K", "no algebraic notation"},
		{"two pieces that fit", knights, "Nd2", "it fits 2 legal moves"},
		{"a pinned piece", pinned, "Ne4", "not a legal move"},
		{"another letter", knights, "Sd2", "no algebraic notation"},
		{"a null move", knights, "--", "no algebraic notation"},
		{"castling without the right", knights, "O-O", "not a legal move"},
		{"nothing", knights, "", "no algebraic notation"},
		{"a square alone", knights, "9", "no algebraic notation"},
		{"a pawn move of a piece", knights, "c3", "not a legal move"},
	} {
		if m, err := at(t, c.text).ParseSAN(c.san); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q gives %v, %v; want an error with %q", c.rule, c.san, m, err, c.want)
		}
	}
}

// TestParseSANInRandomGames: SAN of random games reads back, so no position is needed in which
// it does not.
func TestParseSANInRandomGames(t *testing.T) {
	src, p := rand.NewPCG(7, 7), chess.New()
	for plies := 0; plies < 3000; plies++ {
		moves := p.Moves(nil)
		if p.Outcome() != engine.Ongoing {
			p.Reset()
			continue
		}
		m := moves[engine.Below(src, uint32(len(moves)))]
		if got, err := p.ParseSAN(p.SAN(m)); err != nil || got != m {
			t.Fatalf("%s: %s: %v", p, p.SAN(m), err)
		}
		p.Do(m)
	}
}

// FuzzParseSAN: what ParseSAN reads is a legal move, and its SAN reads back as the same one.
func FuzzParseSAN(f *testing.F) {
	texts := perftTexts(f)
	for i, san := range []string{"e4", "Nbd7", "exd6e.p.", "a8=Q+", "O-O-O#", "Qa4xd1!?", "b1c3", "Pe4", "=Q", "x", "Kx"} {
		f.Add(uint(i), san)
	}
	f.Fuzz(func(t *testing.T, position uint, san string) {
		p := at(t, texts[position%uint(len(texts))])
		m, err := p.ParseSAN(san)
		if err != nil {
			return
		}
		if _, err := p.ParseMove(p.FormatMove(m)); err != nil {
			t.Fatalf("%q is read as a move that is not legal: %v", san, err)
		}
		if again, err := p.ParseSAN(p.SAN(m)); err != nil || again != m {
			t.Fatalf("%q is %s, which reads back as %s, %v", san, p.SAN(m), p.FormatMove(again), err)
		}
	})
}
