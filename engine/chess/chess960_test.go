package chess_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// row960 is an entry of testdata/chess960.json.gz; testdata/README.md describes the fields.
type row960 struct {
	FEN   string
	Perft []uint64
	Moves []string
}

func rows960(t testing.TB) (rows []row960) {
	t.Helper()
	enginetest.ReadJSON(t, "testdata/chess960.json.gz", &rows)
	enginetest.AtLeast(t, len(rows), 1260)
	return rows
}

// at960 returns the position of a text in Chess960.
func at960(t testing.TB, text string) *chess.Position {
	t.Helper()
	p := chess.New960()
	must.Do(t, p.Set(text))
	return p
}

// later960 returns the positions of testdata/chess960.json.gz after the starts.
func later960(t testing.TB) (texts []string) {
	t.Helper()
	for _, row := range rows960(t)[960:] {
		texts = append(texts, row.FEN)
	}
	return texts
}

// TestChess960Perft: all counts and all legal moves of the file.
func TestChess960Perft(t *testing.T) {
	enginetest.InParallel(t, rows960(t), func(d *enginetest.Differences, row row960) {
		p := at960(d.T, row.FEN)
		for i, nodes := range row.Perft {
			if got := engine.Perft(p, i+1); got != nodes {
				d.Addf("%s: perft(%d) = %d, want %d", row.FEN, i+1, got, nodes)
			}
		}
		slices.Sort(row.Moves)
		if row.Moves != nil && !slices.Equal(enginetest.MovesOf(p, ""), row.Moves) {
			d.Addf("%s: moves %v, want %v", row.FEN, enginetest.MovesOf(p, ""), row.Moves)
		}
	})
}

// TestChess960Starts: the starts have the numbers and arrays of the file, each twice in 1,920.
func TestChess960Starts(t *testing.T) {
	for n, row := range rows960(t)[:960] {
		p := at960(t, row.FEN)
		if got := chess.Start960(n, n); got != p.String() {
			t.Fatalf("start %d is %s, want %s", n, got, p)
		}
	}
	if got := chess.Start960(chess.StandardStart, chess.StandardStart); got != chess.StartText {
		t.Errorf("start 518 is %s", got)
	}
	if got := chess.Start960(0, 959); got != "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1" {
		t.Errorf("starts 0 and 959 are %s", got)
	}
}

// TestChess960Laws: the laws of games, with positions of all kinds of rights.
func TestChess960Laws(t *testing.T) {
	g := chess.Game()
	g.Variants = []string{chess.Chess960}
	enginetest.Run(t, g, later960(t))
}

// TestChess960Rules asks the cases of testdata/rules960.txt.
func TestChess960Rules(t *testing.T) {
	rules("testdata/rules960.txt", chess.Chess960).Run(t)
}

// TestStandardTextsMeanTheSame: a text of standard chess is the same position in Chess960, with
// the same hash, and the same number of moves.
func TestStandardTextsMeanTheSame(t *testing.T) {
	for _, text := range append(perftTexts(t), chess.StartText) {
		p, q := at(t, text), at960(t, text)
		if p.String() != q.String() || p.Hash() != q.Hash() || p.Count() != q.Count() || p.Evaluate() != q.Evaluate() {
			t.Errorf("%s: in Chess960 %s", p, q)
		}
	}
}

// TestHashTellsRooksApart: a right of another rook is another position.
func TestHashTellsRooksApart(t *testing.T) {
	const text = "4k3/8/8/8/8/8/8/RR2K1RR w %s - 0 1"
	seen := map[uint64]string{}
	for _, rights := range strings.Fields("- H G A B HA HB GA GB") {
		h := at960(t, fmt.Sprintf(text, rights)).Hash()
		if other, ok := seen[h]; ok {
			t.Errorf("rights %s and %s have the same hash", rights, other)
		}
		seen[h] = rights
	}
}

// TestCastlingTakesNothing: no answer of Chess960 about captures has a castling move in it, and
// its placement is that of the king's target.
func TestCastlingTakesNothing(t *testing.T) {
	seen := 0
	src := rand.NewPCG(5, 8)
	p := chess.New960()
	for _, text := range later960(t) {
		for range 20 {
			must.Do(t, p.Set(text))
			for range 10 {
				for _, m := range p.Moves(nil) {
					s, cells := chess.Unpack(m), p.AppendCells(nil)
					if cells[s.To] == 0 || sideOf(cells[s.To]) != sideOf(cells[s.From]) {
						continue
					}
					seen++
					if p.Gain(m) != 0 || p.Hangs(m) || p.GivesCheck(m) || slices.Contains(p.Captures(nil), m) || !p.Legal(m) {
						t.Fatalf("%s: %s counts as a capture", p, p.FormatMove(m))
					}
				}
				if _, ok := p.DoRandom(src); !ok {
					break
				}
			}
		}
	}
	enginetest.AtLeast(t, seen, 5_000)
}
