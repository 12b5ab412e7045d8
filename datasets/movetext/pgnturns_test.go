package movetext

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// peerGame is a game of the published engine of CoTuLenh; see engine/cotulenh/testdata/README.md.
type peerGame struct {
	Steps, History, Fens []string
	PGN                  string
}

func peerGames(t testing.TB) []peerGame {
	return enginetest.ReadLines[peerGame](t, "../../engine/cotulenh/testdata/san.jsonl.gz")
}

// finalText returns the position after the game of a record.
func finalText(t testing.TB, g encode.Game, r *engine.Record) string {
	t.Helper()
	pos := g.New("")
	must.Do(t, g.Replay(pos, r, func(int, engine.Move) {}))
	return pos.String()
}

// withClocks returns a bare list of turns with a comment behind each, as files of servers have them.
func withClocks(history []string) string {
	return strings.Join(history, " {[%clk 0:09:58]} ") + " *"
}

// TestPGNOfThePublishedEngine: its files, and its lists of turns alone and with clocks, are read as the games that were
// played, or refused where two readings are left. It writes the tag FEN of two games from a damaged board: they ended in a
// deployment that it could neither end nor take back.
func TestPGNOfThePublishedEngine(t *testing.T) {
	g, found := encode.CoTuLenh(), map[string]int{}
	for n, peer := range peerGames(t) {
		if len(peer.History) == 0 {
			continue
		}
		for form, text := range map[string]string{"file": peer.PGN, "list": strings.Join(peer.History, " "), "clocks": withClocks(peer.History)} {
			games, bad := readAll(t, "pgn", g, text)
			switch {
			case len(games) == 1 && sameBoard(finalText(t, g, games[0]), peer.Fens[len(peer.Fens)-1]):
				found[form]++
			case bad[1] != nil && strings.Contains(bad[1].Error(), "fits several turns"):
				found[form+", several readings"]++
			case bad[1] != nil && strings.HasSuffix(bad[1].Error(), "the game ends in another position"):
				found[form+", other end"]++
			default:
				t.Errorf("game %d, %s: %d games, %v", n, form, len(games), bad)
			}
		}
	}
	want := map[string]int{
		"file": 60, "file, several readings": 9, "file, other end": 2, "list": 61, "list, several readings": 10, "clocks": 61, "clocks, several readings": 10,
	}
	if !maps.Equal(found, want) {
		t.Errorf("found %v, want %v", found, want)
	}
}

// sameBoard compares boards and sides to move of two texts.
func sameBoard(a, b string) bool {
	return slices.Equal(strings.Fields(a)[:2], strings.Fields(b)[:2])
}

// stepsOf returns the start of a game of CoTuLenh, if it is not the usual one, and the moves.
func stepsOf(t testing.TB, r *engine.Record) string {
	t.Helper()
	g := encode.CoTuLenh()
	pos := g.New("")
	list := strings.Fields(r.Start)
	must.Do(t, g.Replay(pos, r, func(_ int, m engine.Move) { list = append(list, pos.FormatMove(m)) }))
	return strings.Join(list, " ")
}

const (
	twoTanks = "10c/11/11/11/11/11/3(TI)7/11/3(TI)7/11/11/6C4 r - - 0 1" // both stacks reach d5
	afterTf5 = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE1TM2EI/2N1G2TG2/3A2S2A1/1N2FH1HF2/6C4"
)

// TestPGNOfCoTuLenh: what is read, with the tag FEN as start or end, and comments.
func TestPGNOfCoTuLenh(t *testing.T) {
	fen := func(text string) string { return "[SetUp \"1\"]\n[FEN \"" + text + "\"]\n\n" }
	ours := "[Variant \"cotulenh\"]\n"
	for _, c := range []struct{ rule, text, want string }{
		{"turns alone", "Mg6 Mg7 *", "Mg5g6 Mg8g7"},
		{"numbers, marks and a variation", "1.Mg6! (1. Ic6 (1. E&d4)) 1...Mg7?! $3 *", "Mg5g6 Mg8g7"},
		{"more of the origin than needed", "Mg5g6 M8g7 *", "Mg5g6 Mg8g7"},
		{"a stack behind its number", fen("10c/11/11/11/11/11/11/11/2(NF)8/11/11/3C7 r - - 0 1") + "1.(NF)c5 *", "10c/11/11/11/11/11/11/11/2(NF)8/11/11/3C7 r - - 0 1 (NF)c4c5"},
		{"a deployment that ends early", fen("10c/11/11/11/11/11/11/11/2(NF)8/11/11/3C7 r - - 0 1") + "N<F>e4 *", "10c/11/11/11/11/11/11/11/2(NF)8/11/11/3C7 r - - 0 1 Fc4>e4 commit"},
		{"one that is open", fen("10c/11/11/11/11/11/11/11/2(NF)8/11/11/3C7 r - - 0 1") + "N<F>e4... *", "10c/11/11/11/11/11/11/11/2(NF)8/11/11/3C7 r - - 0 1 Fc4>e4"},
		{"the rest of an open one", fen("10c/11/11/11/11/11/11/11/2N1F6/11/11/3C7 r - - 1 1 c4:N:e4") + "N< *", "10c/11/11/11/11/11/11/11/2N1F6/11/11/3C7 r - - 1 1 c4:N:e4 commit"},
		{"a recombination", fen("10c/11/11/11/11/11/11/11/2(NFT)8/11/11/3C7 r - - 0 1") + "(FT)>e4,N>c5 *", "10c/11/11/11/11/11/11/11/2(NFT)8/11/11/3C7 r - - 0 1 Fc4>e4 Tc4>&e4 Nc4>c5"},
		{"moves in a comment", fen(twoTanks) + "I<T>d5 {[%clk 0:10] [%steps Td4>d5 commit]} *", twoTanks + " Td4>d5 commit"},
		{"FEN is the end, with the side before it", fen(afterTf5+" r - - 0 1") + "Tf5 *", "Tf4f5"},
		{"FEN is the end, with a clock of other rules", fen(afterTf5+" r - - 9 1") + "Tf5 *", "Tf4f5"},
		{"FEN is the start where the moves do not fit the usual one", fen("10c/11/11/11/11/11/4i6/4i6/4TIi4/11/11/6C4 r - - 0 1") + "Te3 *", "10c/11/11/11/11/11/4i6/4i6/4TIi4/11/11/6C4 r - - 0 1 Te4e3"},
		{"FEN of this program is the start", ours + fen("6c4/11/11/11/11/11/11/11/5T5/11/11/5C5 r - - 0 1") + "Tf5 *", "6c4/11/11/11/11/11/11/11/5T5/11/11/5C5 r - - 0 1 Tf4f5"},
		{"FEN is the usual start", fen(encode.CoTuLenh().New("").String()) + "Tf5 *", "Tf4f5"},
	} {
		got := stepsOf(t, mustRead(t, "pgn", encode.CoTuLenh(), c.text))
		if got != c.want {
			t.Errorf("%s: read %s, want %s", c.rule, got, c.want)
		}
	}
}

// TestBadPGNOfCoTuLenh: games are refused with the place of the turn.
func TestBadPGNOfCoTuLenh(t *testing.T) {
	fen := func(text string) string { return "[FEN \"" + text + "\"]\n\n" }
	for _, c := range []struct {
		rule, text   string
		line, column int
		why          string
	}{
		{"no turn", "1. Mg6 what *", 1, 8, "no algebraic notation"},
		{"an illegal one", "1. Mg6 Mg7 2. Mg9 *", 1, 15, `parse turn "Mg9": not a legal turn here`},
		{"two readings", fen(twoTanks) + "1. I<T>d5 *", 3, 4, `turn 1: "I<T>d5" fits several turns`},
		{"other moves in the comment", fen(twoTanks) + "1. I<T>d5 {[%steps Id4>e4 commit]} *", 3, 4, "has the moves of T<I>e4, not of I<T>d5"},
		{"an illegal move in the comment", fen(twoTanks) + "1. I<T>d5 {[%steps Td4>d9 commit]} *", 3, 4, `parse move "Td4>d9"`},
		{"FEN is neither start nor end", fen(afterTf5+" r - - 0 7") + "1. Tf5 Tf8 *", 3, 8, "tag FEN: the game ends in another position"},
		{"FEN has other heroic pieces", fen(strings.Replace(afterTf5, "TM", "+TM", 1)+" r - - 0 1") + "1. Tf5 *", 3, 4, "(ruling H2)"},
		{"an invalid FEN", fen("x") + "1. Mg6 Mg7 2. Mg9 *", 3, 15, "not a legal turn"},
		{"no end of the deployment", fen("10c/11/11/11/11/11/11/11/n10/(NT)10/11/9C1 r - - 5 1") + "1. N>b3,T>_a4 *", 3, 4, "(ruling H6)"},
		{"another game", "[Variant \"Chess960\"]\n\n1. Mg6 *", 1, 1, `the game is of the variant "Chess960"`},
	} {
		_, bad := readAll(t, "pgn", encode.CoTuLenh(), c.text)
		at, ok := bad[1].(*ReadError)
		if !ok || at.Line != c.line || at.Column != c.column || !strings.Contains(at.Error(), c.why) {
			t.Errorf("%s: %v, want line %d column %d: %s", c.rule, bad[1], c.line, c.column, c.why)
		}
	}
}

// TestWrittenPGNOfCoTuLenh: an ambiguous deployment has its steps, one with searches the scores of its decisions.
func TestWrittenPGNOfCoTuLenh(t *testing.T) {
	g := encode.CoTuLenh()
	r := played(t, g, twoTanks, "Td4>d5", "commit", "Ck12j12")
	r.Best, r.PolicySize = r.Actions, make([]uint16, 3)
	r.Nodes, r.Scores = []uint32{9, 9, 9}, []int16{134, -205, -29_997}
	want := "[Red \"ab:depth=1\"]\n[Blue \"a \\\"b\\\"\"]\n[Result \"*\"]\n[Variant \"cotulenh\"]\n[SetUp \"1\"]\n[FEN \"" + twoTanks + "\"]\n[PlyCount \"3\"]\n" +
		"[Termination \"unterminated\"]\n[Reason \"ply_limit\"]\n\n{ [%eval 1.34] } 1. I<T>d5 { [%steps Td4>d5 commit] [%stepevals -2.05] }\n{ [%eval #3] } 1... Cj12 *\n\n"
	text := written(t, "pgn", g, r)
	_, got, _ := strings.Cut(text, "[Round \"7\"]\n")
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	again := mustRead(t, "pgn", g, text)
	if stepsOf(t, again) != stepsOf(t, r) || fmt.Sprint(again.Scores) != fmt.Sprint(r.Scores) {
		t.Errorf("read back as %+v", again)
	}
}

// TestPGNOfCoTuLenhFromPositions: games that begin elsewhere, also in an open deployment, or with moves that the usual start
// has too, and that are cut off anywhere, are the same after writing and reading.
func TestPGNOfCoTuLenhFromPositions(t *testing.T) {
	g := encode.CoTuLenh()
	pos, src := g.New(""), rand.NewPCG(1, 2)
	starts := []string{"6c4/11/11/11/11/11/11/11/5T5/11/11/5C5 r - - 0 1", afterTf5 + " r - - 0 1"}
	for _, s := range enginetest.ReadLines[struct{ Position, Result string }](t, "../../engine/cotulenh/testdata/states.jsonl.gz") {
		if s.Result == "" {
			starts = append(starts, s.Position)
		}
	}
	games, open := 0, 0
	for i, start := range starts {
		if i%4 > 0 || engine.Begin(pos, start) != nil {
			continue
		}
		r := &engine.Record{Start: start}
		for range 1 + i/4%9 {
			m, ok := pos.DoRandom(src)
			if !ok {
				break
			}
			r.Actions, r.MoveRanks = append(r.Actions, g.Actions.Number(m)), append(r.MoveRanks, engine.RankBest)
		}
		r.Outcome = pos.Outcome()
		if r.Outcome == engine.Ongoing {
			r.Outcome.Reason = engine.PlyLimit
		}
		if len(r.Actions) == 0 {
			continue
		}
		games++
		_, isOpen := pos.(*cotulenh.Position).Session()
		if isOpen {
			open++
		}
		text := written(t, "pgn", g, r)
		if stepsOf(t, mustRead(t, "pgn", g, text)) != stepsOf(t, r) {
			t.Errorf("read back otherwise:\n%s", text)
		}
	}
	if games < 500 || open < 50 {
		t.Errorf("%d games, of which %d end in a deployment", games, open)
	}
}

// FuzzPGNOfCoTuLenh: as FuzzPGN, for a game whose notation writes turns.
func FuzzPGNOfCoTuLenh(f *testing.F) {
	for _, text := range []string{
		"[FEN \"" + twoTanks + "\"]\n1. I<T>d5 {[%steps Td4>d5 commit] [%stepevals -2.05]} *", "1.(NF)c5 (FT)>e4,N>c5... *", "N< {[%eval #-3]} 1-0", "+F>@b5,T>&xx", "[FEN \"" + afterTf5 + " r - - 9 1\"]\n1. Tf5 *", "Mg6! (1. Ic6 (1. E&d4)) Mg7?! $3 Nbc2 Nbc12 *",
	} {
		f.Add([]byte(text))
	}
	fuzzPGN(f, encode.CoTuLenh())
}
