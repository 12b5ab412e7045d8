package movetext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// readForm returns the form with a name.
func readForm(t testing.TB, name string) Form {
	t.Helper()
	forms := ReadForms()
	i := slices.IndexFunc(forms, func(f Form) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no form %s", name)
	}
	return forms[i]
}

// readAll returns the games of a text, and the errors of the bad ones by number.
func readAll(t testing.TB, form string, g encode.Game, text string) (games []*engine.Record, bad map[int]error) {
	t.Helper()
	f := readForm(t, form)
	p := must.Get(f.NewParser(g, ""))(t)
	bad = map[int]error{}
	for text, err := range f.Split(strings.NewReader(text)) {
		must.Do(t, err)
		r := new(engine.Record)
		if err := p.Parse(text, r); err != nil {
			bad[text.Number] = err
			continue
		}
		games = append(games, r)
	}
	return games, bad
}

// mustRead returns the only game of a text.
func mustRead(t *testing.T, form string, g encode.Game, text string) *engine.Record {
	t.Helper()
	games, bad := readAll(t, form, g, text)
	if len(games) != 1 || len(bad) != 0 {
		t.Fatalf("%d games, bad ones %v, want one game in\n%s", len(games), bad, text)
	}
	return games[0]
}

// TestGamesReadBack: games of every kind are the same after writing and reading, apart from
// what texts do not have.
func TestGamesReadBack(t *testing.T) {
	for _, g := range encode.Games() {
		for _, player := range []string{"random", "ab:depth=1"} {
			spec := must.Get(workers.ParsePlayer(&g.Game, player))(t)
			s := workers.Series{Game: g, Players: [2]workers.PlayerSpec{spec, spec}, Seed: 3, MaxPlies: 120}
			s.Opening.MaxPlies = 6
			if s.Searches() {
				s.Adjudication.Win = workers.WinRule{Score: 500, Plies: 3}
			}
			pool := workers.Start(s, 2)
			for _, form := range Forms() {
				if form.Check(g, "") == nil {
					mustReadBack(t, pool, form, g)
				}
			}
			pool.Close()
		}
	}
}

func mustReadBack(t *testing.T, pool *workers.Pool, form Form, g encode.Game) {
	t.Helper()
	err := pool.Play(t.Context(), workers.Games(0, 8), nil, func(r *engine.Record) error {
		got := mustRead(t, form.Name, g, written(t, form.Name, g, r))
		want := *r
		want.Game, want.PolicySize, want.PolicyAction, want.PolicyWeight = 0, make([]uint16, len(r.PolicySize)), nil, nil
		want.Best = append([]uint16(nil), r.Actions[:len(r.Best)]...)
		want.MoveRanks, want.Nodes = make([]uint8, len(r.Actions)), make([]uint32, len(r.Nodes))
		for ply := range r.Nodes {
			if want.Nodes[ply] = min(r.Nodes[ply], 1); r.Nodes[ply] == 0 {
				want.Best[ply], want.Scores[ply] = r.Actions[ply], 0
			}
		}
		opening := int(r.OpeningPlies) // whose moves were drawn
		if form.Name != "moves" {
			want.OpeningPlies = 0
			if len(r.Nodes) == 0 { // nothing tells where it ends
				opening = 0
			}
		}
		if form.Name == "viriformat" { // it has no names, and no games without a result
			want.Players = [2]string{"?", "?"}
			if want.Outcome.Reason == engine.PlyLimit {
				want.Outcome = engine.Outcome{Result: engine.Draw, Reason: engine.Adjudicated}
			}
		}
		for ply := range opening {
			want.MoveRanks[ply] = engine.RankRandom
		}
		if form.Name == "pgn" { // its own tags
			got.Tags = nil
		}
		if a, b := fmt.Sprintf("%+v", *got), fmt.Sprintf("%+v", want); a != b {
			t.Errorf("%s %s: got\n%s\nwant\n%s", g.Name, form.Name, a, b)
		}
		return nil
	})
	must.Do(t, err)
}

// TestPGNOfPythonChess: games that python-chess wrote, with variations, comments, glyphs, set
// positions and scores. Every position is the one that python-chess has; see
// testdata/generate.py.
func TestPGNOfPythonChess(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/python-chess.pgn"))(t)
	g := encode.Chess()
	games, bad := readAll(t, "pgn", g, string(text))
	if len(games) != 60 || len(bad) != 0 {
		t.Fatalf("%d games, bad ones %v, want 60 games", len(games), bad)
	}
	want := must.Get(os.ReadFile("testdata/python-chess.txt"))(t)
	var got strings.Builder
	for i, r := range games {
		writePlies(t, &got, i, r, func(score int16) int16 { return score })
	}
	mustEqualLines(t, "pgn", got.String(), string(want))
}

// writePlies writes the positions, moves and scores of a game as the scripts in testdata do, which
// ask python-chess. stored returns a score as the file has it.
func writePlies(t *testing.T, w io.Writer, number int, r *engine.Record, stored func(score int16) int16) {
	t.Helper()
	g := encode.Chess()
	pos := g.New("")
	must.Do(t, g.Replay(pos, r, func(ply int, m engine.Move) {
		score := "-"
		if len(r.Nodes) > 0 && r.Nodes[ply] > 0 {
			score = strconv.Itoa(int(stored(r.Scores[ply])))
		}
		fmt.Fprintf(w, "%d %d %s %s %s\n", number, ply, pos, pos.FormatMove(m), score)
	}))
}

func mustEqualLines(t *testing.T, name, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			t.Fatalf("%s: line %d of %d: got %q, want %q", name, i+1, len(b), a[min(i, len(a)-1)], b[min(i, len(b)-1)])
		}
	}
}

// sans returns the moves of a chess game in SAN.
func sans(t *testing.T, r *engine.Record) string {
	t.Helper()
	g := encode.Chess()
	pos := g.New("")
	var list []string
	must.Do(t, g.Replay(pos, r, func(_ int, m engine.Move) {
		list = append(list, pos.(engine.Algebraic).SAN(m))
	}))
	return strings.Join(list, " ")
}

func TestPGNOfAllSorts(t *testing.T) {
	g := encode.Chess()
	for _, c := range []struct{ rule, text, want string }{
		{"export format", "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n\n", "e4 e5 Nf3"},
		{"moves alone", "1. e4 e5 *", "e4 e5"},
		{"numbers without blanks", "1.e4 e5 2.Nf3 Nc6 *", "e4 e5 Nf3 Nc6"},
		{"numbers of black", "1. e4 {good} 1... e5 2... *", "e4 e5"},
		{"no numbers", "e4 e5\nNf3 *", "e4 e5 Nf3"},
		{"numbers without points", "1 e4 e5 2 Nf3 *", "e4 e5 Nf3"},
		{"points apart", "1 . e4 . . . e5 *", "e4 e5"},
		{"no marker", "[Event \"x\"]\n\n1. e4", "e4"},
		{"comment over lines", "1. e4 {one\n[Event \"two\"]\nthree} e5 *", "e4 e5"},
		{"comment to the end of the line", "1. e4 ; e5 {\ne6 *", "e4 e6"},
		{"escaped line", "% 1. d4\n1. e4\n% c5 {\ne5 *", "e4 e5"},
		{"variations", "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4 {)} 1-0) 1... e5 *", "e4 e5"},
		{"glyphs and judgements", "1. e4! $1 e5?! $6 2. Nf3 !! *", "e4 e5 Nf3"},
		{"expansion", "1. e4 <later e5> e6 *", "e4 e6"},
		{"no blanks around brackets", "1. e4(1. d4)e5{x}2. Nf3$1*", "e4 e5 Nf3"},
		{"Windows lines and a byte order mark", "\xef\xbb\xbf[Event \"x\"]\r\n\r\n1. e4\r\ne5 *\r\n", "e4 e5"},
		{"castling with zeros", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 *", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O"},
		{"tags on one line", "[Event \"x\"] [Result \"*\"] 1. e4 *", "e4"},
		{"quotes in a tag", `[Event "the "big" one"]` + "\n1. e4 *", "e4"},
		{"comment after the marker", "1. e4 * {the end}", "e4"},
		{"FEN", "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *", "e4"},
		{"FEN without clocks", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - -\"]\n\n1. e4 *", "e4"},
		{"FEN that is not in force", "[SetUp \"0\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Nf3 *", "Nf3"},
		{"standard variant", "[Variant \"Standard\"]\n\n1. Nf3 *", "Nf3"},
		{"Latin-1", "[White \"M\xfcller\"]\n\n1. e4 {M\xfcller} *", "e4"},
	} {
		if got := sans(t, mustRead(t, "pgn", g, c.text)); got != c.want {
			t.Errorf("%s: read %s, want %s", c.rule, got, c.want)
		}
	}
}

func TestPGNTags(t *testing.T) {
	g := encode.Chess()
	r := mustRead(t, "pgn", g, `[White "O'Neil \"X\" \\"]`+"\n[Black \"M\xfcl\tler\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 0\"]\n\n1. e4 *")
	if r.Players != [2]string{`O'Neil "X" \`, "Mül ler"} || r.Start != "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" {
		t.Errorf("players %q, start %q", r.Players, r.Start)
	}
	r = mustRead(t, "pgn", g, "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 *")
	if r.Players != [2]string{"?", "?"} || r.Start != "" {
		t.Errorf("players %q, start %q of the start of the game", r.Players, r.Start)
	}
}

// TestPGNGamesAreDivided: games follow each other, also without markers, tags or empty lines,
// and a broken one costs no other.
func TestPGNGamesAreDivided(t *testing.T) {
	g := encode.Chess()
	for _, c := range []struct{ rule, text, want, bad string }{
		{"markers", "1. e4 1-0 1. d4 0-1\n1. c4 *", "e4|d4|c4", ""},
		{"tags after moves", "[Event \"1\"]\n\n1. e4\n[Event \"2\"]\n\n1. d4", "e4|d4", ""},
		{"tags after a comment", "1. e4 * {end}\n[Event \"2\"]\n1. d4 *", "e4|d4", ""},
		{"marker in a variation", "1. e4 (1. d4 1-0) e5 *\n1. c4 *", "e4 e5|c4", ""},
		{"comment that is not closed", "[Event \"1\"]\n\n1. e4 {no end\n\n[Event \"2\"]\n\n1. d4 *", "d4", "1"},
		{"variation that is not closed", "[Event \"1\"]\n\n1. e4 (1. d4 *\n\n[Event \"2\"]\n\n1. d4 *", "d4", "1"},
		{"game without moves", "[Event \"1\"]\n\n[Event \"2\"]\n\n1. d4 *", "d4", "1"},
		{"illegal move", "1. e5 * 1. d4 *", "d4", "1"},
		{"cut off", "[PlyCount \"1\"]\n\n1. e4\n\n[PlyCount \"3\"]\n\n1. d4 d5\n\n[PlyCount \"3\"]\n\n1. c4 *\n\n[PlyCount \"?\"]\n\n1. b4", "e4|c4|b4", "2"},
		{"nothing", "\n\n  \n", "", ""},
	} {
		games, bad := readAll(t, "pgn", g, c.text)
		var moves, numbers []string
		for _, r := range games {
			moves = append(moves, sans(t, r))
		}
		for n := range bad {
			numbers = append(numbers, strconv.Itoa(n))
		}
		if strings.Join(moves, "|") != c.want || strings.Join(numbers, " ") != c.bad {
			t.Errorf("%s: games %q, bad %v, want %q and %q", c.rule, moves, bad, c.want, c.bad)
		}
	}
}

func TestPGNOutcomes(t *testing.T) {
	const (
		mate      = "1. f3 e5 2. g4 Qh4# "
		threefold = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 "
		going     = "1. e4 "
	)
	for _, c := range []struct {
		rule, text string
		want       engine.Outcome
		bad        string
	}{
		{"resigned", going + "1-0", engine.Outcome{Result: engine.FirstWins, Reason: engine.Adjudicated}, ""},
		{"agreed", going + "1/2-1/2", engine.Outcome{Result: engine.Draw, Reason: engine.Adjudicated}, ""},
		{"unfinished", going + "*", engine.Outcome{Reason: engine.PlyLimit}, ""},
		{"by the tag", "[Result \"0-1\"]\n\n" + going, engine.Outcome{Result: engine.SecondWins, Reason: engine.Adjudicated}, ""},
		{"by the tag, the marker says nothing", "[Result \"0-1\"]\n\n" + going + "*", engine.Outcome{Result: engine.SecondWins, Reason: engine.Adjudicated}, ""},
		{"mate", mate + "0-1", engine.Outcome{Result: engine.SecondWins, Reason: engine.Checkmate}, ""},
		{"mate without a marker", mate, engine.Outcome{Result: engine.SecondWins, Reason: engine.Checkmate}, ""},
		{"claimed draw", threefold + "1/2-1/2", engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}, ""},
		{"unclaimed draw", threefold + "1-0", engine.Outcome{Result: engine.FirstWins, Reason: engine.Adjudicated}, ""},
		{"play goes on after a repetition", threefold + "5. e4 0-1", engine.Outcome{Result: engine.SecondWins, Reason: engine.Adjudicated}, ""},
		{"mate of the other side", mate + "1-0", engine.Outcome{}, "the moves end with checkmate, which is another result"},
		{"an unknown tag, and a marker", "[Result \"1-O\"]\n\n" + going + "1-0", engine.Outcome{Result: engine.FirstWins, Reason: engine.Adjudicated}, ""},
		{"an unknown tag, and mate", "[Result \"1-O\"]\n\n" + mate, engine.Outcome{Result: engine.SecondWins, Reason: engine.Checkmate}, ""},
		{"an unknown tag alone", "[Result \"1-O\"]\n\n" + going + "*", engine.Outcome{}, `tag Result: "1-O": want 1-0`},
		{"two tags", "[Result \"0-1\"]\n[Result \"1-0\"]\n\n" + going, engine.Outcome{}, `tag Result is given twice: "0-1" and "1-0"`},
		{"tag against marker", "[Result \"0-1\"]\n\n" + going + "1-0", engine.Outcome{}, "the tag Result is 0-1"},
	} {
		games, bad := readAll(t, "pgn", encode.Chess(), c.text)
		switch {
		case c.bad != "" && (len(games) != 0 || bad[1] == nil || !strings.Contains(bad[1].Error(), c.bad)):
			t.Errorf("%s: %d games, bad %v, want %q", c.rule, len(games), bad, c.bad)
		case c.bad == "" && (len(games) != 1 || games[0].Outcome != c.want):
			t.Errorf("%s: %d games, bad %v, want %v", c.rule, len(games), bad, c.want)
		}
	}
}

func TestPGNScores(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		scores     []int16 // by ply
		nodes      []uint32
	}{
		{"of the next position, from the view of White", "{[%eval 0.2]} 1. e4 {[%eval 0.31]} e5 {[%eval -0.05,18]} 2. Nf3 *", []int16{20, -31, -5}, []uint32{1, 1, 1}},
		{"after the last move", "1. e4 {[%eval 0.31]} *", nil, nil},
		{"mates in moves", "1. f3 {[%eval #-3]} e5 {[%eval #-2]} 2. g4 {[%eval #-1]} Qh4# *", []int16{0, 30_000 - 5, -(30_000 - 4), 30_000 - 1}, []uint32{0, 1, 1, 1}},
		{"of the player, in the view of the player", "1. e4 {+0.31/12 0.5s} e5 {-0.20/13 0.5s} 2. Nf3 {book} *", []int16{31, -20, 0}, []uint32{1, 1, 0}},
		{"mates in plies", "1. f3 {-M6/9 1s} e5 {+M5/10 1s} 2. g4 *", []int16{-(30_000 - 6), 30_000 - 5, 0}, []uint32{1, 1, 0}},
		{"nodes of the player", "1. e4 {0.00/12 0.5s, tl=3s, n=12345, sd=20} e5 *", []int16{0, 0}, []uint32{12345, 0}},
		{"the player outranks an analysis", "{[%eval 0.9]} 1. e4 {+0.31/12 0.5s} e5 *", []int16{31, 0}, []uint32{1, 0}},
		{"line comment", "1. e4 ; +0.31/12 0.5s\n e5 *", []int16{31, 0}, []uint32{1, 0}},
		{"too large for a score that proves nothing", "1. e4 {+327.67/12 0.5s} e5 *", []int16{20_000, 0}, []uint32{1, 0}},
		{"not in variations", "1. e4 (1. d4 {+0.31/12 0.5s}) e5 *", nil, nil},
		{"mates far away", "1. f3 {[%eval #-4611686018427402905]} e5 {[%eval #5000000000000000000]} 2. g4 *", []int16{0, 20_001, 20_001}, []uint32{0, 1, 1}},
		{"0 without a sign", "1. e4 {0.00/12 0.5s} e5 {-0.00/13} 2. Nf3 {+0.00/1} *", []int16{0, 0, 0}, []uint32{1, 1, 1}},
		{"no signs", "1. e4 {3.5/10 rating of this move} e5 {0.5/1} 2. Nf3 {M5/10 1s} Nc6 {0/12} 3. d4 {./2} *", nil, nil},
		{"no numbers of programs", "1. e4 {[%eval inf]} e5 {[%eval -Infinity]} 2. Nf3 {[%eval nan]} Nc6 {[%eval 1e3]} 3. d4 {[%eval 0x1p4]} d5 {+inf/12} 4. c4 {-1e2/12} Nf6 {+0x1p4/12} 5. a3 *", nil, nil},
		{"no scores", "1. e4 {1/2 offered} e5 {[%clk 0:01:00]} 2. d4 {3/5} d5 {[%eval]} 3. c4 {[%eval x]} c5 {+/= 3} 4. a3 {[%eval #0]} *", nil, nil},
	} {
		r := mustRead(t, "pgn", encode.Chess(), c.text)
		if !reflect.DeepEqual(r.Scores, c.scores) || !reflect.DeepEqual(r.Nodes, c.nodes) {
			t.Errorf("%s: scores %v, nodes %v, want %v and %v", c.rule, r.Scores, r.Nodes, c.scores, c.nodes)
		}
		if len(r.Scores) > 0 && (!reflect.DeepEqual(r.Best, r.Actions) || len(r.PolicySize) != len(r.Actions)) {
			t.Errorf("%s: best moves %v of %v", c.rule, r.Best, r.Actions)
		}
	}
}

// TestBadGamesAreNamed: by line and column of the fault.
func TestBadGamesAreNamed(t *testing.T) {
	const before = "\n[Event \"good\"]\n\n1. e4 *\n\n" // five lines
	for _, c := range []struct {
		rule, text   string
		line, column int
		why          string
	}{
		{"illegal move", "[Event \"x\"]\n\n1. e4 e5\n2. Nf3 Nf3 *", 9, 8, `parse move "Nf3": not a legal move here`},
		{"illegal move behind its number", "[Event \"x\"]\n\n1. e4 e5 2.Ke3 *", 8, 12, "not a legal move"},
		{"unknown word", "1. e4 what *", 6, 7, "no algebraic notation"},
		{"null move", "1. e4 -- *", 6, 7, "no algebraic notation"},
		{"open comment", "1. e4 {no end", 6, 7, "the comment is not closed"},
		{"open variation", "1. e4\n(1. d4 (1. c4)", 7, 1, "the variation is not closed"},
		{"bracket too many", "1. e4 ) *", 6, 7, "a bracket closes no variation"},
		{"cut off", "[Result \"1-0\"]\n[PlyCount \"30\"]\n\n1. e4 e5\n2. Nf3 \n\n", 10, 7, "the game is cut off after 3 of 30 plies: it has no termination marker"},
		{"no moves", "[Event \"x\"]\n\n*", 8, 1, "the game has no moves"},
		{"invalid tag", "[Event x]\n\n1. e4 *", 6, 1, "invalid tag"},
		{"invalid FEN", "[FEN \"8/8 w\"]\n\n1. e4 *", 6, 1, "tag FEN: parse position: "},
		{"other variant", "[Variant \"Crazyhouse\"]\n\n1. e4 *", 6, 1, `the game is of the variant "Crazyhouse"`},
	} {
		games, bad := readAll(t, "pgn", encode.Chess(), before+c.text)
		var at *ReadError
		if len(games) != 1 || !errors.As(bad[2], &at) || at.Line != c.line || at.Column != c.column || !strings.Contains(at.Error(), c.why) {
			t.Errorf("%s: %d games, bad %v, want line %d column %d: %s", c.rule, len(games), bad, c.line, c.column, c.why)
		}
	}
}

func TestPGNFilesThatAreNoText(t *testing.T) {
	f, _ := Find("pgn")
	var last error
	for _, err := range f.Split(strings.NewReader("1. e4 *\n\x00\x01")) {
		last = err
	}
	if last == nil || !strings.Contains(last.Error(), "line 2: it has bytes of value zero") {
		t.Error(last)
	}
	for _, long := range []string{strings.Repeat("x", MaxText+1), strings.Repeat("Nf3 ", MaxText/4)} {
		if games, bad := readAll(t, "pgn", encode.Chess(), "1. "+long+" *\n\n1. d4 *"); len(games) != 1 || len(bad) != 1 || !strings.Contains(bad[1].Error(), "more than 16 MiB") {
			t.Errorf("a long game: %d games, bad %v", len(games), bad)
		}
	}
}

// TestPGNLongComments: they cost no game and no memory, places after them stay right, and it is noted.
func TestPGNLongComments(t *testing.T) {
	for _, comment := range []string{strings.Repeat("x", 18<<20), strings.Repeat(strings.Repeat("x", 1<<20)+"\n", 18), strings.Repeat("} {"+strings.Repeat("x", 1<<20), 18)} {
		games, bad := readAll(t, "pgn", encode.Chess(), "1. e4 {"+comment+"} e5 {\n} 2. Ke3 *\n1. d4 {"+comment+"} d5 *")
		line := 2 + strings.Count(comment, "\n")
		var at *ReadError
		if len(games) != 1 || len(games[0].Actions) != 2 || !errors.As(bad[1], &at) || at.Line != line || at.Column != 6 {
			t.Errorf("%d games, bad %v, want one at line %d", len(games), bad, line)
		}
	}
	f, _ := Find("pgn")
	p := must.Get(f.NewParser(encode.Chess(), ""))(t)
	for text := range f.Split(strings.NewReader("1. e4 {" + strings.Repeat("x", 18<<20) + "} *")) {
		err := p.Parse(text, new(engine.Record))
		if n := p.Notes()[CutComments]; err != nil || n.Count != 1 || len(text.Bytes) > maxComments+maxPiece {
			t.Errorf("%v: %+v, %d bytes", err, n, len(text.Bytes))
		}
	}
}

// TestPGNLinesOfAnyLength: moves are not divided where a line is read in pieces.
func TestPGNLinesOfAnyLength(t *testing.T) {
	games := strings.Repeat("1. Nf3 Nf6 2. Ng1 {a comment} Ng8 * ", 30_000)
	if list, bad := readAll(t, "pgn", encode.Chess(), games); len(list) != 30_000 || len(bad) != 0 {
		t.Errorf("%d games, bad %v", len(list), bad)
	}
}

func TestBadLines(t *testing.T) {
	g := encode.Contrast()
	good := strings.TrimSpace(written(t, "moves", g, played(t, g, "", "a5,a4 -1", "a1,a2 -1")))
	if r := mustRead(t, "moves", g, "\n"+good+"\n\n"); len(r.Actions) != 2 || r.Outcome.Reason != engine.PlyLimit {
		t.Fatalf("read %+v of %s", r, good)
	}
	for _, c := range []struct{ rule, old, new, want string }{
		{"no JSON", "{", "", "parse line: "},
		{"two objects", "}", "} {}", "text after the object"},
		{"unknown member", `"game"`, `"gama"`, `unknown field "gama"`},
		{"invalid start", `"start":""`, `"start":"x"`, "parse position"},
		{"illegal move", "a1,a2 -1", "a1,a9 -1", "ply 1: parse move"},
		{"no moves", `["a5,a4 -1","a1,a2 -1"]`, "[]", "the game has no moves"},
		{"opening longer than the game", `"opening_plies":0`, `"opening_plies":3`, "3 opening plies in a game of 2"},
		{"unknown result", `"result":""`, `"result":"purple"`, `unknown result "purple"`},
		{"unknown reason", "ply_limit", "boredom", `unknown reason "boredom"`},
		{"another reason", "ply_limit", "goal", `"" by "goal": the moves give "" by "ply_limit"`},
		{"scores of other plies", `"moves"`, `"scores":[1],"moves"`, "1 scores for 2 moves"},
		{"unknown tag", `"moves"`, `"tags":{"mood":"x"},"moves"`, `unknown tag "mood": want event, site, date, `},
		{"two unknown tags", `"moves"`, `"tags":{"b":"","d":"","a":"","c":""},"moves"`, `unknown tag "a"`},
		{"a score out of range", `"moves"`, `"scores":[null,30000],"moves"`, "ply 1: score 30000"},
		{"a score of another type", `"moves"`, `"scores":[1.0,null],"moves"`, `member "scores": number 1.0 does not fit`},
		{"a member twice", `"moves"`, `"result":"black","moves"`, `member "result" is given twice`},
		{"a move twice", `"moves"`, `"policies":[{"a5,a4 -1":1,"a5,a4 -1":2},null],"moves"`, `member "a5,a4 -1" is given twice`},
		{"a member in other case", `"moves"`, `"MOVES"`, `unknown member "MOVES": want "moves"`},
		{"no result", `"result":"",`, "", `no member "result"`},
		{"three players", `"players":[`, `"players":["x",`, "3 players: want 2"},
		{"no date", `"moves"`, `"tags":{"date":"yesterday"},"moves"`, `tag date: "yesterday": want YYYY-MM-DD`},
		{"no rating", `"moves"`, `"tags":{"event":"x","elo_first":"abc"},"moves"`, `tag elo_first: "abc": want a whole number from 1 to 65535`},
		{"Latin-1", `"start":""`, "\"start\":\"\xf6\"", "parse line: it is not UTF-8"},
	} {
		line := strings.Replace(good, c.old, c.new, 1)
		games, bad := readAll(t, "moves", g, good+"\n"+line+"\n")
		var at *ReadError
		if len(games) != 1 || !errors.As(bad[2], &at) || at.Line != 2 || !strings.Contains(at.Error(), c.want) {
			t.Errorf("%s: %d games, bad %v, want %q", c.rule, len(games), bad, c.want)
		}
	}
}

// TestNoGameGoesOnAfterItsEnd: in the game's own notation.
func TestNoGameGoesOnAfterItsEnd(t *testing.T) {
	g := encode.Chess()
	line := func(start, moves string) string {
		return `{"game":0,"players":["a","b"],"start":"` + start + `","opening_plies":0,"result":"draw","reason":"","moves":[` + moves + "]}\n"
	}
	text := line("", `"g1f3","g8f6","f3g1","f6g8","g1f3","g8f6","f3g1","f6g8","e2e4"`) + line("4k3/8/8/8/8/8/8/4K3 w - - 0 1", `"e1e2"`)
	if games, bad := readAll(t, "moves", g, text); len(games) != 2 {
		t.Errorf("%d games, bad %v: an unclaimed draw is no end", len(games), bad)
	}
}

// FuzzPGN: no text makes the reader panic, every game that it takes can be replayed, and is the
// same after writing and reading.
func FuzzPGN(f *testing.F) {
	if text, err := os.ReadFile("testdata/python-chess.pgn"); err == nil {
		for i, part := range bytes.SplitAfter(text, []byte("\n\n[Event")) {
			if i < 10 {
				f.Add(append([]byte("[Event"), bytes.TrimSuffix(part, []byte("[Event"))...))
			}
		}
	}
	for _, text := range []string{
		"1. e4 {+0.31/12 0.5s, n=3} e5 (1... c5) $1 2. 0-0 *", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - -\"]\n1.e4 1-0 1.d4", "1. e4 {x\n\n[Event \"\"]",
		"%\n;\n{}()<$*", "[White \"a\\\"b\\\\\"]\n*", "1. e4 {[%eval #-3]} e5 {[%eval 0.1,3]} 1/2-1/2",
	} {
		f.Add([]byte(text))
	}
	fuzzPGN(f, encode.Chess())
}

// fuzzPGN reads games and writes them again.
func fuzzPGN(f *testing.F, g encode.Game) {
	form, again := readForm(f, "pgn"), new(engine.Record)
	fuzzReading(f, "pgn", g, func(t *testing.T, p *Parser, r *engine.Record, err error) {
		if err != nil {
			var at *ReadError
			if !errors.As(err, &at) || at.Line < 1 || at.Column < 1 {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		mustBePlain(t, p, r, err)
		text := written(t, "pgn", g, r)
		for part := range form.Split(strings.NewReader(text)) {
			if err := p.Parse(part, again); err != nil || !reflect.DeepEqual(again.Actions, r.Actions) || again.Outcome != r.Outcome || again.Start != r.Start {
				t.Fatalf("%v: %+v is read back as %+v from\n%s", err, r, again, text)
			}
		}
	})
}

// viriOf returns a game in viriformat.
func viriOf(t testing.TB, moves ...string) []byte {
	t.Helper()
	r := played(t, encode.Chess(), "", moves...)
	r.Outcome = engine.Outcome{Result: engine.Draw, Reason: engine.Adjudicated}
	return []byte(written(t, "viriformat", encode.Chess(), r))
}

// TestBadViriGames: named by the byte of their fault; the games after them are read.
func TestBadViriGames(t *testing.T) {
	good := viriOf(t, "e2e4", "e7e5", "g1f3")
	n := int64(len(good))
	change := func(at int, b ...byte) []byte {
		bad := bytes.Clone(good)
		copy(bad[at:], b)
		return bad
	}
	for _, c := range []struct {
		rule string
		bad  []byte
		at   int64
		want string
	}{
		{"unknown result", change(30, 3), n, "result 3"},
		{"no king", change(10, 0x24), n, "want one king of each side"},
		{"illegal move", change(36, good[32:34]...), n + 36, "not a legal move here"},
		{"a move of another kind", change(33, good[33]|0x40), n + 32, "it is of another kind"},
		{"no moves", append(good[:32:32], 0, 0, 0, 0), n, "the game has no moves"},
	} {
		games, bad := readAll(t, "viriformat", encode.Chess(), string(good)+string(c.bad)+string(good))
		var at *ReadError
		if len(games) != 2 || !errors.As(bad[2], &at) || at.Line != 0 || at.Byte != c.at || !strings.Contains(at.Error(), c.want) {
			t.Errorf("%s: %d games, bad %v, want byte %d: %s", c.rule, len(games), bad, c.at, c.want)
		}
	}
	form, _ := Find("viriformat")
	for _, cut := range []int{1, 33, len(good) - 1} {
		var last error
		for _, err := range form.Split(bytes.NewReader(good[:cut])) {
			last = err
		}
		if !errors.Is(last, io.ErrUnexpectedEOF) {
			t.Errorf("cut off after %d bytes: %v", cut, last)
		}
	}
}

// FuzzViri: no bytes make the reader panic, and every game that it takes can be replayed.
func FuzzViri(f *testing.F) {
	f.Add(viriOf(f, "e2e4", "e7e5", "g1f3"))
	f.Add(viriOf(f, "g1f3", "g8f6", "g2g3", "g7g6", "f1g2", "f8g7", "e1g1", "e8g8"))
	fuzzReading(f, "viriformat", encode.Chess(), nil)
}

// FuzzLines: no line makes the reader panic, and every game that it takes can be replayed.
func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"game":0,"players":["a","b"],"start":"","opening_plies":1,"result":"","reason":"ply_limit","moves":["a5,a4 -1","a1,a2 -1"],"scores":[null,-12]}`))
	f.Add([]byte(`{"result":"","moves":["a5,a4 -1"],"scores":[3],"policies":[{"a5,a4 -1":7,"a5,a4 a4b":2}],"tags":{"date":"1851.06.??","elo_first":"9"}}`))
	fuzzReading(f, "moves", encode.Contrast(), mustBePlain)
}

// fuzzReading reads games of a form and replays them. check, if it is not nil, gets each record, or
// the error of a game that is not taken.
func fuzzReading(f *testing.F, form string, g encode.Game, check func(t *testing.T, p *Parser, r *engine.Record, err error)) {
	f.Fuzz(func(t *testing.T, data []byte) {
		reader := readForm(t, form)
		p := must.Get(reader.NewParser(g, ""))(t)
		r, pos := new(engine.Record), g.New("")
		for text, err := range reader.Split(bytes.NewReader(data)) {
			if err != nil {
				return
			}
			if err = p.Parse(text, r); err == nil {
				must.Do(t, g.Replay(pos, r, func(int, engine.Move) {}))
			}
			if check != nil {
				check(t, p, r, err)
			}
		}
	})
}
