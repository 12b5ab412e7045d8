package colfile

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/internal/must"
)

// damageSpec describes a file with all page layouts of Parquet, and rows for it.
func damageSpec(format, boardType string) (Spec, *encode.Table) {
	s := Spec{Format: format, Packed: boardType == Packed, GroupRows: 20, Columns: []encode.Column{
		{Name: "scalar", Kind: encode.Uint16, Len: encode.Scalar},
		{Name: "flag", Kind: encode.Bool, Len: encode.Scalar},
		{Name: "board", Kind: encode.Uint16, Len: 9},
		{Name: "label", Kind: encode.Uint16, Len: encode.Scalar, Label: true},
		{Name: "list", Kind: encode.Int16, Len: encode.Var},
		{Name: "text", Kind: encode.String, Len: encode.Var},
	}}
	t := randomTable(rand.New(rand.NewPCG(9, 10)), s.Columns, 30)
	for i := 1; i < len(t.Data[2]); i += 2 {
		t.Data[2][i] = 0 // boards of numbers below 256: a small identity dictionary
	}
	return s, t
}

// TestFlippedParquetBitsAreNoticed flips a bit of every byte. A disk may do so between
// two full checks. The reader returns ErrCorrupt or the rows that were written.
func TestFlippedParquetBitsAreNoticed(t *testing.T) {
	for _, l := range layouts[:2] {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			s, table := damageSpec(l.format, l.boardType)
			data := writeIn(t, s, table, 15)
			for i := 0; i < len(data); i += stride {
				data[i] ^= 1 << (i % 8)
				got, err := readAll(data, s)
				if err == nil && (got.Rows != table.Rows || CompareRows(table, 0, got, 0, table.Rows) != nil) {
					t.Errorf("byte %d flipped: other rows are read", i)
				}
				if err != nil && !errors.Is(err, fault.ErrCorrupt) {
					t.Fatalf("byte %d flipped: %v, want ErrCorrupt", i, err)
				}
				data[i] ^= 1 << (i % 8)
			}
		})
	}
}

func TestTruncatedFilesAreCorrupt(t *testing.T) {
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			s, table := damageSpec(l.format, l.boardType)
			data := writeIn(t, s, table, 15)
			for n := 0; n < len(data); n += stride {
				if _, err := readAll(data[:n], s); !errors.Is(err, fault.ErrCorrupt) {
					t.Fatalf("cut to %d bytes: %v, want ErrCorrupt", n, err)
				}
			}
		})
	}
}

// TestParquetChunkLargerThanItsFileIsCorrupt claims up to 1 TiB in the footer, which must
// not be allocated.
func TestParquetChunkLargerThanItsFileIsCorrupt(t *testing.T) {
	s, table := damageSpec(Parquet, List)
	data := writeIn(t, s, table, 15)
	r := must.Get(newParquetReader(bytes.NewReader(data), s))(t)
	chunk := r.file.MetaData().RowGroups[0].Columns[0].MetaData
	for _, size := range []int64{-1, int64(len(data)) + 1, 1 << 40} {
		chunk.TotalCompressedSize = size
		must.Fail(r.Scan(0, 0, func(Cells) {}))(t, fault.ErrCorrupt, "")
	}
}

// TestWriterReturnsWriteErrors fills the disk at about 97 points of each file.
func TestWriterReturnsWriteErrors(t *testing.T) {
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			s := Spec{Format: l.format, Packed: l.boardType == Packed, Columns: everyColumn(), GroupRows: 50}
			table := randomTable(rand.New(rand.NewPCG(2, 2)), s.Columns, 200)
			size := len(writeIn(t, s, table, 200))
			for limit := 0; limit < size; limit += stride * (1 + size/97) {
				if err := writeLimited(s, table, limit); !errors.Is(err, errFull) {
					t.Fatalf("disk full after %d of %d bytes: %v, want %v", limit, size, err, errFull)
				}
			}
		})
	}
}

var errFull = errors.New("disk full")

// limitedWriter fails once more than left bytes are written to it.
type limitedWriter struct{ left int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return w.left, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

func writeLimited(s Spec, t *encode.Table, limit int) error {
	w, err := NewWriter(&limitedWriter{limit}, s)
	if err != nil {
		return err
	}
	if err := w.Write(t); err != nil {
		return err
	}
	return w.Close()
}

// TestArrowFrameCoversEverythingAroundTheBatches flips a bit of every byte of a file
// outside the batches and their blocks. The frame must accept the file, for any number
// of batches, and reject each flip before Arrow parses it.
func TestArrowFrameCoversEverythingAroundTheBatches(t *testing.T) {
	s := everyColumnSpec(Arrow, List)
	frame := must.Get(newArrowFrame(s))(t)
	table := randomTable(rand.New(rand.NewPCG(1, 2)), s.Columns, 60)
	for _, batch := range []int{1, 7, 30, 60, 100} {
		t.Run(fmt.Sprintf("batches of %d rows", batch), func(t *testing.T) {
			data := writeIn(t, s, table, batch)
			must.Get(frame.check(bytes.NewReader(data)))(t)
			footer := must.Get(readArrowFooter(bytes.NewReader(data), int64(len(data))))(t)
			start := len(data) - arrowTrailer - len(footer)
			blocks := start + arrowBlocks
			afterBlocks := blocks + (table.Rows+batch-1)/batch*arrowBlockSize
			for _, part := range [][2]int{{0, len(frame.head)}, {start, blocks}, {afterBlocks, len(data)}} {
				for i := part[0]; i < part[1]; i++ {
					data[i] ^= 1 << (i % 8)
					if _, err := frame.check(bytes.NewReader(data)); !errors.Is(err, fault.ErrCorrupt) {
						t.Fatalf("byte %d of %d flipped: %v, want ErrCorrupt", i, len(data), err)
					}
					data[i] ^= 1 << (i % 8)
				}
			}
		})
	}
}
