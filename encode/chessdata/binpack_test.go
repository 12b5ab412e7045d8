package chessdata

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/internal/must"
)

// binpack returns rows as binpack.
func binpack(t testing.TB, rows []Row) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewBinpackWriter(&out)
	for i := range rows {
		must.Do(t, w.Write(&rows[i]))
	}
	must.Do(t, w.Close())
	return out.Bytes()
}

// mustReadBack checks that data, as binpack, has these rows and no more.
func mustReadBack(t *testing.T, data []byte, rows []Row) {
	t.Helper()
	mustRead(t, NewBinpackReader(bytes.NewReader(data)), rows)
}

// mustRead checks that a reader returns these rows and no more.
func mustRead(t *testing.T, r interface{ Read() (Row, error) }, rows []Row) {
	t.Helper()
	for i := range rows {
		if got, err := r.Read(); err != nil || got != rows[i] {
			t.Fatalf("row %d: %+v, want %+v, %v", i, got, rows[i], err)
		}
	}
	if _, err := r.Read(); err != io.EOF {
		t.Errorf("after the last row: %v", err)
	}
}

// gameRows returns the rows of a game in order, with the moves that were played.
func gameRows(seed uint64, plies int) (rows []Row) {
	playRandom(seed, plies, func(p *chess.Position, m engine.Move) {
		rows = append(rows, rowAt(p, m, len(rows), 1-2*int8(p.Turn())))
	})
	return rows
}

// chainsOf returns the number of further positions of each chain. It knows from the rows where
// chains begin, and from the reader what they have.
func chainsOf(t *testing.T, data []byte) (lengths []int) {
	t.Helper()
	r := NewBinpackReader(bytes.NewReader(data))
	for {
		first := r.more == 0
		if _, err := r.Read(); err == io.EOF {
			return lengths
		} else if err != nil {
			t.Fatal(err)
		}
		if first {
			lengths = append(lengths, int(r.more))
		}
	}
}

// TestBinpackBytesAreFrozen: the position of a test of the crate sfbinpack, which decodes it as
// 1r3rk1/p2qnpb1/6pp/P1p1p3/3nN3/2QP2P1/R3PPBP/2B2RK1 b - - 2 20, -127.
func TestBinpackBytesAreFrozen(t *testing.T) {
	r := rowOf(t, "1r3rk1/p2qnpb1/6pp/P1p1p3/3nN3/2QP2P1/R3PPBP/2B2RK1 b - - 2 20", "f8c8")
	r.Score = -127
	want := append([]byte("BINP\x22\x00\x00\x00"),
		98, 121, 192, 21, 24, 76, 241, 100, 100, 106, 0, 4, 8, 48, 2, 17, 17, 145, 19, 117,
		247, 0, 0, 0, 61, 232, 0, 253, 0, 39, 0, 2, 0, 0)
	if got := binpack(t, []Row{r}); !bytes.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestMovetextIsFrozen: e2e4 e7e5 of the first position, score 30, then -20: a piece of 16 takes 4
// bits, one of its 2 moves one bit, the difference 10, which is 20 in zigzag, two groups.
func TestMovetextIsFrozen(t *testing.T) {
	a := rowOf(t, chess.StartText, "e2e4")
	b := rowOf(t, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e7e5")
	a.Score, b.Score = 30, -20
	// e7 is piece 4 of black: 0100. e5 comes before e6: 0. 20 = 0x14: 1 0100, 0 0001.
	const movetext = "0100" + "0" + "10100" + "00001" + "0" // the last bit fills the byte
	data := binpack(t, []Row{a, b})
	count, moves := data[8+binpackStem:][:2], ""
	for _, b := range data[8+binpackStem+2:] {
		moves += fmt.Sprintf("%08b", b)
	}
	if !bytes.Equal(count, []byte{0, 1}) || moves != movetext {
		t.Errorf("count %d, movetext %s, want 1 and %s", count, moves, movetext)
	}
	mustReadBack(t, data, []Row{a, b})
}

// TestPositionsAfterMoves: after plays every move as the game does.
func TestPositionsAfterMoves(t *testing.T) {
	passants, castlings := 0, 0
	for seed := range uint64(200) {
		rows := gameRows(seed, 300)
		for i := range rows[1:] {
			p, m := &rows[i].Position, &rows[i].Move
			c := choicesOf(p, m.From^flip)
			number := c.number(p, m)
			if back, err := c.move(p, m.From, number); number < 0 || err != nil || back != *m {
				t.Fatalf("game %d ply %d: move %+v has number %d of %d, which is %+v, %v", seed, i, m, number, c.n, back, err)
			}
			if got, ok := after(p, m); !ok || got != rows[i+1].Position {
				t.Fatalf("game %d ply %d: %+v, want %+v", seed, i, got, rows[i+1].Position)
			}
			if rows[i+1].Position.EnPassant >= 0 {
				passants++
			}
			if m.Kind == Castling {
				castlings++
			}
		}
	}
	if passants < 100 || castlings < 10 {
		t.Errorf("only %d en passant captures and %d castlings", passants, castlings)
	}
}

// TestPassantRightsAfterMoves: a pawn can be captured en passant only if the capture is legal.
func TestPassantRightsAfterMoves(t *testing.T) {
	for _, c := range []struct{ name, fen, move, want string }{
		{"a pawn beside it", "4k3/8/8/8/p7/8/1P6/4K3 w - - 0 1", "b2b4", "4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1"},
		{"no pawn beside it", "4k3/8/8/p7/8/8/1P6/4K3 w - - 0 1", "b2b4", "4k3/8/8/p7/1P6/8/8/4K3 b - - 0 1"},
		{"a pinned pawn", "8/8/8/8/k1p4R/8/1P6/4K3 w - - 0 1", "b2b4", "8/8/8/8/kPp4R/8/8/4K3 b - - 0 1"},
		{"a pawn pinned on a file", "2r1k3/1p6/8/2P5/8/8/8/2K5 b - - 0 1", "b7b5", "2r1k3/8/8/1pP5/8/8/8/2K5 w - - 0 2"},
		{"one of two pawns pinned", "4k3/8/8/8/p1p5/8/1P6/K1R5 w - - 3 1", "b2b4", "4k3/8/8/8/pPp5/8/8/K1R5 b - b3 0 1"},
		{"a capture that ends a check", "8/8/8/2k5/p7/8/1P6/4K3 w - - 0 1", "b2b4", "8/8/8/2k5/pP6/8/8/4K3 b - b3 0 1"},
	} {
		r := rowOf(t, c.fen, c.move)
		if got, ok := after(&r.Position, &r.Move); !ok || got != parts(t, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, parts(t, c.want))
		}
	}
}

// TestBinpackReadsBack: rows of games, and rows that do not follow from each other.
func TestBinpackReadsBack(t *testing.T) {
	rows := sampleRows(t, 15)
	rows[0].Score = NoScore
	mustReadBack(t, binpack(t, rows), rows)
}

// TestMovesThatNoPieceMakesEndAChain: they are best moves of rows that are no games.
func TestMovesThatNoPieceMakesEndAChain(t *testing.T) {
	other := rowOf(t, "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1e2") // no legal move after it
	data := binpack(t, []Row{other, other})
	mustReadBack(t, data, []Row{other, other})
	if got := chainsOf(t, data); !slices.Equal(got, []int{0, 0}) {
		t.Errorf("chains of %v further positions", got)
	}
	one := gameRows(1, 60)
	one[30].Move = Move{Step: chess.Step{From: one[30].Move.From, To: one[30].Move.From ^ 1}}
	mustReadBack(t, binpack(t, one), one)
}

// TestBinpackBlocks: a block ends with the chain that reaches its size.
func TestBinpackBlocks(t *testing.T) {
	var rows []Row
	for seed := range uint64(40) {
		rows = append(rows, gameRows(seed, 200)...)
	}
	single := make([]Row, 0, 40_000)
	for i := range 40_000 {
		single = append(single, rows[i*2%len(rows)])
	}
	data := binpack(t, single)
	mustReadBack(t, data, single)
	blocks := 0
	for len(data) > 0 {
		size := int(binary.LittleEndian.Uint32(data[4:]))
		if string(data[:4]) != "BINP" || size > binpackBlock+34 || size+8 < len(data) && size < binpackBlock {
			t.Fatalf("block %q of %d bytes", data[:4], size)
		}
		data = data[8+size:]
		blocks++
	}
	if blocks != 2 {
		t.Errorf("%d blocks", blocks)
	}
}

// TestBinpackWriterRefusals: a late ply is refused, and the rows around it are written.
func TestBinpackWriterRefusals(t *testing.T) {
	rows := gameRows(3, 20)
	late := rows[5]
	late.Position.FullMove = 8193
	var out bytes.Buffer
	w := NewBinpackWriter(&out)
	for i := range rows {
		if err := w.Write(&late); err == nil || !strings.Contains(err.Error(), "the format counts to 16383") {
			t.Fatalf("a late ply: %v", err)
		}
		must.Do(t, w.Write(&rows[i]))
	}
	must.Do(t, w.Close())
	if !bytes.Equal(out.Bytes(), binpack(t, rows)) {
		t.Error("a refused row changes the file: " + hex.EncodeToString(out.Bytes()))
	}
	broken := errors.New("broken")
	w = NewBinpackWriter(failing{broken})
	if err := errors.Join(w.Write(&rows[0]), w.Close()); !errors.Is(err, broken) {
		t.Errorf("a write error: %v", err)
	}
}

// FuzzBinpack: what is read is written and read again without a difference.
func FuzzBinpack(f *testing.F) {
	f.Add(binpack(f, sampleRows(f, 0)))
	f.Add(binpack(f, gameRows(1, 60)))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewBinpackReader(bytes.NewReader(data))
		var rows []Row
		for len(rows) < 1000 {
			row, err := r.Read()
			if err != nil {
				break
			}
			rows = append(rows, row)
		}
		mustReadBack(t, binpack(t, rows), rows)
	})
}
