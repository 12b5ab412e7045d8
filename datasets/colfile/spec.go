package colfile

import (
	"fmt"
	"slices"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// WriterVersion is the version of the bytes that this package writes for a given plan.
// Raise it by hand whenever the golden file of a shard has to change. Datasets of
// another version are refused.
const WriterVersion = 1

// File formats. Stored in plans; never renamed.
const (
	Parquet = "parquet"
	Arrow   = "arrow"
)

// Board types: how an array column is stored. Stored in plans; never renamed.
const (
	List   = "list"   // a fixed-size list of numbers, which readers map to an array
	Packed = "packed" // the little-endian bytes of the numbers
)

// Codecs, one per format. Stored in plans; never renamed.
const (
	CodecParquet = "zstd-1" // zstd level 1 per page
	CodecArrow   = "zstd"   // half the bytes of lz4; readers of compressed Arrow know both
)

// Rows of a Parquet row group. A row of the games table is as large as a hundred
// positions or more. A writer keeps the encoded pages of the open row group in memory.
const (
	PositionGroupRows = 65536
	GameGroupRows     = 4096
)

// BatchRows is the number of rows in an Arrow record batch of positions.
const BatchRows = 8192

// Spec describes the content of a data file. A Reader needs the Spec that the file was
// written with.
type Spec struct {
	Format    string            // Parquet or Arrow
	Packed    bool              // arrays as bytes (board type Packed), not as lists
	Columns   []encode.Column   // must pass CheckColumns
	Metadata  []encode.KeyValue // key/value metadata of the file, in order
	GroupRows int               // rows of a full Parquet row group, over 0; Arrow ignores it
	// Uncompressed leaves zstd out of an Arrow file, which is then several times as fast to write and
	// to read. Parquet ignores it. Readers accept both.
	Uncompressed bool
}

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
