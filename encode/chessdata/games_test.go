package chessdata

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/internal/must"
)

// positionForms write positions, and read them as games. step is how far the places of two
// positions lie apart.
var positionForms = []struct {
	name  string
	write func(t testing.TB, rows []Row) []byte
	read  func(r io.Reader) *GameReader
	step  int
}{
	{"binpack", binpack, NewBinpackGames, 1},
	{"plain", plain, NewPlainGames, PlainLines},
}

// plain returns rows as plain text.
func plain(t testing.TB, rows []Row) []byte { return encoded(t, AppendPlain, rows...) }

// describe returns the games of a reader, as their number of moves, and the bad ones, as where
// they begin, how many moves are good, and why the next one is not. An error of the file is last.
func describe(r *GameReader) (list []string) {
	var g Game
	for {
		place, err := r.Read(&g)
		var bad *RowError
		switch {
		case err == io.EOF:
			return list
		case errors.As(err, &bad):
			list = append(list, fmt.Sprintf("bad at %d, %d good: %v", place, len(g.Moves), bad.Err))
		case err != nil:
			return append(list, err.Error())
		default:
			list = append(list, fmt.Sprint(len(g.Moves)))
		}
	}
}

// TestGamesOfPositions: positions that follow each other are a game, and a chain of binpack,
// whatever the scores.
func TestGamesOfPositions(t *testing.T) {
	one, two := gameRows(1, 60), gameRows(2, 40)
	one[7].Score, one[8].Score, one[9].Score = NoScore, 31_999, -32_767
	change := func(at int, edit func(r *Row)) []Row {
		list := slices.Clone(one)
		edit(&list[at])
		return list
	}
	other := rowOf(t, "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1e2")
	for _, c := range []struct {
		rule   string
		rows   []Row
		want   string // the moves of the games
		chains string // the further positions of the chains
	}{
		{"no positions", nil, "", ""},
		{"one position", one[7:8], "1", "0"},
		{"a game", one, "60", "59"},
		{"from the middle of a game", one[31:], "29", "28"},
		{"two games", slices.Concat(one, two), "60 40", "59 39"},
		{"the same game twice", slices.Concat(two, two), "40 40", "39 39"},
		{"a row that is missing", slices.Concat(one[:20], one[21:]), "20 39", "19 38"},
		{"rows of every other ply", []Row{one[0], one[2], one[4]}, "1 1 1", "0 0 0"},
		{"the same row twice", []Row{one[3], one[3], one[4]}, "1 2", "0 1"},
		{"in reverse order", []Row{one[2], one[1], one[0]}, "1 1 1", "0 0 0"},
		{"another result", change(30, func(r *Row) { r.Result = 0 }), "30 1 29", "29 0 28"},
		{"another clock", change(30, func(r *Row) { r.Position.HalfMove += 2 }), "30 1 29", "29 0 28"},
		{"another full move", change(30, func(r *Row) { r.Position.FullMove++ }), "30 1 29", "29 0 28"},
		{"another position", slices.Concat(one[:5], []Row{other}, one[5:]), "5 1 55", "4 0 54"},
		{"scores do not matter", change(30, func(r *Row) { r.Score = NoScore }), "60", "59"},
	} {
		for _, f := range positionForms {
			list := describe(f.read(bytes.NewReader(f.write(t, c.rows))))
			if got := strings.Join(list, " "); got != c.want {
				t.Errorf("%s, %s: games of %s moves, want %s", f.name, c.rule, got, c.want)
			}
		}
		data := binpack(t, c.rows)
		mustReadBack(t, data, c.rows)
		if got := strings.Trim(fmt.Sprint(chainsOf(t, data)), "[]"); got != c.chains {
			t.Errorf("%s: chains of %s further positions, want %s", c.rule, got, c.chains)
		}
	}
	if size := len(binpack(t, one)); size > 8+34+59*5 {
		t.Errorf("%d bytes for %d positions", size, len(one))
	}
}

// TestGamesKeepRows: moves, scores, first position and result of the rows, and where they begin.
func TestGamesKeepRows(t *testing.T) {
	for _, f := range positionForms {
		var rows []Row
		var sizes []int
		for seed := range uint64(20) {
			game := gameRows(seed, 80)
			for i := range game {
				game[i].Result = int8(seed%3) - 1
				if i%2 == 1 {
					game[i].Result = -game[i].Result
				}
			}
			rows, sizes = append(rows, game...), append(sizes, len(game))
		}
		r, at := f.read(bytes.NewReader(f.write(t, rows))), 0
		for seed, n := range sizes {
			var g Game
			place, err := r.Read(&g)
			result := [...]engine.Result{engine.SecondWins, engine.Draw, engine.FirstWins}[seed%3]
			if err != nil || place != 1+at*f.step || g.Start != rows[at].Position || g.Result != result || len(g.Moves) != n || len(g.Scores) != n {
				t.Fatalf("%s: game %d at %d: %+v, %v", f.name, seed, place, g, err)
			}
			for i := range n {
				if want := &rows[at+i]; g.Moves[i] != want.Move || g.Scores[i] != want.Score {
					t.Fatalf("%s: game %d ply %d: %+v and %d, want %+v", f.name, seed, i, g.Moves[i], g.Scores[i], want)
				}
			}
			at += n
		}
	}
}

// TestBadPlainPositions: a position that cannot be taken makes its game bad, as far as plies and
// results go on. Other games are read.
func TestBadPlainPositions(t *testing.T) {
	one, two := gameRows(1, 10), gameRows(2, 4)
	text := string(plain(t, slices.Concat(one, two)))
	third := string(plain(t, one[2:3]))
	line := func(n int) string { return strings.Split(third, "\n")[n] + "\n" }
	fen := strings.Fields(line(0))[1]
	for _, c := range []struct{ rule, old, new, want string }{
		{"as it is", "", "", "10|4"},
		{"Windows lines", "\n", "\r\n", "10|4"},
		{"empty lines", line(5) + "fen", "\n\ne\n\nfen", "10|4"},
		{"an illegal move", line(1), "move a1h8\n", "bad at 1, 2 good: parse move \"a1h8\": not a legal move here|4"},
		{"no king", fen, strings.Replace(fen, "K", "Q", 1), "bad at 1, 2 good: parse position: no white king (FEN_INVALID_KING)|4"},
		{"a score out of range", line(2), "score 40000\n", "bad at 1, 2 good: score \"40000\": want a number from -32767 to 32767, or 32002 for a position without a score|4"},
		{"a score that is none", line(2), "score +\n", "bad at 1, 2 good: score \"+\": want a number from -32767 to 32767, or 32002 for a position without a score|4"},
		{"a ply that is none", line(3), "ply -1\n", "bad at 1, 2 good: ply \"-1\": want a number of plies from 0|4"},
		{"a result that is none", line(4), "result 2\n", "2|bad at 13, 0 good: result \"2\": want 1, 0 or -1|7|4"},
		{"a line that is missing", line(1) + line(2), line(1), "bad at 1, 2 good: want a line that begins with score|4"},
		{"a line too many", line(4), line(4) + "depth 3\n", "bad at 1, 2 good: want the line e after a result|4"},
		{"a position without an end", "\n" + line(4) + line(5), "\n" + line(4), "bad at 1, 2 good: want the line e after a result|6|4"},
		{"a position of which nothing is known", third, "what\ne\n", "2|bad at 13, 0 good: want a line that begins with fen|7|4"},
		{"another result from there on", line(4), "result 0\n", "2|1|7|4"},
	} {
		at := strings.Index(text, third)
		damaged := text[:at] + strings.Replace(text[at:], c.old, c.new, 1)
		if c.rule == "Windows lines" {
			damaged = strings.ReplaceAll(text, c.old, c.new)
		}
		if got := strings.Join(describe(NewPlainGames(strings.NewReader(damaged))), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.rule, got, c.want)
		}
	}
}

// TestFilesOfOtherPrograms: one for each way of writing positions that a reader has got wrong.
func TestFilesOfOtherPrograms(t *testing.T) {
	for _, c := range []struct {
		file string
		read func(r io.Reader) *GameReader
		want string
	}{
		{"ep-square-unused.plain", NewPlainGames, "3"},
		{"ep-square-unused.binpack", NewBinpackGames, "3"},
		{"ply-83.plain", NewPlainGames, "2"},
		{"score-40000.plain", NewPlainGames, `bad at 1, 0 good: score "40000": want a number from -32767 to 32767, or 32002 for a position without a score`},
	} {
		data := must.Get(os.ReadFile("testdata/" + c.file))(t)
		if got := strings.Join(describe(c.read(bytes.NewReader(data))), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.file, got, c.want)
		}
	}
}

// TestBadPlainLinesAreNamed: where they are, not where the position begins.
func TestBadPlainLinesAreNamed(t *testing.T) {
	text := string(plain(t, gameRows(1, 3)))
	for name, want := range map[string]int{"fen": 14, "move": 15, "score": 16, "ply": 17, "result": 18} {
		at := strings.LastIndex(text, name+" ")
		r := NewPlainReader(strings.NewReader(text[:at] + "\n" + name + " ?" + text[at+strings.IndexByte(text[at:], '\n'):]))
		var err error
		for err == nil {
			_, err = r.Read()
		}
		var bad *RowError
		if !errors.As(err, &bad) || bad.Line != want {
			t.Errorf("%s: %v, want line %d", name, err, want)
		}
	}
}

// TestPlainPliesCount: a FEN without the move number, as some programs write it, gets that of the ply.
func TestPlainPliesCount(t *testing.T) {
	for _, c := range []struct {
		fen, ply string
		want     uint16
	}{
		{"w - - 0 1", "0", 1}, {"b - - 0 1", "1", 1}, {"w - - 0 1", "88", 45}, {"b - - 0 1", "89", 45}, {"w - - 0 0", "88", 45},
		{"w - - 0 1", "89", 1}, {"w - - 0 7", "88", 7}, {"b - - 7 42", "83", 42}, {"w - - 0 1", "4000000000", 65535},
	} {
		move := map[byte]string{'w': "e1e2", 'b': "e8e7"}[c.fen[0]]
		r := must.Get(NewPlainReader(strings.NewReader("fen 4k3/8/8/8/8/8/8/4K3 " + c.fen + "\nmove " + move + "\nscore 0\nply " + c.ply + "\nresult 0\ne\n")).Read())(t)
		if r.Position.FullMove != c.want {
			t.Errorf("%s, ply %s: move %d, want %d", c.fen, c.ply, r.Position.FullMove, c.want)
		}
	}
}

// TestBadBinpackPositions: a chain that is not valid is one bad game. Those after it are read. See
// also testdata/damaged.txt.
func TestBadBinpackPositions(t *testing.T) {
	one, two := gameRows(1, 10), gameRows(2, 4)
	edited := func(edit func(rows []Row)) []byte {
		rows := slices.Concat(one, two)
		edit(rows[10:])
		return binpack(t, slices.Concat(rows, one))
	}
	for _, c := range []struct {
		rule string
		data []byte
		want string
	}{
		{"as it is", edited(func([]Row) {}), "10|4|10"},
		{"a score without opposite", edited(func(rows []Row) { rows[2].Score = -32768 }), "10|bad at 11, 2 good: score -32768 has no opposite|10"},
		{"a first score without opposite", edited(func(rows []Row) { rows[0].Score = -32768 }), "10|bad at 11, 0 good: score -32768 has no opposite|10"},
	} {
		if got := strings.Join(describe(NewBinpackGames(bytes.NewReader(c.data))), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.rule, got, c.want)
		}
	}
}

// TestLongGamesAreNotKept: what a game has beyond its bound takes no memory, and is no game of its
// own.
func TestLongGamesAreNotKept(t *testing.T) {
	one, two := gameRows(1, 60), gameRows(2, 9)
	for _, f := range positionForms {
		r := f.read(bytes.NewReader(f.write(t, slices.Concat(one, two))))
		r.most = 10
		if got := strings.Join(describe(r), "|"); got != "bad at 1, 10 good: the game has more than 10 moves|9" {
			t.Errorf("%s: %s", f.name, got)
		}
	}
}

// TestFilesThatEndEarly: nothing after the fault is read.
func TestFilesThatEndEarly(t *testing.T) {
	one, two := gameRows(1, 10), gameRows(2, 4)
	rows := slices.Concat(one, two)
	pack, text := binpack(t, rows), string(plain(t, rows))
	for _, c := range []struct {
		rule string
		r    *GameReader
		want string
	}{
		{"cut movetext", NewBinpackGames(bytes.NewReader(pack[:len(pack)-2])), "10|3|read binpack: movetext: unexpected EOF"},
		{"cut chain", NewBinpackGames(bytes.NewReader(binpack(t, one[:1])[:20])), "read binpack: unexpected EOF"},
		{"no binpack", NewBinpackGames(strings.NewReader("[Event \"x\"]")), `read binpack: header of a block: "[Eve", want BINP`},
		{"cut text", NewPlainGames(strings.NewReader(text[:strings.LastIndex(text, "result")])), "10|3|read plain: line 82: unexpected EOF"},
		{"no end", NewPlainGames(strings.NewReader(text[:len(text)-2])), "10|3|read plain: line 83: want the line e after a result"},
		{"no plain text", NewPlainGames(strings.NewReader("[Event \"x\"]\n\n1. e4 e5\n")), "read plain: line 1: want a line that begins with fen"},
		{"a long line", NewPlainGames(strings.NewReader(text + strings.Repeat("x", 1<<20))), "10|4|read plain: line 84: bufio.Scanner: token too long"},
	} {
		if got := strings.Join(describe(c.r), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.rule, got, c.want)
		}
	}
}

// FuzzGames: no bytes make a reader of games panic; games have moves, and their places ascend.
func FuzzGames(f *testing.F) {
	for i, form := range positionForms {
		f.Add(i == 0, form.write(f, slices.Concat(gameRows(1, 20), gameRows(2, 3))))
		f.Add(i == 0, form.write(f, sampleRows(f, 0)))
	}
	f.Fuzz(func(t *testing.T, packed bool, data []byte) {
		read := NewPlainGames
		if packed {
			read = NewBinpackGames
		}
		r, g := read(bytes.NewReader(data)), Game{}
		for last := 0; ; {
			place, err := r.Read(&g)
			if err != nil && !isRowError(err) {
				return
			}
			if place <= last || len(g.Moves) != len(g.Scores) || err == nil && len(g.Moves) == 0 {
				t.Fatalf("a game at %d after one at %d: %+v, %v", place, last, g, err)
			}
			last = place
		}
	})
}
