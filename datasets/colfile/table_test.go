package colfile

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// formats are the four ways to store a table.
var formats = []struct{ name, format, boardType string }{
	{"parquet-list", Parquet, List},
	{"parquet-packed", Parquet, Packed},
	{"arrow-list", Arrow, List},
	{"arrow-packed", Arrow, Packed},
}

// everyColumn has a column of every kind in every shape.
func everyColumn() []encode.Column {
	var columns []encode.Column
	for _, k := range Kinds {
		for _, n := range []int{encode.Scalar, encode.Var, 1, 2, 7, 8} {
			if k == encode.String && n != encode.Var || k == encode.Bool && n != encode.Scalar {
				continue
			}
			columns = append(columns, encode.Column{Name: fmt.Sprintf("%v_%d", k, n), Kind: k, Len: n})
		}
	}
	return append(columns, encode.Column{Name: "label", Kind: encode.Uint16, Len: encode.Scalar, Label: true})
}

// randomTable fills a table with random cells, small and large, some lists empty.
func randomTable(src *rand.Rand, columns []encode.Column, rows int) *encode.Table {
	t := encode.NewTable(columns)
	for range rows {
		for col, c := range columns {
			n := max(c.Len, 1)
			if c.Len == encode.Var {
				n = src.IntN(4) * src.IntN(3)
			}
			for range n * c.Kind.Size() {
				v := byte(src.Uint32()) >> src.IntN(8)
				if c.Kind == encode.Bool {
					v &= 1
				}
				t.Data[col] = append(t.Data[col], v)
			}
			if c.Len == encode.Var {
				t.End(col)
			}
		}
		t.Rows++
	}
	return t
}

// writeIn writes t in batches of so many rows.
func writeIn(tb testing.TB, s Spec, t *encode.Table, batch int) []byte {
	tb.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, s)
	if err != nil {
		tb.Fatal(err)
	}
	for from := 0; from < t.Rows; from += batch {
		if err := w.Write(rowsOf(t, from, min(from+batch, t.Rows))); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := w.Write(t); err == nil {
		tb.Error("rows written after the footer are lost without an error")
	}
	return file.Bytes()
}

// rowsOf copies rows of a table.
func rowsOf(t *encode.Table, from, to int) *encode.Table {
	part := encode.NewTable(t.Columns)
	for col := range t.Columns {
		v := Cut(t, col, from, to)
		part.Data[col] = append(part.Data[col], v.Values...)
		part.Ends[col] = append(part.Ends[col], v.Ends...)
	}
	part.Rows = to - from
	return part
}

// readAll reads a file back.
func readAll(data []byte, s Spec) (*encode.Table, error) {
	r, err := NewReader(bytes.NewReader(data), s)
	if err != nil {
		return nil, err
	}
	t := encode.NewTable(s.Columns)
	for g := range r.Groups() {
		if err := ReadGroup(r, g, t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func digestOf(tables ...*encode.Table) string {
	d := NewRowDigest(tables[0].Columns)
	for _, t := range tables {
		d.Add(t)
	}
	return d.Sum()
}

func TestEveryColumnSurvivesEveryFormat(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	for _, f := range formats {
		for _, rows := range []int{0, 1, 7, 8, 9, 1000, 2500} {
			t.Run(fmt.Sprintf("%s/%d", f.name, rows), func(t *testing.T) {
				s := Spec{Format: f.format, Packed: f.boardType == Packed, Columns: everyColumn(), GroupRows: 1000,
					Metadata: []encode.KeyValue{{Key: "b", Value: "1"}, {Key: "a", Value: "é"}}}
				want := randomTable(src, s.Columns, rows)
				data := writeIn(t, s, want, 300)
				got, err := readAll(data, s)
				if err != nil {
					t.Fatal(err)
				}
				if got.Rows != rows {
					t.Fatalf("%d rows, want %d", got.Rows, rows)
				}
				if rows > 0 {
					if err := CompareRows(want, 0, got, 0, rows); err != nil {
						t.Error(err)
					}
				}
				if digestOf(want) != digestOf(got) {
					t.Error("digests differ")
				}
				r, _ := NewReader(bytes.NewReader(data), s)
				if m := r.Metadata(); len(m) != 2 || m[0] != s.Metadata[0] || m[1] != s.Metadata[1] {
					t.Errorf("metadata %v", m)
				}
			})
		}
	}
}

func TestBatchesDoNotChangeAParquetFile(t *testing.T) {
	s := Spec{Format: Parquet, Columns: everyColumn(), GroupRows: 700}
	table := randomTable(rand.New(rand.NewPCG(3, 4)), s.Columns, 2000)
	want := writeIn(t, s, table, 2000)
	for _, batch := range []int{1, 13, 700, 1999} {
		if !bytes.Equal(writeIn(t, s, table, batch), want) {
			t.Errorf("batches of %d rows give another file", batch)
		}
	}
}

func TestDigestDependsOnRowsAlone(t *testing.T) {
	table := randomTable(rand.New(rand.NewPCG(5, 6)), everyColumn(), 100)
	want := digestOf(table)
	if got := digestOf(rowsOf(table, 0, 33), rowsOf(table, 33, 34), rowsOf(table, 34, 100)); got != want {
		t.Error("batches change the digest")
	}
	if got := digestOf(rowsOf(table, 0, 99)); got == want {
		t.Error("a missing row does not change the digest")
	}
	if got := digestOf(rowsOf(table, 1, 100), rowsOf(table, 0, 1)); got == want {
		t.Error("order does not change the digest")
	}
	for col := range table.Columns {
		changed := rowsOf(table, 0, 100)
		changed.Data[col][0] ^= 1
		if digestOf(changed) == want {
			t.Errorf("column %s does not count", table.Columns[col].Name)
		}
	}
}

// Where one list ends and the next begins is part of the value.
func TestDigestTellsListsApart(t *testing.T) {
	columns := []encode.Column{{Name: "list", Kind: encode.Uint8, Len: encode.Var}}
	a := &encode.Table{Columns: columns, Rows: 2, Data: [][]byte{{1, 2}}, Ends: [][]int32{{1, 2}}}
	b := &encode.Table{Columns: columns, Rows: 2, Data: [][]byte{{1, 2}}, Ends: [][]int32{{2, 2}}}
	if digestOf(a) == digestOf(b) {
		t.Error("[1] [2] and [1 2] [] have one digest")
	}
}

// Arrow's own column readers are the independent witness of our pages.
func TestArrowReadsOurPages(t *testing.T) {
	columns := []encode.Column{
		{Name: "scalar", Kind: encode.Int16, Len: encode.Scalar},
		{Name: "label", Kind: encode.Uint16, Len: encode.Scalar, Label: true},
		{Name: "board", Kind: encode.Uint16, Len: 138},
		{Name: "list", Kind: encode.Uint8, Len: encode.Var},
	}
	s := Spec{Format: Parquet, Columns: columns, GroupRows: 700}
	table := randomTable(rand.New(rand.NewPCG(7, 8)), columns, 1003)
	f, err := file.NewParquetReader(bytes.NewReader(writeIn(t, s, table, 100)))
	if err != nil {
		t.Fatal(err)
	}
	if rep := f.MetaData().Schema.Root().RepetitionType(); rep != parquet.Repetitions.Required {
		t.Errorf("the root is %v", rep)
	}
	for col, c := range columns {
		var values []int32
		var lengths []int
		for g := range f.NumRowGroups() {
			v, rep, def := readInt32s(t, f.RowGroup(g), col)
			values = append(values, v...)
			for i, r := range rep {
				if r == 0 {
					lengths = append(lengths, 0)
				}
				lengths[len(lengths)-1] += int(def[i])
			}
		}
		want, _ := narrow(nil, c.Kind, int32Bytes(values))
		if !bytes.Equal(want, table.Data[col]) {
			t.Errorf("column %s: other values", c.Name)
		}
		for row := range lengths {
			if n := len(table.Cell(col, row)) / c.Kind.Size(); lengths[row] != n {
				t.Fatalf("column %s: row %d has %d values, want %d", c.Name, row, lengths[row], n)
			}
		}
	}
}

func readInt32s(t *testing.T, g *file.RowGroupReader, col int) (values []int32, rep, def []int16) {
	t.Helper()
	c, err := g.Column(col)
	if err != nil {
		t.Fatal(err)
	}
	r := c.(*file.Int32ColumnChunkReader)
	for r.HasNext() {
		v, d, p := make([]int32, 5000), make([]int16, 5000), make([]int16, 5000)
		levels, n, err := r.ReadBatch(5000, v, d, p)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v[:n]...)
		if c.Descriptor().MaxRepetitionLevel() > 0 {
			rep, def = append(rep, p[:levels]...), append(def, d[:levels]...)
		}
	}
	return values, rep, def
}

func int32Bytes(values []int32) []byte {
	var b []byte
	for _, v := range values {
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return b
}

// Flipped bits reach a Parquet reader where a disk loses them under the full
// check. It returns an error or rows, and never panics. An Arrow file is summed
// first.
func TestDamagedTablesNeverPanic(t *testing.T) {
	columns := []encode.Column{
		{Name: "scalar", Kind: encode.Uint16, Len: encode.Scalar},
		{Name: "flag", Kind: encode.Bool, Len: encode.Scalar},
		{Name: "board", Kind: encode.Uint16, Len: 9},
		{Name: "label", Kind: encode.Uint16, Len: encode.Scalar, Label: true},
		{Name: "list", Kind: encode.Int16, Len: encode.Var},
		{Name: "text", Kind: encode.String, Len: encode.Var},
	}
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			s := Spec{Format: f.format, Packed: f.boardType == Packed, Columns: columns, GroupRows: 20}
			table := randomTable(rand.New(rand.NewPCG(9, 10)), columns, 30)
			for i := 1; i < len(table.Data[2]); i += 2 {
				table.Data[2][i] = 0 // boards of small numbers: a small dictionary
			}
			data := writeIn(t, s, table, 15)
			for i := 0; i < len(data) && f.format != Arrow; i += stride {
				damaged := bytes.Clone(data)
				damaged[i] ^= 1 << (i % 8)
				if _, err := readAll(damaged, s); err != nil && !errors.Is(err, fault.ErrCorrupt) {
					t.Fatalf("byte %d: %v, want ErrCorrupt", i, err)
				}
			}
			for n := 0; n < len(data); n += stride {
				if _, err := readAll(data[:n], s); !errors.Is(err, fault.ErrCorrupt) {
					t.Fatalf("cut to %d bytes: %v, want ErrCorrupt", n, err)
				}
			}
		})
	}
}

func TestFileWithOtherColumnsIsRefused(t *testing.T) {
	for _, f := range formats {
		s := Spec{Format: f.format, Packed: f.boardType == Packed, Columns: everyColumn(), GroupRows: 10}
		data := writeIn(t, s, randomTable(rand.New(rand.NewPCG(1, 1)), s.Columns, 5), 5)
		other := s
		other.Columns = append([]encode.Column(nil), s.Columns...)
		other.Columns[3].Name = "other"
		if _, err := readAll(data, other); !errors.Is(err, fault.ErrCorrupt) {
			t.Errorf("%s: %v, want ErrCorrupt", f.name, err)
		}
	}
}

func TestWriteErrorsComeOut(t *testing.T) {
	for _, f := range formats {
		s := Spec{Format: f.format, Packed: f.boardType == Packed, Columns: everyColumn(), GroupRows: 50}
		table := randomTable(rand.New(rand.NewPCG(2, 2)), s.Columns, 200)
		size := len(writeIn(t, s, table, 200))
		for limit := 0; limit < size; limit += stride * (1 + size/97) {
			if err := writeLimited(s, table, limit); !errors.Is(err, errFull) {
				t.Fatalf("%s: disk full after %d of %d bytes: %v", f.name, limit, size, err)
			}
		}
	}
}

var errFull = errors.New("disk full")

type limited struct{ left int }

func (w *limited) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return w.left, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

func writeLimited(s Spec, t *encode.Table, limit int) error {
	w, err := NewWriter(&limited{limit}, s)
	if err != nil {
		return err
	}
	if err := w.Write(t); err != nil {
		return err
	}
	return w.Close()
}
