package encode

import (
	"encoding/binary"
	"slices"
)

// Kind is the type of a column's values. Integers are little endian.
type Kind uint8

// The kinds of value a column can hold.
const (
	Bool   Kind = 1 // one byte, 0 or 1
	Uint8  Kind = 2
	Uint16 Kind = 3
	Uint32 Kind = 4
	Uint64 Kind = 5
	Int8   Kind = 6
	Int16  Kind = 7
	String Kind = 8 // UTF-8 bytes; always Len == Var
)

var kindSizes = [...]int{0, 1, 1, 2, 4, 8, 1, 2, 1}

var kindNames = [...]string{"", "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "string"}

// Size returns the bytes of one value.
func (k Kind) Size() int { return kindSizes[k] }

func (k Kind) String() string { return kindNames[k] }

// Lengths of a column's cell that are not a fixed number of values.
const (
	Scalar = 0  // one value
	Var    = -1 // a list, or the bytes of a string
)

// Column describes one column of a table. The list that documents the columns
// also builds the file schemas, the README table and the dataset card.
type Column struct {
	Name string
	Kind Kind
	Len  int    // Scalar, Var, or n > 0 for an array of n values
	Doc  string // one line: meaning, range, perspective
	// Label says that a number only names something, such as a move: few of many
	// occur and their order means nothing, so files may store a dictionary.
	Label bool
}

// Table is a batch of rows in columns. A column is nothing but its values, one
// after the other as little-endian bytes: that is the form that is hashed, that
// Arrow maps without a copy and that Parquet packs. A Table is owned by one
// goroutine; whoever is handed one may read it until the call returns.
type Table struct {
	Columns []Column
	Rows    int
	Data    [][]byte  // values of each column
	Ends    [][]int32 // for Var columns: how many values (bytes for String) the column has up to and with each row
}

// NewTable returns an empty table of these columns.
func NewTable(columns []Column) *Table {
	return &Table{
		Columns: columns,
		Data:    make([][]byte, len(columns)),
		Ends:    make([][]int32, len(columns)),
	}
}

// Reset empties the table and keeps its memory.
func (t *Table) Reset() {
	t.Rows = 0
	for i := range t.Data {
		t.Data[i] = t.Data[i][:0]
		t.Ends[i] = t.Ends[i][:0]
	}
}

// The Add methods append one value to a column; the caller fills every column
// of a row and then counts it in Rows.

// AddUint8 appends to a Bool, Uint8 or Int8 column.
func (t *Table) AddUint8(col int, v uint8) { t.Data[col] = append(t.Data[col], v) }

// AddUint16 appends to a Uint16 or Int16 column.
func (t *Table) AddUint16(col int, v uint16) {
	t.Data[col] = binary.LittleEndian.AppendUint16(t.Data[col], v)
}

// AddUint32 appends to a Uint32 column.
func (t *Table) AddUint32(col int, v uint32) {
	t.Data[col] = binary.LittleEndian.AppendUint32(t.Data[col], v)
}

// AddUint64 appends to a Uint64 column.
func (t *Table) AddUint64(col int, v uint64) {
	t.Data[col] = binary.LittleEndian.AppendUint64(t.Data[col], v)
}

// Grow appends n values to a column and returns their bytes, which hold anything:
// the caller fills them.
func (t *Table) Grow(col, n int) []byte {
	data := t.Data[col]
	start, size := len(data), n*t.Columns[col].Kind.Size()
	data = slices.Grow(data, size)[:start+size]
	t.Data[col] = data
	return data[start:]
}

// Fill appends n values that all are v.
func (t *Table) Fill(col, n int, v uint64) {
	out := t.Grow(col, n)
	size := min(t.Columns[col].Kind.Size(), len(out))
	for i := range size {
		out[i] = byte(v >> (8 * i))
	}
	for done := size; done < len(out); done *= 2 {
		copy(out[done:], out[:done])
	}
}

// AddBytes appends raw values: a String cell, an array, or a list already in
// little-endian bytes.
func (t *Table) AddBytes(col int, v []byte) { t.Data[col] = append(t.Data[col], v...) }

// End closes the cell of a Var column at the values it has so far.
func (t *Table) End(col int) {
	t.Ends[col] = append(t.Ends[col], int32(len(t.Data[col])/t.Columns[col].Kind.Size()))
}

// Cell returns the bytes of one cell, which belong to the table.
func (t *Table) Cell(col, row int) []byte {
	c := &t.Columns[col]
	size := c.Kind.Size()
	if c.Len != Var {
		size *= max(c.Len, 1)
		return t.Data[col][row*size:][:size]
	}
	begin := 0
	if row > 0 {
		begin = int(t.Ends[col][row-1])
	}
	return t.Data[col][begin*size : int(t.Ends[col][row])*size]
}
