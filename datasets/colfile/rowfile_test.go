package colfile

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/ipc"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// readStream reads an Arrow stream back.
func readStream(t *testing.T, data []byte, s Spec) (table *encode.Table, batches int) {
	t.Helper()
	r, err := ipc.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if !r.Schema().Equal(arrowSchema(s)) {
		t.Fatalf("schema %v", r.Schema())
	}
	for i, kv := range s.Metadata {
		if m := r.Schema().Metadata(); m.Keys()[i] != kv.Key || m.Values()[i] != kv.Value {
			t.Errorf("metadata %v, want %v", m, s.Metadata)
		}
	}
	table = encode.NewTable(s.Columns)
	for ; r.Next(); batches++ {
		for col := range s.Columns {
			v, err := arrayCells(r.Record().Column(col), int(r.Record().NumRows()))
			if err != nil {
				t.Fatal(err)
			}
			AppendCells(table, col, v)
		}
		table.Rows += int(r.Record().NumRows())
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return table, batches
}

// TestRowFilesReadBack, whatever tables their rows come in.
func TestRowFilesReadBack(t *testing.T) {
	metadata := []encode.KeyValue{{Key: "b", Value: "1"}, {Key: "a", Value: "é"}}
	rows := randomTable(rand.New(rand.NewPCG(1, 2)), everyColumn(), BatchRows+1000)
	for _, format := range []string{Parquet, Arrow, ArrowStream} {
		for _, boardType := range []string{List, Packed} {
			f := RowFile{Format: format, BoardType: boardType, Columns: rows.Columns, Metadata: metadata, Compress: boardType == Packed}
			s := Spec{Format: format, Packed: boardType == Packed, Columns: rows.Columns, Metadata: metadata}
			var first []byte
			for _, n := range []int{rows.Rows, 999} {
				var b bytes.Buffer
				w, err := NewRowWriter(&b, f)
				if err != nil {
					t.Fatal(err)
				}
				for from := 0; from < rows.Rows; from += n {
					if err := w.Write(rowsOf(rows, from, min(from+n, rows.Rows))); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = b.Bytes()
				}
				if !bytes.Equal(b.Bytes(), first) {
					t.Errorf("%s %s: other bytes from tables of %d rows", format, boardType, n)
				}
			}
			var back *encode.Table
			var err error
			if format == ArrowStream {
				var batches int
				if back, batches = readStream(t, first, s); batches != 2 {
					t.Errorf("%d batches, want 2", batches)
				}
			} else if back, err = readAll(first, s); err != nil {
				t.Fatal(err)
			}
			if digestOf(back) != digestOf(rows) {
				t.Errorf("%s %s: other rows", format, boardType)
			}
		}
	}
}

// TestAnEmptyStreamHasASchema.
func TestAnEmptyStreamHasASchema(t *testing.T) {
	s := Spec{Columns: everyColumn()}
	var b bytes.Buffer
	w, err := NewRowWriter(&b, RowFile{Format: ArrowStream, BoardType: List, Columns: s.Columns})
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if back, batches := readStream(t, b.Bytes(), s); back.Rows != 0 || batches != 0 {
		t.Errorf("%d rows in %d batches", back.Rows, batches)
	}
}

func TestRowFilesThatThereAreNot(t *testing.T) {
	for _, f := range []RowFile{
		{Format: "csv", BoardType: List, Columns: everyColumn()},
		{Format: Arrow, BoardType: "round", Columns: everyColumn()},
		{Format: Arrow, BoardType: List},
	} {
		if _, err := NewRowWriter(new(bytes.Buffer), f); !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%s %s: %v", f.Format, f.BoardType, err)
		}
	}
}
