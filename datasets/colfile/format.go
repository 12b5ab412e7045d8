package colfile

// WriterVersion is the version of every byte of a data file that this package writes
// for a given plan. It is raised by hand whenever the golden file of a shard has to change.
// What an earlier version wrote is read for ever, but not continued.
const WriterVersion = 1

// File formats of the two tables. Stored in plans; never renamed.
const (
	Parquet = "parquet"
	Arrow   = "arrow"
)

// Board types: how an array column is stored. Stored in plans; never renamed.
const (
	List   = "list"   // a list of numbers, which every reader maps to an array
	Packed = "packed" // its little-endian bytes
)

// Codecs, one a format. Stored in plans; never renamed.
const (
	CodecParquet = "zstd-1" // zstd level 1 a page: faster and smaller than 3 and 9 on boards in game order
	CodecArrow   = "zstd"   // half the bytes of lz4, and both are read everywhere that compressed Arrow is
)
