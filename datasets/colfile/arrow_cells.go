package colfile

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"selfplay/datasets/internal/fault"
)

// arrowCells returns the cells of an array, which must have rows rows and no nulls. All
// but bools and Ends share memory with it.
func arrowCells(a arrow.Array, rows int) (_ Cells, err error) {
	defer fault.RecoverCorrupt(&err)
	if a.Len() != rows || a.NullN() > 0 {
		return Cells{}, fault.Corrupt("%d rows and %d nulls, want %d rows", a.Len(), a.NullN(), rows)
	}
	switch a := a.(type) {
	case *array.Boolean:
		return boolCells(a, rows), nil
	case *array.String:
		return varCells(a.Data().Buffers()[1].Bytes(), rows, a.Data().Buffers()[2].Bytes(), 1)
	case *array.List:
		return varCells(a.Data().Buffers()[1].Bytes(), rows, valueBytes(a.ListValues()), valueSize(a.ListValues()))
	case *array.FixedSizeList:
		n := rows * int(a.DataType().(*arrow.FixedSizeListType).Len()) * valueSize(a.ListValues())
		return Cells{Rows: rows, Values: valueBytes(a.ListValues())[:n]}, nil
	}
	return Cells{Rows: rows, Values: valueBytes(a)[:rows*valueSize(a)]}, nil
}

func boolCells(a *array.Boolean, rows int) Cells {
	values := make([]byte, rows)
	for i := range rows {
		if a.Value(i) {
			values[i] = 1
		}
	}
	return Cells{Rows: rows, Values: values}
}

func valueBytes(a arrow.Array) []byte {
	if b := a.Data().Buffers()[1]; b != nil {
		return b.Bytes()
	}
	return nil
}

func valueSize(a arrow.Array) int { return a.DataType().(arrow.FixedWidthDataType).Bytes() }

// varCells returns rows lists that offsets (int32 bytes) cut out of values of size
// bytes each. Offsets begin with 0 and never decrease.
func varCells(offsets []byte, rows int, values []byte, size int) (Cells, error) {
	c := Cells{Rows: rows}
	previous := int32(0)
	for i := range rows + 1 {
		end := int32(binary.LittleEndian.Uint32(offsets[4*i:]))
		if end < previous || i == 0 && end != 0 {
			return c, fault.Corrupt("offset %d after %d", end, previous)
		}
		previous = end
		if i > 0 {
			c.Ends = append(c.Ends, end)
		}
	}
	c.Values = values[:int(previous)*size]
	return c, nil
}
