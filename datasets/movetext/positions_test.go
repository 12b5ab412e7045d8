package movetext

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/chessdata"
	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/internal/must"
)

// positionFiles are the same positions in both formats: python-chess wrote the text, and the
// crate sfbinpack the other file. See testdata/generate_positions.py.
var positionFiles = map[string]string{"plain": "testdata/python-chess.plain", "binpack": "testdata/sfbinpack.binpack"}

// TestPositionsOfPythonChess: games from the start and from positions, with castling, captures
// en passant and promotions, whose rows follow each other. Every position, score, result and end
// is the one that python-chess has.
func TestPositionsOfPythonChess(t *testing.T) {
	want := must.Get(os.ReadFile("testdata/python-chess-games.txt"))(t)
	for form, file := range positionFiles {
		data := must.Get(os.ReadFile(file))(t)
		games, bad := readAll(t, form, encode.Chess(), string(data))
		if len(bad) != 0 {
			t.Fatalf("%s: bad games %v", form, bad)
		}
		mustEqualLines(t, form, positionsOf(t, games), string(want))
	}
}

// positionsOf returns the positions and ends of games, as testdata/generate_positions.py writes
// them.
func positionsOf(t *testing.T, games []*engine.Record) string {
	t.Helper()
	var b strings.Builder
	for i, r := range games {
		writePlies(t, &b, i, r, chessdata.Foreign)
		result := map[engine.Result]int{engine.FirstWins: 1, engine.SecondWins: -1}[r.Outcome.Result]
		end := "-"
		if r.Outcome.Reason == engine.Checkmate || r.Outcome.Reason == engine.Stalemate {
			end = r.Outcome.Reason.String()
		}
		fmt.Fprintf(&b, "%d %d %s\n", i, result, end)
	}
	return b.String()
}

// label is what a file says about a position.
type label struct {
	score  int16
	result int8
}

// rowsOf returns the positions of a game from a position on, "" for the start of the game.
func rowsOf(t testing.TB, start string, moves string, labels ...label) (rows []chessdata.Row) {
	t.Helper()
	p := chess.New()
	must.Do(t, engine.Begin(p, start))
	for ply, text := range strings.Fields(moves) {
		m := must.Get(p.ParseMove(text))(t)
		row := chessdata.Row{Position: p.Parts(), Move: chessdata.MoveOf(p.AppendCells(nil), chess.Unpack(m))}
		row.Score, row.Result = labels[ply].score, labels[ply].result
		rows = append(rows, row)
		p.Do(m)
	}
	return rows
}

// packed returns rows in a form.
func packed(t testing.TB, form string, rows []chessdata.Row) string {
	t.Helper()
	var out bytes.Buffer
	w := chessdata.NewBinpackWriter(&out)
	for i := range rows {
		if form == "binpack" {
			must.Do(t, w.Write(&rows[i]))
			continue
		}
		text := must.Get(chessdata.AppendPlain(nil, &rows[i]))(t)
		out.Write(text)
	}
	must.Do(t, w.Close())
	return out.String()
}

// TestGamesOfPositions: records by rule. The last move is played too.
func TestGamesOfPositions(t *testing.T) {
	const none = chessdata.NoScore
	won, drawn, lost := label{0, 1}, label{0, 0}, label{0, -1}
	for _, c := range []struct {
		rule         string
		start, moves string
		labels       []label
		wantStart    string
		outcome      engine.Outcome
		scores       []int16
		nodes        []uint32
	}{
		{"won by White", "", "e2e4 e7e5 g1f3", []label{won, lost, won}, "",
			engine.Outcome{Result: engine.FirstWins, Reason: engine.Adjudicated}, []int16{0, 0, 0}, []uint32{1, 1, 1}},
		{"won by Black", "", "e2e4 e7e5", []label{lost, won}, "",
			engine.Outcome{Result: engine.SecondWins, Reason: engine.Adjudicated}, []int16{0, 0}, []uint32{1, 1}},
		{"drawn or cut off", "", "e2e4", []label{drawn}, "",
			engine.Outcome{Result: engine.Draw, Reason: engine.Adjudicated}, []int16{0}, []uint32{1}},
		{"from a position with Black to move", "4k3/8/8/8/8/8/4P3/4K3 b - - 3 41", "e8d8 e2e4", []label{won, lost}, "4k3/8/8/8/8/8/4P3/4K3 b - - 3 41",
			engine.Outcome{Result: engine.SecondWins, Reason: engine.Adjudicated}, []int16{0, 0}, []uint32{1, 1}},
		{"mate", "", "f2f3 e7e5 g2g4 d8h4", []label{lost, won, lost, won}, "",
			engine.Outcome{Result: engine.SecondWins, Reason: engine.Checkmate}, []int16{0, 0, 0, 0}, []uint32{1, 1, 1, 1}},
		{"stalemate", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 80", "g5g6", []label{drawn}, "7k/8/5K2/6Q1/8/8/8/8 w - - 0 80",
			engine.Outcome{Result: engine.Draw, Reason: engine.Stalemate}, []int16{0}, []uint32{1}},
		{"repetition", "", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", []label{drawn, drawn, drawn, drawn, drawn, drawn, drawn, drawn}, "",
			engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}, make([]int16, 8), []uint32{1, 1, 1, 1, 1, 1, 1, 1}},
		{"repetition that was not claimed", "", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", []label{won, lost, won, lost, won, lost, won, lost}, "",
			engine.Outcome{Result: engine.FirstWins, Reason: engine.Adjudicated}, make([]int16, 8), []uint32{1, 1, 1, 1, 1, 1, 1, 1}},
		{"scores of the side to move, one missing", "", "e2e4 e7e5 g1f3", []label{{31, 0}, {none, 0}, {-20, 0}}, "",
			engine.Outcome{Result: engine.Draw, Reason: engine.Adjudicated}, []int16{31, 0, -20}, []uint32{1, 0, 1}},
		{"mates in plies, and scores that are none of a dataset", "", "e2e4 e7e5 g1f3", []label{{31_998, 0}, {-31_995, 0}, {21_000, 0}}, "",
			engine.Outcome{Result: engine.Draw, Reason: engine.Adjudicated}, []int16{29_998, -29_995, 20_000}, []uint32{1, 1, 1}},
		{"no scores", "", "e2e4 e7e5", []label{{none, 0}, {none, 0}}, "",
			engine.Outcome{Result: engine.Draw, Reason: engine.Adjudicated}, nil, nil},
	} {
		for form := range positionFiles {
			r := mustRead(t, form, encode.Chess(), packed(t, form, rowsOf(t, c.start, c.moves, c.labels...)))
			if r.Start != c.wantStart || r.Players != [2]string{"?", "?"} || r.Outcome != c.outcome || r.OpeningPlies != 0 {
				t.Errorf("%s, %s: %+v", form, c.rule, r)
			}
			if n := len(strings.Fields(c.moves)); len(r.Actions) != n || !reflect.DeepEqual(r.MoveRanks, make([]uint8, n)) {
				t.Errorf("%s, %s: %d moves of ranks %v", form, c.rule, len(r.Actions), r.MoveRanks)
			}
			if !reflect.DeepEqual(r.Scores, c.scores) || !reflect.DeepEqual(r.Nodes, c.nodes) || len(r.Nodes) > 0 && !reflect.DeepEqual(r.Best, r.Actions) {
				t.Errorf("%s, %s: scores %v, nodes %v, best %v of %v", form, c.rule, r.Scores, r.Nodes, r.Best, r.Actions)
			}
		}
	}
}

// TestPositionsAreOneGameAsInViriformat: the same record as of the same game in viriformat.
func TestPositionsAreOneGameAsInViriformat(t *testing.T) {
	draw := label{0, 0}
	want := mustRead(t, "viriformat", encode.Chess(), string(viriOf(t, "e2e4", "e7e5", "g1f3")))
	for form := range positionFiles {
		rows := rowsOf(t, "", "e2e4 e7e5 g1f3", draw, draw, draw)
		for i := range rows {
			rows[i].Score = chessdata.NoScore
		}
		if got := mustRead(t, form, encode.Chess(), packed(t, form, rows)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", form, got, want)
		}
	}
}

// TestBadGamesOfPositions: named by the number or the line of the position of their fault. The
// games around them are read.
func TestBadGamesOfPositions(t *testing.T) {
	won, lost := label{0, 1}, label{0, -1}
	good := rowsOf(t, "", "e2e4 e7e5", won, lost)
	mate := rowsOf(t, "", "f2f3 e7e5 g2g4 d8h4", won, lost, won, lost)
	edited := func(start, move string, edit func(r *chessdata.Row)) string {
		rows := rowsOf(t, start, move, won)
		edit(&rows[0])
		return packed(t, "binpack", rows)
	}
	pinned := edited("4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 9", "e1d1", func(r *chessdata.Row) { r.Move.Step = chess.Step{From: 52, To: 43} })
	offHome := edited("4k3/8/8/8/8/8/8/3K3R w - - 0 9", "d1d2", func(r *chessdata.Row) { r.Position.Castling = 1 })
	noKing := edited("4k3/8/8/8/8/8/8/3K3R w - - 0 9", "h1h2", func(r *chessdata.Row) { r.Position.Cells[59] = 5 })
	inCheck := edited("4k3/8/8/8/4r3/8/8/3K3R w - - 0 9", "h1h2", func(r *chessdata.Row) { r.Position.Cells[36] = 4 })
	otherKind := edited("4k3/8/8/8/8/8/8/3K3R w - - 0 9", "h1h2", func(r *chessdata.Row) { r.Move.Kind = chessdata.EnPassant })
	for _, c := range []struct {
		rule, form string
		bad        string
		ply        int
		want       string
	}{
		{"the moves end with another result", "binpack", packed(t, "binpack", mate), 0, "the moves end with checkmate, which is another result"},
		{"the moves end with another result", "plain", packed(t, "plain", mate), 0, "the moves end with checkmate, which is another result"},
		{"an illegal move", "plain", strings.Replace(packed(t, "plain", mate), "g2g4", "g2g5", 1), 2, `parse move "g2g5": not a legal move here`},
		{"rights without a rook", "plain", strings.Replace(packed(t, "plain", mate[:1]), "RNBQKBNR", "RNBQKBN1", 1), 0, "castling rights"},
		{"a move of a pinned piece", "binpack", pinned, 0, "not a legal move here"},
		{"rights with the king elsewhere", "binpack", offHome, 0, "king or rook is not on its home square"},
		{"no king", "binpack", noKing, 0, "want one king of each side"},
		{"the other king in check", "binpack", inCheck, 0, "is in check although"},
		{"a move of another kind", "binpack", otherKind, 0, "it is of another kind"},
	} {
		text := packed(t, c.form, good) + c.bad + packed(t, c.form, good)
		games, bad := readAll(t, c.form, encode.Chess(), text)
		want := Place{Position: 3 + c.ply}
		if c.form == "plain" {
			want = Place{Line: 1 + chessdata.PlainLines*(2+c.ply), Column: 1}
			if strings.HasPrefix(c.want, "parse move") {
				want.Line++
			}
		}
		var at *ReadError
		if len(games) != 2 || !errors.As(bad[2], &at) || at.Place != want || !strings.Contains(at.Error(), c.want) {
			t.Errorf("%s, %s: %d games, bad %v, want %v: %s", c.form, c.rule, len(games), bad, want, c.want)
		}
	}
}

// TestPositionFilesThatAreBroken: the error says where.
func TestPositionFilesThatAreBroken(t *testing.T) {
	rows := rowsOf(t, "", "e2e4 e7e5", label{0, 1}, label{0, -1})
	for form, want := range map[string]string{"binpack": "read binpack: ", "plain": "read plain: line 11: want the line e"} {
		data := packed(t, form, rows)
		var last error
		for _, err := range readForm(t, form).Split(strings.NewReader(data[:len(data)-2])) {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), want) {
			t.Errorf("%s: error %v, want %q", form, last, want)
		}
	}
}

// TestTextsHaveASize: that of what they keep, which batches are bounded by.
func TestTextsHaveASize(t *testing.T) {
	rows := rowsOf(t, "", "e2e4 e7e5", label{0, 1}, label{0, -1})
	for form := range positionFiles {
		for text := range readForm(t, form).Split(strings.NewReader(packed(t, form, rows))) {
			if text.Size() != 12 {
				t.Errorf("%s: size %d, want 12", form, text.Size())
			}
		}
	}
}

// FuzzBinpackGames: no bytes make the reader panic, and every game that it takes can be replayed.
func FuzzBinpackGames(f *testing.F) { fuzzPositions(f, "binpack") }

// FuzzPlainGames: as FuzzBinpackGames.
func FuzzPlainGames(f *testing.F) { fuzzPositions(f, "plain") }

func fuzzPositions(f *testing.F, form string) {
	won, lost := label{30, 1}, label{-31_990, -1}
	f.Add([]byte(packed(f, form, rowsOf(f, "", "e2e4 e7e5 g1f3", won, lost, won))))
	f.Add([]byte(packed(f, form, rowsOf(f, "r3k2r/p2p4/8/4P3/4p3/8/P2P4/R3K2R w KQkq - 0 20", "d2d4 e4d3 e1g1", won, lost, won))))
	fuzzReading(f, form, encode.Chess(), nil)
}
