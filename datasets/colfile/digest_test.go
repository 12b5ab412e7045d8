package colfile

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"

	"selfplay/encode"
)

func digestOf(tables ...*encode.Table) string {
	d := NewRowDigest(tables[0].Columns)
	for _, t := range tables {
		d.Add(t)
	}
	return d.Sum()
}

func TestDigestDependsOnAllRowsInOrderAndNotOnBatches(t *testing.T) {
	table := randomTable(rand.New(rand.NewPCG(5, 6)), everyColumn(), 100)
	want := digestOf(table)
	if got := digestOf(copyRows(table, 0, 33), copyRows(table, 33, 34), copyRows(table, 34, 100)); got != want {
		t.Error("batches change the digest")
	}
	if got := digestOf(copyRows(table, 0, 99)); got == want {
		t.Error("a missing row does not change the digest")
	}
	if got := digestOf(copyRows(table, 1, 100), copyRows(table, 0, 1)); got == want {
		t.Error("another order does not change the digest")
	}
	for col := range table.Columns {
		changed := copyRows(table, 0, 100)
		changed.Data[col][0] ^= 1
		if digestOf(changed) == want {
			t.Errorf("column %s does not change the digest", table.Columns[col].Name)
		}
	}
}

func TestDigestDependsOnWhereListsEnd(t *testing.T) {
	columns := []encode.Column{{Name: "list", Kind: encode.Uint8, Len: encode.Var}}
	a := &encode.Table{Columns: columns, Rows: 2, Data: [][]byte{{1, 2}}, Ends: [][]int32{{1, 2}}}
	b := &encode.Table{Columns: columns, Rows: 2, Data: [][]byte{{1, 2}}, Ends: [][]int32{{2, 2}}}
	if digestOf(a) == digestOf(b) {
		t.Error("[1] [2] and [1 2] [] have the same digest")
	}
}

// TestPickedRowsAreThoseOfTheList: of columns of every kind and shape, behind rows that are there.
func TestPickedRowsAreThoseOfTheList(t *testing.T) {
	src := rand.New(rand.NewPCG(7, 8))
	all := randomTable(src, everyColumn(), 40)
	for range 100 {
		before, rows := src.IntN(5), randomRows(src, all.Rows, 1+src.IntN(4))
		src.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		rows = append(rows, rows[0])
		got := copyRows(all, 0, before)
		AppendPicked(got, all, rows)
		if got.Rows != before+len(rows) {
			t.Fatalf("%d rows, want %d", got.Rows, before+len(rows))
		}
		for i, row := range rows {
			for col, c := range all.Columns {
				if !bytes.Equal(got.Cell(col, before+i), all.Cell(col, row)) {
					t.Fatalf("row %d, column %s: %v, want %v", i, c.Name, got.Cell(col, before+i), all.Cell(col, row))
				}
			}
		}
	}
}

// TestDigestOfAFileDoesNotDependOnProcessors reads columns in one goroutine and in several.
func TestDigestOfAFileDoesNotDependOnProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	table := randomTable(rand.New(rand.NewPCG(9, 10)), everyColumn(), 20_000)
	for _, format := range []string{Parquet, Arrow} {
		s := Spec{Format: format, Columns: table.Columns, GroupRows: 7_000}
		file := writeIn(t, s, table, BatchRows)
		for _, processors := range []int{1, 2, 8} {
			runtime.GOMAXPROCS(processors)
			r, err := NewReader(bytes.NewReader(file), s)
			if err != nil {
				t.Fatal(err)
			}
			if d, err := DigestRows(r, table.Columns); err != nil || d.Sum() != digestOf(table) {
				t.Errorf("%s, %d processors: another digest, or %v", format, processors, err)
			}
		}
	}
	if n := busy.Load(); n != 0 {
		t.Errorf("%d goroutines count as busy after all files are read", n)
	}
}

// TestDigestOfADamagedFileIsAnError: in every column, for any number of processors.
func TestDigestOfADamagedFileIsAnError(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s, table := damageSpec(Parquet, Packed)
	file := writeIn(t, s, table, 512)
	src := rand.New(rand.NewPCG(11, 12))
	for i := range 300 {
		runtime.GOMAXPROCS([]int{1, 2, 8}[i%3])
		damaged := bytes.Clone(file)
		damaged[src.IntN(len(file))] ^= 1 << src.IntN(8)
		r, err := NewReader(bytes.NewReader(damaged), s)
		if err != nil {
			continue
		}
		want := NewRowDigest(s.Columns)
		for g := 0; g < r.Groups() && err == nil; g++ {
			err = DigestGroup(r, g, want)
		}
		got, gotErr := DigestRows(r, s.Columns)
		if (gotErr == nil) != (err == nil) || err == nil && got.Sum() != want.Sum() {
			t.Errorf("flip %d: %v, want what one goroutine finds: %v", i, gotErr, err)
		}
	}
}
