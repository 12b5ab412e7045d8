package colfile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/internal/must"
)

// layouts are the four ways to store a table.
var layouts = []struct{ name, format, boardType string }{
	{"parquet-list", Parquet, List},
	{"parquet-packed", Parquet, Packed},
	{"arrow-list", Arrow, List},
	{"arrow-packed", Arrow, Packed},
}

// everyColumn has a column of every kind in every shape.
func everyColumn() []encode.Column {
	var columns []encode.Column
	for _, k := range kinds {
		for _, n := range []int{encode.Scalar, encode.Var, 1, 2, 7, 8} {
			if k == encode.String && n != encode.Var || k == encode.Bool && n != encode.Scalar {
				continue
			}
			columns = append(columns, encode.Column{Name: fmt.Sprintf("%v_%d", k, n), Kind: k, Len: n})
		}
	}
	return append(columns, encode.Column{Name: "label", Kind: encode.Uint16, Len: encode.Scalar, Label: true})
}

// randomTable returns rows of random cells: small and large values, some empty lists.
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

// writeIn writes t in batches of batch rows.
func writeIn(tb testing.TB, s Spec, t *encode.Table, batch int) []byte {
	tb.Helper()
	var file bytes.Buffer
	w := must.Get(NewWriter(&file, s))(tb)
	writeTables(tb, w, t, batch)
	if err := w.Write(t); err == nil {
		tb.Error("Write after Close succeeds and loses rows")
	}
	return file.Bytes()
}

// writeTables writes all rows of t, n at once, and closes the writer.
func writeTables(tb testing.TB, w Writer, t *encode.Table, n int) {
	tb.Helper()
	for from := 0; from < t.Rows; from += n {
		must.Do(tb, w.Write(copyRows(t, from, min(from+n, t.Rows))))
	}
	must.Do(tb, w.Close())
}

// copyRows returns a copy of rows from to to-1 of t.
func copyRows(t *encode.Table, from, to int) *encode.Table {
	part := encode.NewTable(t.Columns)
	AppendRows(part, t, from, to)
	return part
}

// readAll reads all rows of a file.
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

func TestEveryColumnSurvivesEveryLayout(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	for _, l := range layouts {
		for _, rows := range []int{0, 1, 7, 8, 9, 1000, 2500} {
			t.Run(fmt.Sprintf("%s/%d", l.name, rows), func(t *testing.T) {
				s := everyColumnSpec(l.format, l.boardType)
				s.GroupRows = 1000
				want := randomTable(src, s.Columns, rows)
				data := writeIn(t, s, want, 300)
				got := must.Get(readAll(data, s))(t)
				if got.Rows != rows {
					t.Fatalf("%d rows, want %d", got.Rows, rows)
				}
				if rows > 0 {
					must.Do(t, CompareRows(want, 0, got, 0, rows))
				}
				if digestOf(want) != digestOf(got) {
					t.Error("digests differ")
				}
				r, _ := NewReader(bytes.NewReader(data), s)
				if m := r.Metadata(); !slices.Equal(m, s.Metadata) {
					t.Errorf("metadata %v, want %v", m, s.Metadata)
				}
			})
		}
	}
}

func TestParquetFileDoesNotDependOnBatches(t *testing.T) {
	s := Spec{Format: Parquet, Columns: everyColumn(), GroupRows: 700}
	table := randomTable(rand.New(rand.NewPCG(3, 4)), s.Columns, 2000)
	want := writeIn(t, s, table, 2000)
	for _, batch := range []int{1, 13, 700, 1999} {
		if !bytes.Equal(writeIn(t, s, table, batch), want) {
			t.Errorf("batches of %d rows give another file", batch)
		}
	}
}

// TestUncompressedArrowHasTheSameRows: a reader accepts both, whatever its Spec says.
func TestUncompressedArrowHasTheSameRows(t *testing.T) {
	s := everyColumnSpec(Arrow, List)
	want := randomTable(rand.New(rand.NewPCG(5, 6)), s.Columns, 1000)
	small := writeIn(t, s, want, 300)
	u := s
	u.Uncompressed = true
	large := writeIn(t, u, want, 300)
	if len(large) <= len(small) {
		t.Errorf("%d bytes uncompressed, %d compressed", len(large), len(small))
	}
	for _, data := range [][]byte{small, large} {
		for _, spec := range []Spec{s, u} {
			if got, err := readAll(data, spec); err != nil || digestOf(got) != digestOf(want) {
				t.Errorf("file of %d bytes: other rows, or %v", len(data), err)
			}
		}
	}
}

func TestReaderRejectsOtherColumns(t *testing.T) {
	for _, l := range layouts {
		s := Spec{Format: l.format, Packed: l.boardType == Packed, Columns: everyColumn(), GroupRows: 10}
		data := writeIn(t, s, randomTable(rand.New(rand.NewPCG(1, 1)), s.Columns, 5), 5)
		other := s
		other.Columns = slices.Clone(s.Columns)
		other.Columns[3].Name = "other"
		must.Fail(readAll(data, other))(t, fault.ErrCorrupt, "")
	}
}

// TestReadRowsFindsTheRows: rows of a group that are read alone equal those of the whole group.
func TestReadRowsFindsTheRows(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 4))
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			s := everyColumnSpec(l.format, l.boardType)
			s.GroupRows = 1000
			all := randomTable(src, s.Columns, 2500)
			r := must.Get(NewReader(bytes.NewReader(writeIn(t, s, all, 300)), s))(t)
			start := 0
			for g := range r.Groups() {
				n := must.Get(r.Rows(g))(t)
				for _, rows := range [][]int{{0}, {n - 1}, randomRows(src, n, 100), randomRows(src, n, 2)} {
					want, got := encode.NewTable(s.Columns), encode.NewTable(s.Columns)
					AppendPicked(want, copyRows(all, start, start+n), rows)
					must.Do(t, ReadRows(r, g, rows, got))
					if err := CompareRows(want, 0, got, 0, len(rows)); err != nil || got.Rows != len(rows) {
						t.Errorf("group %d: %d of %d rows: %v", g, got.Rows, len(rows), err)
					}
				}
				must.Fail(ReadRows(r, g, []int{n}, encode.NewTable(s.Columns)))(t, fault.ErrCorrupt, "")
				start += n
			}
		})
	}
}

// TestReadRowsSkipsPages: lists and strings that fill many pages.
func TestReadRowsSkipsPages(t *testing.T) {
	columns := []encode.Column{{Name: "a", Kind: encode.Uint16, Len: encode.Var}, {Name: "b", Kind: encode.String, Len: encode.Var}}
	src := rand.New(rand.NewPCG(5, 6))
	all := encode.NewTable(columns)
	for range 9000 {
		v := Cells{Rows: 1, Ends: []int32{int32(src.IntN(200))}}
		v.Values = make([]byte, 2*v.Ends[0])
		for i := range v.Values {
			v.Values[i] = byte('a' + src.IntN(26))
		}
		AppendCells(all, 0, v)
		v.Ends[0] *= 2
		AppendCells(all, 1, v)
		all.Rows++
	}
	s := Spec{Format: Parquet, Columns: columns, GroupRows: PositionGroupRows}
	r := must.Get(NewReader(bytes.NewReader(writeIn(t, s, all, 1000)), s))(t)
	for _, rows := range [][]int{{0}, {8999}, {4000, 4001, 8000}, randomRows(src, 9000, 1000), randomRows(src, 9000, 1)} {
		want, got := encode.NewTable(columns), encode.NewTable(columns)
		AppendPicked(want, all, rows)
		must.Do(t, ReadRows(r, 0, rows, got))
		must.Do(t, CompareRows(want, 0, got, 0, len(rows)))
	}
}

// randomRows returns about one of every numbers below n, ascending, at least one.
func randomRows(src *rand.Rand, n, every int) []int {
	rows := []int{src.IntN(n)}
	for row := rows[0] + 1; row < n; row++ {
		if src.IntN(every) == 0 {
			rows = append(rows, row)
		}
	}
	return rows
}
