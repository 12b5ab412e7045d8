package main

import (
	"encoding/binary"
	"encoding/json"

	"selfplay/encode"
)

// value returns a cell as JSON writes it: a number, a bool, a string or a list.
func value(c encode.Column, v []byte) any {
	switch {
	case c.Kind == encode.String:
		return string(v)
	case c.Len == encode.Scalar:
		return number(c.Kind, v)
	}
	list, size := []any{}, c.Kind.Size()
	for ; len(v) >= size; v = v[size:] {
		list = append(list, number(c.Kind, v))
	}
	return list
}

// number returns the first value of v.
func number(k encode.Kind, v []byte) any {
	switch k {
	case encode.Bool:
		return v[0] != 0
	case encode.Uint8:
		return v[0]
	case encode.Int8:
		return int8(v[0])
	case encode.Uint16:
		return binary.LittleEndian.Uint16(v)
	case encode.Int16:
		return int16(binary.LittleEndian.Uint16(v))
	case encode.Uint32:
		return binary.LittleEndian.Uint32(v)
	}
	return binary.LittleEndian.Uint64(v)
}

// rowJSON returns a row as an object with its columns in order.
func rowJSON(t *encode.Table, row int) ([]byte, error) {
	b := []byte{'{'}
	for col, c := range t.Columns {
		if col > 0 {
			b = append(b, ',')
		}
		for i, part := range []any{c.Name, value(c, t.Cell(col, row))} {
			if i > 0 {
				b = append(b, ':')
			}
			text, err := json.Marshal(part)
			if err != nil {
				return nil, err
			}
			b = append(b, text...)
		}
	}
	return append(b, "}\n"...), nil
}
