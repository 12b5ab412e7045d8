package colfile

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"selfplay/encode"
	"selfplay/internal/must"
)

// TestArrowReadsOurPages checks our pages with an independent implementation: Arrow's
// column readers.
func TestArrowReadsOurPages(t *testing.T) {
	columns := []encode.Column{
		{Name: "scalar", Kind: encode.Int16, Len: encode.Scalar},
		{Name: "label", Kind: encode.Uint16, Len: encode.Scalar, Label: true},
		{Name: "board", Kind: encode.Uint16, Len: 138},
		{Name: "list", Kind: encode.Uint8, Len: encode.Var},
	}
	s := Spec{Format: Parquet, Columns: columns, GroupRows: 700}
	table := randomTable(rand.New(rand.NewPCG(7, 8)), columns, 1003)
	f := must.Get(file.NewParquetReader(bytes.NewReader(writeIn(t, s, table, 100))))(t)
	if rep := f.MetaData().Schema.Root().RepetitionType(); rep != parquet.Repetitions.Required {
		t.Errorf("the root is %v, want required", rep)
	}
	for col, c := range columns {
		values, lengths := readColumn(t, f, col)
		want, _ := narrow(nil, c.Kind, arrow.Int32Traits.CastToBytes(values))
		if !bytes.Equal(want, table.Data[col]) {
			t.Errorf("column %s: values differ", c.Name)
		}
		for row := range lengths {
			if n := len(table.Cell(col, row)) / c.Kind.Size(); lengths[row] != n {
				t.Fatalf("column %s: row %d has %d values, want %d", c.Name, row, lengths[row], n)
			}
		}
	}
}

// readColumn returns the values of all row groups and, for arrays and lists, the number
// of values per row.
func readColumn(t *testing.T, f *file.Reader, col int) (values []int32, lengths []int) {
	t.Helper()
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
	return values, lengths
}

func readInt32s(t *testing.T, g *file.RowGroupReader, col int) (values []int32, rep, def []int16) {
	t.Helper()
	c := must.Get(g.Column(col))(t)
	r := c.(*file.Int32ColumnChunkReader)
	for r.HasNext() {
		v, d, p := make([]int32, 5000), make([]int16, 5000), make([]int16, 5000)
		levels, n, err := r.ReadBatch(5000, v, d, p)
		must.Do(t, err)
		values = append(values, v[:n]...)
		if c.Descriptor().MaxRepetitionLevel() > 0 {
			rep, def = append(rep, p[:levels]...), append(def, d[:levels]...)
		}
	}
	return values, rep, def
}

// TestLabelColumnsThatShareAPage: equal pages of labels are compressed once. The second
// column equals the first in its first page only.
func TestLabelColumnsThatShareAPage(t *testing.T) {
	columns := []encode.Column{
		{Name: "action", Kind: encode.Uint16, Len: encode.Scalar, Label: true},
		{Name: "best", Kind: encode.Uint16, Len: encode.Scalar, Label: true},
	}
	s := Spec{Format: Parquet, Columns: columns, GroupRows: 1 << 20}
	pageRows := newLeaf(columns[0], false).pageRows
	table := randomTable(rand.New(rand.NewPCG(3, 4)), columns, 2*pageRows+9)
	copy(table.Data[1], table.Data[0][:2*pageRows])
	got := must.Get(readAll(writeIn(t, s, table, pageRows/3), s))(t)
	for col, c := range columns {
		if !bytes.Equal(got.Data[col], table.Data[col]) {
			t.Errorf("column %s: values differ", c.Name)
		}
	}
}

// TestStoredSchemaHasTheMetadata: readers built on Arrow take the metadata of a Parquet file
// from the stored schema, if there is one.
func TestStoredSchemaHasTheMetadata(t *testing.T) {
	var b bytes.Buffer
	kv := encode.KeyValue{Key: "selfplay.perspective", Value: "mover"}
	w, err := newParquetWriter(&b, Spec{
		Format: Parquet, GroupRows: 8, Metadata: []encode.KeyValue{kv},
		Columns: []encode.Column{{Name: "board", Kind: encode.Uint8, Len: 4}},
	})
	must.Do(t, err)
	must.Do(t, w.Close())
	r := must.Get(file.NewParquetReader(bytes.NewReader(b.Bytes())))(t)
	defer r.Close()
	stored := r.MetaData().KeyValueMetadata().FindValue(arrowSchemaKey)
	if stored == nil {
		t.Fatal("no stored schema")
	}
	raw := must.Get(base64.StdEncoding.DecodeString(*stored))(t)
	schema := must.Get(ipc.NewReader(bytes.NewReader(raw)))(t)
	defer schema.Release()
	if got, _ := schema.Schema().Metadata().GetValue(kv.Key); got != kv.Value {
		t.Errorf("%s is %q, want %q", kv.Key, got, kv.Value)
	}
}

// TestParquetFileDoesNotDependOnProcessors writes the same file with one processor, where pages are
// compressed at once, and by several writers on several processors, where other goroutines compress them.
func TestParquetFileDoesNotDependOnProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	columns := everyColumn()
	table := randomTable(rand.New(rand.NewPCG(3, 4)), columns, 20_000)
	s := Spec{Format: Parquet, Columns: columns, GroupRows: 7_000}
	want := writeIn(t, s, table, 512)
	for _, processors := range []int{2, 8} {
		runtime.GOMAXPROCS(processors)
		got := make([][]byte, 3)
		var group sync.WaitGroup
		for i := range got {
			group.Go(func() { got[i] = writeIn(t, s, table, 512) })
		}
		group.Wait()
		for i := range got {
			if !bytes.Equal(got[i], want) {
				t.Errorf("%d processors: writer %d makes another file", processors, i)
			}
		}
	}
	if n := busy.Load(); n != 0 {
		t.Errorf("%d goroutines count as busy after all writers are closed", n)
	}
}

// TestPagesArePackedByOtherGoroutines: the test above would pass without any.
func TestPagesArePackedByOtherGoroutines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	busy.Add(1) // as a writer that adds rows does
	defer busy.Add(-1)
	if startPacking([]byte("page")) != nil {
		t.Error("one processor: another goroutine packs a page")
	}
	runtime.GOMAXPROCS(2)
	p := startPacking([]byte("page"))
	if p == nil {
		t.Fatal("two processors: no other goroutine packs a page")
	}
	if p.wait(); !bytes.Equal(p.packed, new(scratch).pack([]byte("page"))) {
		t.Error("the page has other bytes")
	}
}
