package colfile

import (
	"slices"
	"testing"

	"selfplay/encode"
)

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
