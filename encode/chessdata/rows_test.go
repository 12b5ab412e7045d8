package chessdata

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/internal/must"
)

// special are positions and moves of every kind.
var special = []struct{ fen, move string }{
	{chess.StartText, "g1f3"},
	{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 20", "e1c1"},
	{"r3k2r/8/8/8/8/8/8/R3K2R b Kq - 4 20", "e8c8"},
	{"4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1", "a4b3"},
	{"4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 300", "d5c6"},
	{"4k3/P7/8/8/8/8/8/4K3 w - - 99 60", "a7a8r"},
	{"4k3/8/8/8/8/8/p6R/4K3 b - - 0 60", "a2a1q"},
}

// rowOf returns a row with a move.
func rowOf(t testing.TB, fen, move string) Row {
	t.Helper()
	p := position(t, fen)
	m := must.Get(p.ParseMove(move))(t)
	return Row{Position: p.Parts(), Move: MoveOf(p.AppendCells(nil), chess.Unpack(m))}
}

// rowAt returns a row with a move and the score of row n.
func rowAt(p *chess.Position, m engine.Move, n int, result int8) Row {
	return Row{Position: p.Parts(), Move: MoveOf(p.AppendCells(nil), chess.Unpack(m)), Score: int16(n*7919%40000 - 20000), Result: result}
}

// encoded returns rows or games in the format of an append function.
func encoded[T any](t testing.TB, appendTo func(dst []byte, v *T) ([]byte, error), list ...T) (data []byte) {
	t.Helper()
	for i := range list {
		data = must.Get(appendTo(data, &list[i]))(t)
	}
	return data
}

// sampleRows returns the special positions and those of random games.
func sampleRows(t testing.TB, games uint64) (rows []Row) {
	t.Helper()
	for i, s := range special {
		r := rowOf(t, s.fen, s.move)
		r.Score, r.Result = int16(100*i-300), int8(i%3)-1
		rows = append(rows, r)
	}
	for seed := range games {
		playRandom(seed, 200, func(p *chess.Position, m engine.Move) {
			n := len(rows)
			rows = append(rows, rowAt(p, m, n, int8(n%3)-1))
		})
	}
	return rows
}

// TestPlainTextIsFrozen: the lines of a position.
func TestPlainTextIsFrozen(t *testing.T) {
	r := rowOf(t, "4k3/P7/8/8/8/8/8/4K3 w - - 99 60", "a7a8r")
	r.Score, r.Result = -12, 1
	const want = "fen 4k3/P7/8/8/8/8/8/4K3 w - - 99 60\nmove a7a8r\nscore -12\nply 118\nresult 1\ne\n"
	if got, err := AppendPlain(nil, &r); string(got) != want || err != nil {
		t.Errorf("got\n%swant\n%s%v", got, want, err)
	}
}

// TestPlainReadsBack: the same rows, and FENs as the game writes them.
func TestPlainReadsBack(t *testing.T) {
	rows := sampleRows(t, 15)
	rows[0].Score = NoScore
	mustRead(t, NewPlainReader(bytes.NewReader(plain(t, rows))), rows)
}

func TestPlainRefusals(t *testing.T) {
	const good = "fen " + chess.StartText + "\nmove e2e4\nscore 1\nply 0\nresult 0\ne\n"
	for _, c := range []struct{ old, new, want string }{
		{"move", "mover", "line 2: want a line that begins with move"},
		{"\ne\n", "\n", "line 5: want the line e after a result"},
		{"e2e4", "e2e5", `line 2: parse move "e2e5": not a legal move here`},
		{"KQkq", "KQkx", "line 1: parse position: castling rights"},
		{"score 1", "score 40000", `line 3: score "40000": want a number from`},
		{"score 1", "score -32768", `line 3: score "-32768": want`},
		{"result 0", "result 2", `line 5: result "2": want 1, 0 or -1`},
		{"ply 0", "ply -1", `line 4: ply "-1": want`},
		{"ply 0\nresult 0\ne\n", "", "line 3: unexpected EOF"},
	} {
		r := NewPlainReader(strings.NewReader(strings.Replace(good, c.old, c.new, 1)))
		if _, err := r.Read(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.new, err, c.want)
		}
	}
}

// FuzzPlain: as FuzzBinpack.
func FuzzPlain(f *testing.F) {
	for _, r := range sampleRows(f, 0) {
		f.Add(plain(f, []Row{r}))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewPlainReader(bytes.NewReader(data))
		for {
			row, err := r.Read()
			if err != nil {
				return
			}
			text := plain(t, []Row{row})
			if again, err := NewPlainReader(bytes.NewReader(text)).Read(); err != nil || again != row {
				t.Fatalf("%+v, want %+v, %v", again, row, err)
			}
		}
	})
}

// TestReadersKeepReadErrors: errors of the source are not mistaken for its end.
func TestReadersKeepReadErrors(t *testing.T) {
	broken := errors.New("broken")
	source := func() io.Reader { return io.MultiReader(strings.NewReader("BINP"), failing{broken}) }
	if _, err := NewBinpackReader(source()).Read(); !errors.Is(err, broken) {
		t.Errorf("binpack: %v", err)
	}
	if _, err := NewPlainReader(failing{broken}).Read(); !errors.Is(err, broken) {
		t.Errorf("plain: %v", err)
	}
	if err := ReadViri(failing{broken}, new(Game)); !errors.Is(err, broken) {
		t.Errorf("viriformat: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }
