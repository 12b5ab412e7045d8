package colfile

import (
	"fmt"
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"slices"
)

// The kinds, in the order of their numbers.
var Kinds = []encode.Kind{
	encode.Bool, encode.Uint8, encode.Uint16, encode.Uint32,
	encode.Uint64, encode.Int8, encode.Int16, encode.String,
}

func KindNamed(name string) (encode.Kind, bool) {
	for _, k := range Kinds {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// maxArray bounds an array column: a row of it must fit a page.
const maxArray = 1 << 16

// checkColumns refuses columns that the tables cannot hold.
func CheckColumns(columns []encode.Column) error {
	seen := map[string]bool{}
	for _, c := range columns {
		switch {
		case c.Name == "" || seen[c.Name]:
			return fault.Corrupt("column %q: no name of its own", c.Name)
		case !slices.Contains(Kinds, c.Kind):
			return fault.Corrupt("column %s: unknown kind %d", c.Name, c.Kind)
		case c.Len < encode.Var || c.Len > maxArray:
			return fault.Corrupt("column %s: length %d", c.Name, c.Len)
		case c.Kind == encode.String && c.Len != encode.Var:
			return fault.Corrupt("column %s: a string of fixed length", c.Name)
		case c.Kind == encode.Bool && c.Len != encode.Scalar:
			return fault.Corrupt("column %s: more than one bool", c.Name)
		}
		seen[c.Name] = true
	}
	if len(columns) == 0 {
		return fmt.Errorf("check columns: none: %w", fault.ErrUnsupported)
	}
	return nil
}
