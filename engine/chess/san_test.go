package chess_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// TestParseSANReadsWhatSANWrites: every legal move of every position, in SAN, without its
// marks, and in the long form. So no two moves have the same SAN.
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
