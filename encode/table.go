package encode

import (
	"encoding/binary"
	"slices"
)

// Kind is the type of a column's values. Integers are little endian.
type Kind uint8

// The kinds of values.
const (
	Bool   Kind = 1 // one byte, 0 or 1
	Uint8  Kind = 2
	Uint16 Kind = 3
	Uint32 Kind = 4
	Uint64 Kind = 5
	Int8   Kind = 6
	Int16  Kind = 7
	String Kind = 8 // UTF-8 bytes; Len is always Var
)

var kindSizes = [...]int{0, 1, 1, 2, 4, 8, 1, 2, 1}

var kindNames = [...]string{"", "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "string"}

// Size returns the size of one value in bytes.
func (k Kind) Size() int { return kindSizes[k] }

func (k Kind) String() string { return kindNames[k] }

// Values of Column.Len for cells that are no arrays of fixed length.
const (
	Scalar = 0  // one value
	Var    = -1 // a list, or the bytes of a string
)

// Column describes one column of a table. The same list makes the file schemas, the README
// table and the dataset card.
type Column struct {
	Name string
	Kind Kind
	Len  int    // Scalar, Var, or n > 0 for an array of n values
	Doc  string // one line: meaning, range, perspective
	// Label marks categorical numbers, such as action numbers: their order means nothing
	// and few of the possible values occur, so files may store a dictionary.
	Label bool
}

// Table is a batch of rows in columns. A column is the concatenation of its values as
// little-endian bytes: this form is hashed, mapped by Arrow without a copy, and packed by
// Parquet. One goroutine owns a Table. A function that is given one may read it until it
// returns.
type Table struct {
	Columns []Column
	Rows    int
	Data    [][]byte  // values of each column
	Ends    [][]int32 // of Var columns: number of values (bytes for String) up to the end of each row
}

// NewTable returns an empty table with these columns.
func NewTable(columns []Column) *Table {
	return &Table{
		Columns: columns,
		Data:    make([][]byte, len(columns)),
		Ends:    make([][]int32, len(columns)),
	}
}

// Reset removes all rows and keeps the memory.
func (t *Table) Reset() {
	t.Rows = 0
	for i := range t.Data {
		t.Data[i] = t.Data[i][:0]
		t.Ends[i] = t.Ends[i][:0]
	}
}

// The Add methods append one value to a column. The caller fills every column of a row and
// then increments Rows.

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

// Grow appends n values to a column and returns their bytes, which are uninitialized: the
// caller must fill them.
func (t *Table) Grow(col, n int) []byte {
	data := t.Data[col]
	start, size := len(data), n*t.Columns[col].Kind.Size()
	data = slices.Grow(data, size)[:start+size]
	t.Data[col] = data
	return data[start:]
}

// Fill appends n values equal to v.
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

// AddBytes appends the bytes of a String, or of values that are little endian already.
func (t *Table) AddBytes(col int, v []byte) { t.Data[col] = append(t.Data[col], v...) }

// AddString appends a cell of a String column.
func (t *Table) AddString(col int, v string) {
	t.Data[col] = append(t.Data[col], v...)
	t.End(col)
}

// End ends a cell of a Var column after the values added so far.
func (t *Table) End(col int) {
	t.Ends[col] = append(t.Ends[col], int32(len(t.Data[col])/t.Columns[col].Kind.Size()))
}

// Cell returns the bytes of one cell. They belong to the table.
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
