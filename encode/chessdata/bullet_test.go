package chessdata

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/bits"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/internal/must"
)

// decodeBullet decodes a position of BulletBytes bytes. The side to move is White, whichever it
// was, and has no castling rights.
func decodeBullet(data []byte) (r Row, err error) {
	if len(data) != BulletBytes {
		return r, fmt.Errorf("decode bulletformat: %d bytes, want %d", len(data), BulletBytes)
	}
	if err = parseBullet(data, &r); err != nil {
		err = fmt.Errorf("decode bulletformat: %w", err)
	}
	return r, err
}

func parseBullet(data []byte, r *Row) error {
	occupied := binary.LittleEndian.Uint64(data)
	if bits.OnesCount64(occupied) > maxPieces {
		return errPieces
	}
	r.Position = chess.Parts{EnPassant: -1, FullMove: 1}
	for n := 0; occupied != 0; n++ {
		square := bits.TrailingZeros64(occupied)
		occupied &= occupied - 1
		nibble := data[8+n/2] >> (n % 2 * 4) & 15
		if nibble&7 > bulletKing {
			return fmt.Errorf("piece %d", nibble)
		}
		r.Position.Cells[square^flip] = 1 + nibble&7 + nibble>>3*perSide
	}
	if err := checkKings(&r.Position.Cells); err != nil {
		return err
	}
	if own, other := data[27], data[28]; own > 63 || other > 63 ||
		r.Position.Cells[own^flip] != whiteKing || r.Position.Cells[other] != blackKing {
		return fmt.Errorf("kings on squares %d and %d, but the board has them elsewhere", own, other)
	}
	if data[26] > 2 {
		return fmt.Errorf("result %d: want 0 to 2", data[26])
	}
	r.Result = int8(data[26]) - 1
	if r.Score = int16(binary.LittleEndian.Uint16(data[24:])); r.Score == math.MinInt16 {
		return errScore
	}
	return nil
}

// TestBulletBytesAreFrozen: positions as the crate bulletformat writes them.
func TestBulletBytesAreFrozen(t *testing.T) {
	for _, c := range []struct {
		fen    string
		score  int16
		result int8
		want   string
	}{
		{chess.StartText, 25, 1, "ffff00000000ffff" + "13422531" + "00000000" + "88888888" + "9bcaadb9" + "1900" + "02" + "04" + "04" + "000000"},
		{"8/8/1k6/8/8/8/4R2K/8 w - - 0 1", -7, -1, "0090000000020000" + "53" + "0d" + "0000000000000000000000000000" + "f9ff" + "00" + "0f" + "11" + "000000"},
		// The same position with the sides exchanged, seen by black.
		{"8/4r2k/8/8/8/1K6/8/8 b - - 0 1", -7, -1, "0090000000020000" + "53" + "0d" + "0000000000000000000000000000" + "f9ff" + "00" + "0f" + "11" + "000000"},
	} {
		r := Row{Position: parts(t, c.fen), Score: c.score, Result: c.result}
		if got := hex.EncodeToString(encoded(t, AppendBullet, r)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.fen, got, c.want)
		}
	}
}

// TestBulletReadsBack: as the side to move sees the board. What the format does not have
// is gone.
func TestBulletReadsBack(t *testing.T) {
	for seed := range uint64(30) {
		playRandom(seed, 150, func(p *chess.Position, _ engine.Move) {
			want := Row{Position: p.Parts(), Score: int16(seed) - 15, Result: int8(seed%3) - 1}
			got := must.Get(decodeBullet(encoded(t, AppendBullet, want)))(t)
			cells := want.Position.Cells
			if p.Turn() == engine.Second {
				cells = exchanged(cells)
			}
			want.Position = chess.Parts{Cells: cells, EnPassant: -1, FullMove: 1}
			if got != want {
				t.Fatalf("%s: %+v, want %+v", p, got, want)
			}
		})
	}
}

// exchanged returns the cells with ranks and sides exchanged.
func exchanged(cells [64]uint8) (out [64]uint8) {
	for cell, code := range cells {
		if code > 0 {
			out[cell^flip] = (code+5)%12 + 1
		}
	}
	return out
}

func TestBulletRefusals(t *testing.T) {
	row := Row{Position: chess.New().Parts(), Score: NoScore}
	if _, err := AppendBullet(nil, &row); err == nil {
		t.Error("a position without a score is written")
	}
	for cell := range row.Position.Cells[:20] {
		row.Position.Cells[20+cell] = whitePawn
	}
	row.Score = 0
	if _, err := AppendBullet(nil, &row); err == nil {
		t.Error("more than 32 pieces are written")
	}
}

// FuzzDecodeBullet: what is decoded is encoded and decoded again without a difference.
func FuzzDecodeBullet(f *testing.F) {
	row := Row{Position: chess.New().Parts(), Score: -3, Result: 1}
	f.Add(encoded(f, AppendBullet, row))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decodeBullet(data)
		if err != nil || r.Score == NoScore {
			return
		}
		if again, err := decodeBullet(encoded(t, AppendBullet, r)); err != nil || again != r {
			t.Fatalf("%+v, want %+v, %v", again, r, err)
		}
	})
}
