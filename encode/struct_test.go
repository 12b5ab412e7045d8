package encode_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

var structColumns = []encode.Column{
	{Name: "game", Kind: encode.Uint64},
	{Name: "side", Kind: encode.Uint8},
	{Name: "board", Kind: encode.Uint16, Len: 3},
	{Name: "score", Kind: encode.Int16},
	{Name: "policy_action", Kind: encode.Uint16, Len: encode.Var},
	{Name: "policy_weight", Kind: encode.Uint16, Len: encode.Var},
	{Name: "move", Kind: encode.String, Len: encode.Var},
}

// structTable has two rows, with one and three policy entries.
func structTable() *encode.Table {
	t := encode.NewTable(structColumns)
	for row, policy := range [][]uint16{{7}, {8, 9, 10}} {
		t.AddUint64(0, 0x0102030405060708+uint64(row))
		t.AddUint8(1, uint8(row))
		for i := range uint16(3) {
			t.AddUint16(2, 0x1100+i)
		}
		t.AddUint16(3, uint16(0xFFFE+row)) // -2, -1
		for _, action := range policy {
			t.AddUint16(4, action)
			t.AddUint16(5, 2*action)
		}
		t.End(4)
		t.End(5)
		t.AddString(6, "e2e4")
		t.Rows++
	}
	return t
}

// TestStructBytesAreFrozen: little endian, with zeros between fields and after short policies. Of long policies the
// entries of largest weight are kept, in their order.
func TestStructBytesAreFrozen(t *testing.T) {
	s := must.Get(encode.NewStruct(structColumns, []string{"side", "score", "board"}, 2))(t)
	want := []byte{
		0xAA,
		0, 0, 0xFE, 0xFF, 0x00, 0x11, 0x01, 0x11, 0x02, 0x11, 7, 0, 0, 0, 14, 0, 0, 0,
		1, 0, 0xFF, 0xFF, 0x00, 0x11, 0x01, 0x11, 0x02, 0x11, 9, 0, 10, 0, 18, 0, 20, 0,
	}
	dst := append(make([]byte, 0, 100), 0xAA)
	for i := range dst[1:100] {
		dst[1:100][i] = 0x55 // memory that was used before
	}
	if got := s.Append(dst, structTable()); !bytes.Equal(got, want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
}

// TestStructReadsBack: for rows of every game and layout.
func TestStructReadsBack(t *testing.T) {
	for _, g := range encode.Games() {
		for i := range g.Layouts {
			v := encode.View{Layout: &g.Layouts[i], Searched: true, Extra: encode.ExtraNames()}
			rows := rowsOf(t, &g, v, searchedRecord(&g, 1, 60), searchedRecord(&g, 2, 60))
			s := must.Get(encode.NewStruct(rows.Columns, nil, 3))(t)
			back := encode.NewTable(s.Columns())
			if err := s.Decode(back, s.Append(nil, rows)); err != nil || back.Rows != rows.Rows {
				t.Fatalf("%s: %d rows, want %d, %v", g.Name, back.Rows, rows.Rows, err)
			}
			for col, c := range back.Columns {
				source := encode.ColumnNamed(rows.Columns, c.Name)
				for row := range rows.Rows {
					got, want := back.Cell(col, row), rows.Cell(source, row)
					if rows.Columns[source].Len == encode.Var {
						want = slices.Concat(want[:min(len(want), 6)], make([]byte, 6-min(len(want), 6)))
					}
					if !bytes.Equal(got, want) {
						t.Fatalf("%s %s: row %d: %s is %v, want %v", g.Name, v.Layout.Name, row, c.Name, got, want)
					}
				}
			}
		}
	}
}

func TestStructRefusals(t *testing.T) {
	if _, err := encode.NewStruct(structColumns[:4], nil, 5); err == nil || !strings.Contains(err.Error(), "were not searched") {
		t.Errorf("a policy of games without a search: %v", err)
	}
	s := must.Get(encode.NewStruct(structColumns, nil, 0))(t)
	if err := s.Decode(encode.NewTable(s.Columns()), make([]byte, 25)); err == nil {
		t.Error("25 bytes are rows of 24")
	}
}
