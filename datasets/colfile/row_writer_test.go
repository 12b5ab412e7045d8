package colfile

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/ipc"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/internal/must"
)

// readStream reads an Arrow stream back and checks its schema and metadata.
func readStream(t *testing.T, data []byte, s Spec) (table *encode.Table, batches int) {
	t.Helper()
	r := must.Get(ipc.NewReader(bytes.NewReader(data)))(t)
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
			v := must.Get(arrowCells(r.Record().Column(col), int(r.Record().NumRows())))(t)
			AppendCells(table, col, v)
		}
		table.Rows += int(r.Record().NumRows())
	}
	must.Do(t, r.Err())
	return table, batches
}

// writeRowFile writes rows in tables of n rows.
func writeRowFile(t *testing.T, f RowFile, rows *encode.Table, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	writeTables(t, must.Get(NewRowWriter(&b, f))(t), rows, n)
	return b.Bytes()
}

func TestRowFileReadsBackAndDoesNotDependOnTables(t *testing.T) {
	metadata := []encode.KeyValue{{Key: "b", Value: "1"}, {Key: "a", Value: "é"}}
	rows := randomTable(rand.New(rand.NewPCG(1, 2)), everyColumn(), BatchRows+1000)
	for _, format := range []string{Parquet, Arrow, ArrowStream} {
		for _, boardType := range []string{List, Packed} {
			t.Run(format+"-"+boardType, func(t *testing.T) {
				f := RowFile{Format: format, BoardType: boardType, Columns: rows.Columns, Metadata: metadata, Compress: boardType == Packed}
				s := Spec{Format: format, Packed: boardType == Packed, Columns: rows.Columns, Metadata: metadata}
				data := writeRowFile(t, f, rows, rows.Rows)
				if !bytes.Equal(writeRowFile(t, f, rows, 999), data) {
					t.Error("tables of 999 rows give another file")
				}
				got := must.Get(readRowFile(t, data, s))(t)
				if digestOf(got) != digestOf(rows) {
					t.Error("rows differ")
				}
			})
		}
	}
}

// readRowFile reads a file of BatchRows+1000 rows.
func readRowFile(t *testing.T, data []byte, s Spec) (*encode.Table, error) {
	t.Helper()
	if s.Format != ArrowStream {
		return readAll(data, s)
	}
	table, batches := readStream(t, data, s)
	if batches != 2 {
		t.Errorf("%d batches, want 2", batches)
	}
	return table, nil
}

func TestArrowStreamWithoutRowsHasASchema(t *testing.T) {
	s := Spec{Columns: everyColumn()}
	f := RowFile{Format: ArrowStream, BoardType: List, Columns: s.Columns}
	data := writeRowFile(t, f, encode.NewTable(s.Columns), 1)
	if got, batches := readStream(t, data, s); got.Rows != 0 || batches != 0 {
		t.Errorf("%d rows in %d batches, want none", got.Rows, batches)
	}
}

func TestNewRowWriterRejectsUnknownFormats(t *testing.T) {
	for _, f := range []RowFile{
		{Format: "csv", BoardType: List, Columns: everyColumn()},
		{Format: Arrow, BoardType: "round", Columns: everyColumn()},
		{Format: Arrow, BoardType: List},
	} {
		must.Fail(NewRowWriter(new(bytes.Buffer), f))(t, fault.ErrUnsupported, "")
	}
}

func TestFlushEndsABatch(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(1, 3)), everyColumn(), 150)
	var b bytes.Buffer
	w := must.Get(NewRowWriter(&b, RowFile{Format: ArrowStream, BoardType: List, Columns: rows.Columns}))(t)
	for _, part := range [][2]int{{0, 100}, {100, 150}} {
		must.Do(t, errors.Join(w.Write(copyRows(rows, part[0], part[1])), w.Flush(), w.Flush()))
	}
	must.Do(t, w.Close())
	got, batches := readStream(t, b.Bytes(), Spec{Columns: rows.Columns})
	if batches != 2 || digestOf(got) != digestOf(rows) {
		t.Errorf("%d batches of %d rows", batches, got.Rows)
	}
}
