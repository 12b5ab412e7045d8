package colfile

import (
	"math/rand/v2"
	"slices"
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

// TestPickedRowsAreThoseOfTheList: of columns of every size, and of lists.
func TestPickedRowsAreThoseOfTheList(t *testing.T) {
	src := encode.NewTable([]encode.Column{
		{Name: "byte", Kind: encode.Uint8}, {Name: "short", Kind: encode.Uint16}, {Name: "long", Kind: encode.Uint64},
		{Name: "board", Kind: encode.Uint16, Len: 3}, {Name: "list", Kind: encode.Uint16, Len: encode.Var}, {Name: "text", Kind: encode.String, Len: encode.Var},
	})
	for row := range 5 {
		src.AddUint8(0, uint8(row))
		src.AddUint16(1, uint16(300*row))
		src.AddUint64(2, uint64(row)<<40)
		for i := range 3 {
			src.AddUint16(3, uint16(256*row+i))
		}
		for i := range row {
			src.AddUint16(4, uint16(i))
		}
		src.End(4)
		src.AddString(5, "abcde"[:row])
		src.Rows++
	}
	dst := encode.NewTable(src.Columns)
	AppendRows(dst, src, 2, 3)
	order := []int{4, 0, 0, 3, 1}
	AppendPicked(dst, src, order)
	for i, row := range append([]int{2}, order...) {
		for col := range src.Columns {
			if !slices.Equal(dst.Cell(col, i), src.Cell(col, row)) {
				t.Errorf("row %d, column %s: %v, want %v", i, src.Columns[col].Name, dst.Cell(col, i), src.Cell(col, row))
			}
		}
	}
	if dst.Rows != 6 {
		t.Errorf("%d rows", dst.Rows)
	}
}
