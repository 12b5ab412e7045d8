package shuffle

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"testing"

	"selfplay/datasets/spill"
	"selfplay/encode"
	"selfplay/internal/must"
)

var columns = []encode.Column{
	{Name: "row", Kind: encode.Uint32, Len: encode.Scalar},
	{Name: "board", Kind: encode.Uint16, Len: 50},
	{Name: "list", Kind: encode.Uint16, Len: encode.Var},
}

// numbered returns the rows with the numbers from up to, but not including, to. All cells
// of a row follow from its number.
func numbered(from, to int) *encode.Table {
	t := encode.NewTable(columns)
	for n := from; n < to; n++ {
		t.AddUint32(0, uint32(n))
		t.Fill(1, 50, uint64(n))
		t.Fill(2, n%4, uint64(n+1))
		t.End(2)
		t.Rows++
	}
	return t
}

// order shuffles rows and returns their numbers in the new order. It checks that every
// cell is still in its row, and that no table crosses a multiple of 1000 rows.
func order(t *testing.T, rows int, seed uint64, memory int64) []int {
	t.Helper()
	const cut = 1000
	temp := t.TempDir()
	s := must.Get(New(Options{Columns: columns, Rows: uint64(rows), Cut: cut, RowSize: Size(numbered(0, min(rows, 100))), Seed: seed, Memory: memory, Temp: temp}))(t)
	defer s.Close()
	for from := 0; from < rows; from += 777 {
		must.Do(t, s.Add(numbered(from, min(from+777, rows))))
	}
	var list []int
	for out, err := range s.All(context.Background()) {
		must.Do(t, err)
		if first := len(list); out.Rows == 0 || first/cut != (first+out.Rows-1)/cut {
			t.Fatalf("a table has the rows %d to %d", first, first+out.Rows)
		}
		for row := range out.Rows {
			n := int(binary.LittleEndian.Uint32(out.Cell(0, row)))
			want := numbered(n, n+1)
			for col := range columns {
				if !slices.Equal(out.Cell(col, row), want.Cell(col, 0)) {
					t.Fatalf("row %d: column %s is %v", n, columns[col].Name, out.Cell(col, row))
				}
			}
			list = append(list, n)
		}
	}
	if files, err := os.ReadDir(temp); err != nil || len(files) > 0 {
		t.Errorf("%d temporary files are left, %v", len(files), err)
	}
	return list
}

// TestShufflePermutes: every row comes out once, in an order that depends on the seed and
// not on memory.
func TestShufflePermutes(t *testing.T) {
	const rows = 120_000 // 16 MB
	inMemory, inFiles := order(t, rows, 1, 1<<30), order(t, rows, 1, MinMemory)
	if !slices.Equal(inMemory, inFiles) {
		t.Error("the order depends on memory")
	}
	if slices.Equal(inMemory, order(t, rows, 2, 1<<30)) {
		t.Error("the order does not depend on the seed")
	}
	sorted := slices.Clone(inMemory)
	slices.Sort(sorted)
	for i, n := range sorted {
		if n != i {
			t.Fatalf("row %d is missing or repeated", i)
		}
	}
}

// TestOrderIsRandom: rows are spread evenly, and neighbours stay neither together nor in
// order.
func TestOrderIsRandom(t *testing.T) {
	const rows, cells = 100_000, 100
	for seed := range uint64(2) {
		list := order(t, rows, seed, 1<<30)
		counts, rising, near := make([]int, cells*cells), 0, 0
		for place, n := range list {
			counts[place/(rows/cells)*cells+n/(rows/cells)]++
			if place > 0 && n > list[place-1] {
				rising++
			}
			if place > 0 && n-list[place-1] < 50 && list[place-1]-n < 50 {
				near++
			}
		}
		chi := 0.0
		for _, n := range counts {
			d := float64(n) - rows/cells/cells
			chi += d * d / (rows / cells / cells)
		}
		if free := float64((cells - 1) * (cells - 1)); chi < free-600 || chi > free+600 { // 4 standard deviations of 140
			t.Errorf("seed %d: chi-square %.0f with %.0f degrees of freedom", seed, chi, free)
		}
		if rising < rows/2-500 || rising > rows/2+500 { // 5 of 91
			t.Errorf("seed %d: %d of %d rows have a higher number than the row before", seed, rising, rows)
		}
		if near < 50 || near > 150 { // 98 expected
			t.Errorf("seed %d: %d rows are next to a former neighbour", seed, near)
		}
	}
}

// TestOrderIsFrozen: the order for a seed never changes. Do not change the expected order;
// find a fix that keeps it.
func TestOrderIsFrozen(t *testing.T) {
	if got, want := order(t, 12, 1, MinMemory), []int{4, 8, 5, 10, 7, 3, 0, 11, 6, 2, 9, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := order(t, 0, 1, MinMemory); len(got) != 0 {
		t.Errorf("%v of no rows", got)
	}
}

// TestNewRefusesTooLittleMemory: and All refuses to begin before all rows were added.
func TestNewRefusesTooLittleMemory(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Memory: MinMemory - 1}, "want 16777216 or more"},
		{Options{Memory: MinMemory, Rows: 1 << 30, RowSize: 300}, "bytes to process 322122547200 bytes, want 2516582404 or more"},
	} {
		must.Fail(New(c.o))(t, spill.ErrMemory, c.want)
	}
	s := must.Get(New(Options{Columns: columns, Rows: 5, RowSize: 100, Memory: MinMemory}))(t)
	defer s.Close()
	for _, err := range s.All(context.Background()) {
		if err == nil || err.Error() != "shuffle rows: 0 rows were added, want 5" {
			t.Error(err)
		}
	}
}

// TestShuffleStopsWhenCancelled: between two tables.
func TestShuffleStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := must.Get(New(Options{Columns: columns, Rows: 20_000, RowSize: 130, Memory: MinMemory}))(t)
	defer s.Close()
	must.Do(t, s.Add(numbered(0, 20_000)))
	cancel()
	last := error(nil)
	for _, err := range s.All(ctx) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Error(last)
	}
}
