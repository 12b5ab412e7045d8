package encode

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
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

// Struct is a row as bytes of fixed size: fields at fixed offsets, as a C compiler lays out a
// struct. Every number lies at a multiple of its size, little endian, and the size of a row is a
// multiple of the largest number. Bytes between fields are 0.
type Struct struct {
	Fields []StructField
	Size   int // bytes of a row

	weights int // index of the weights of the policy in the table
}

// StructField is a column of fixed length, or some values of a list.
type StructField struct {
	Column
	Offset int
	// Padded is set for a list of the policy: the field has the Len values of largest weight, in the order
	// of the list, and 0 where the list is shorter.
	Padded bool

	source int // index of the column in the table
}

// policyWeightColumn is the list beside PolicyActionColumn.
const policyWeightColumn = "policy_weight"

// NewStruct returns the layout of rows with these columns. names selects and orders the fields;
// nil selects all columns of fixed length. If policy is not 0, the two policy columns are fields
// of that many values; names may place them, else they are the last.
func NewStruct(columns []Column, names []string, policy int) (*Struct, error) {
	if policy < 0 || policy > math.MaxUint16 {
		return nil, fmt.Errorf("%d policy entries: want up to %d", policy, math.MaxUint16)
	}
	if names == nil {
		for _, c := range columns {
			if c.Len != Var {
				names = append(names, c.Name)
			}
		}
	}
	for _, name := range []string{PolicyActionColumn, policyWeightColumn} {
		if policy > 0 && !slices.Contains(names, name) {
			names = append(slices.Clip(names), name)
		}
	}
	s, largest := &Struct{weights: ColumnNamed(columns, policyWeightColumn)}, 1
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("field %q is given twice", name)
		}
		f, err := newField(columns, name, policy)
		if err != nil {
			return nil, err
		}
		size := f.Kind.Size()
		f.Offset = aligned(s.Size, size)
		s.Size = f.Offset + f.bytes()
		s.Fields, largest = append(s.Fields, f), max(largest, size)
	}
	s.Size = aligned(s.Size, largest)
	return s, nil
}

// newField returns the field of a column, without its offset.
func newField(columns []Column, name string, policy int) (f StructField, err error) {
	f.source = ColumnNamed(columns, name)
	if f.source < 0 {
		if name == PolicyActionColumn || name == policyWeightColumn {
			return f, fmt.Errorf("field %q: the rows have no policies: their games were not searched", name)
		}
		return f, fmt.Errorf("unknown field %q: want some of %s", name, strings.Join(columnNames(columns), ", "))
	}
	f.Column = columns[f.source]
	if f.Len != Var {
		return f, nil
	}
	if name != PolicyActionColumn && name != policyWeightColumn {
		return f, fmt.Errorf("field %q has no fixed length", name)
	}
	if policy <= 0 {
		return f, fmt.Errorf("field %q has no fixed length: want a number of policy entries", name)
	}
	f.Len, f.Padded = policy, true
	f.Doc += fmt.Sprintf("; the %d of largest weight, and 0 after the last", policy)
	return f, nil
}

func columnNames(columns []Column) (names []string) {
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return names
}

// aligned returns the first multiple of size from offset on.
func aligned(offset, size int) int { return (offset + size - 1) / size * size }

// bytes returns the size of the field.
func (f *StructField) bytes() int { return max(f.Len, 1) * f.Kind.Size() }

// Append appends the rows of a table whose columns are those of NewStruct.
func (s *Struct) Append(dst []byte, t *Table) []byte {
	start := len(dst)
	dst = slices.Grow(dst, t.Rows*s.Size)[:start+t.Rows*s.Size]
	out := dst[start:]
	clear(out)
	for i := range s.Fields {
		f := &s.Fields[i]
		size := f.bytes()
		if f.Padded {
			for row := range t.Rows {
				copyHeaviest(out[row*s.Size+f.Offset:][:size], t.Cell(f.source, row), t.Cell(s.weights, row))
			}
			continue
		}
		data := t.Data[f.source]
		for at := f.Offset; len(data) > 0; at += s.Size {
			copy(out[at:at+size], data)
			data = data[size:]
		}
	}
	return dst
}

// copyHeaviest copies the values of largest weight that fit into dst, in the order of the list. Values and weights
// are uint16. Of equal weights the first counts.
func copyHeaviest(dst, values, weights []byte) {
	if len(values) <= len(dst) {
		copy(dst, values)
		return
	}
	weight := func(i int) uint16 { return binary.LittleEndian.Uint16(weights[2*i:]) }
	order := make([]int, len(weights)/2)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
	chosen := order[:len(dst)/2]
	slices.Sort(chosen)
	for at, i := range chosen {
		copy(dst[2*at:], values[2*i:][:2])
	}
}

// Columns returns the columns of Decode: the fields, with arrays in place of lists.
func (s *Struct) Columns() (list []Column) {
	for i := range s.Fields {
		list = append(list, s.Fields[i].Column)
	}
	return list
}

// Decode appends rows to a table with the columns of Columns.
func (s *Struct) Decode(t *Table, data []byte) error {
	if len(data)%s.Size != 0 {
		return fmt.Errorf("decode rows: %d bytes, want a multiple of %d", len(data), s.Size)
	}
	for ; len(data) > 0; data = data[s.Size:] {
		for i := range s.Fields {
			f := &s.Fields[i]
			t.AddBytes(i, data[f.Offset:][:f.bytes()])
		}
		t.Rows++
	}
	return nil
}
