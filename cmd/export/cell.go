package main

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
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

// text returns a cell as the table shows it: of a list, the beginning.
func text(c encode.Column, v []byte) string {
	const most = 8 // values
	if size := c.Kind.Size(); c.Kind != encode.String && c.Len != encode.Scalar && len(v) > most*size {
		return strings.TrimSuffix(fmt.Sprint(value(c, v[:most*size])), "]") + " …]"
	}
	return fmt.Sprint(value(c, v))
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

// board returns the values of a row's board and the side to move there. Every
// positions table has both columns.
func board(t *encode.Table, row int) (values []byte, turn engine.Side) {
	return t.Cell(columnNamed(t, "board"), row), engine.Side(t.Cell(columnNamed(t, "side"), row)[0])
}

func columnNamed(t *encode.Table, name string) int {
	return slices.IndexFunc(t.Columns, func(c encode.Column) bool { return c.Name == name })
}
