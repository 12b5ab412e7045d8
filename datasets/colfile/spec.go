package colfile

import "selfplay/encode"

// WriterVersion is the version of the bytes that this package writes for a given plan.
// Raise it by hand whenever the golden file of a shard has to change. Datasets of an
// earlier version stay readable but cannot be extended.
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
