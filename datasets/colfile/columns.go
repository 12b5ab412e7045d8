package colfile

import (
	"fmt"
	"slices"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// kinds are the kinds a column can have, in the order of their numbers.
var kinds = []encode.Kind{
	encode.Bool, encode.Uint8, encode.Uint16, encode.Uint32,
	encode.Uint64, encode.Int8, encode.Int16, encode.String,
}

// KindNamed returns the kind whose String is name, and whether one exists.
func KindNamed(name string) (encode.Kind, bool) {
	for _, k := range kinds {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// Signed reports whether k is a signed integer.
func Signed(k encode.Kind) bool { return k == encode.Int8 || k == encode.Int16 }

// maxArray bounds the length of an array column: a row has to fit a page.
const maxArray = 1 << 16

// CheckColumns reports why a file cannot hold the columns. Names must be unique and not
// empty, arrays have at most 65,536 values, strings are Var and bools are Scalar. An
// invalid column is ErrCorrupt; an empty list is ErrUnsupported.
func CheckColumns(columns []encode.Column) error {
	seen := map[string]bool{}
	for _, c := range columns {
		switch {
		case c.Name == "" || seen[c.Name]:
			return fault.Corrupt("column %q: the name is empty or used twice", c.Name)
		case !slices.Contains(kinds, c.Kind):
			return fault.Corrupt("column %s: unknown kind %d", c.Name, c.Kind)
		case c.Len < encode.Var || c.Len > maxArray:
			return fault.Corrupt("column %s: length %d, want %d to %d", c.Name, c.Len, encode.Var, maxArray)
		case c.Kind == encode.String && c.Len != encode.Var:
			return fault.Corrupt("column %s: a string cannot have a fixed length", c.Name)
		case c.Kind == encode.Bool && c.Len != encode.Scalar:
			return fault.Corrupt("column %s: a bool has to be a scalar", c.Name)
		}
		seen[c.Name] = true
	}
	if len(columns) == 0 {
		return fmt.Errorf("check columns: the table has none: %w", fault.ErrUnsupported)
	}
	return nil
}
