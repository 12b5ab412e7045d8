// Package colfile writes and reads the data files of a dataset: rows of one
// encode.Table as a Parquet file or an Arrow IPC file.
//
// A column holds one value per row (Scalar), n values per row (an array, such as a
// board) or any number of values per row (a list, or the bytes of a string). No value
// is ever null. Every column in the file is required. Inside the package a run of
// values is a [Cells]: little-endian bytes in the layout of encode.Table.
//
// # Own Parquet pages
//
// The package lays out Parquet pages itself, and reads them itself. From
// github.com/apache/arrow/go/v17 it takes the writer of page headers and the footer, but not the
// column writers and not package pqarrow. Version 17 is the last release under that import path, and its
// writers lose data without an error: a required fixed-size list becomes nulls,
// min/max statistics alias the caller's buffer, rows written after Close disappear, and
// Close drops the error of the footer. They also store arrays of 8- and 16-bit numbers
// as INT32, which takes four to five times as long to write, and allocate a zstd encoder
// per page. The tests read our pages back with Arrow's own column readers.
//
// # Pages
//
// A leaf knows the page layout of one column. The layouts are plain
// integers, bits, bytes, strings, lists, arrays, and two kinds of dictionary indexes:
//
//   - Arrays of uint8 and uint16 are indexes into the identity dictionary, in which
//     entry i is the number i. At 8 or 16 bits the packed indexes are the little-endian
//     values themselves, so a board is copied into its page without conversion.
//   - Scalar uint16 labels (encode.Column.Label), such as actions, are indexes into a
//     dictionary of the values in order of first occurrence.
//
// A page of arrays or lists begins with repetition and definition levels, each one bit
// wide and run-length encoded. Pages are version 1. Boards take
// 64 KiB per page before compression, labels, lists and strings 112 KiB, other columns 256 KiB.
//
// # Files
//
// A Parquet file has row groups of [Spec].GroupRows rows; the last may have fewer. Its
// pages are compressed with zstd level 1, which is faster than levels 3 and 9 on boards
// in game order and compresses them better. Its bytes depend on the rows only.
//
// An Arrow file has one record batch per table written, compressed with zstd at the
// default level, or not at all. Its bytes depend on the rows and on the batches.
//
// # Flipped bits
//
// Every page of a Parquet file, levels and dictionaries included, and every buffer of a compressed
// Arrow file is a frame of zstd with a checksum. libzstd verifies it by default, and so does every reader
// that is built on it: pyarrow, DuckDB, Polars. Without the checksum pyarrow read other values after
// 102 of 300 flips of one bit, with it after none; it costs four bytes a page (interop/flips.py). Page
// headers, the footer and uncompressed Arrow have no checksum, and some readers in JavaScript ignore that of
// frames. So the SHA-256 of a file and its row digest are compared apart from this.
//
// Page headers have no crc: it would cover the same bytes, and pyarrow, DuckDB, Polars, parquet-java and
// arrow-rs verify it only on request or not at all.
//
// [RowDigest] sums up the values of a table, independent of format, board type and
// batches. [RowWriter] writes rows to files outside datasets, Arrow IPC
// streams included.
//
// Readers accept only what the writers here produce. Damaged input gives an error that
// is fault.ErrCorrupt, in bounded memory: what a footer, a message or a page header claims
// is compared with its limits and with the size of the file before anything is
// allocated for it.
//
// # Goroutines
//
// A Writer, Reader, RowWriter or RowDigest belongs to one goroutine at a time.
// Different ones may run concurrently.
//
// # Sources
//
// Parquet file format: https://parquet.apache.org/docs/file-format/ and
// https://github.com/apache/parquet-format. Arrow columnar and IPC format:
// https://arrow.apache.org/docs/format/Columnar.html. XXH3:
// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.
package colfile

import (
	"errors"
	"fmt"
	"io"
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

// Writer writes the rows of one file in order.
type Writer interface {
	// Write appends the rows of t, which the caller may change afterwards. An Arrow file
	// gets one record batch per call. After an error the file is useless.
	Write(t *encode.Table) error
	// Close writes the remaining rows and the footer. It does not close the sink. Write
	// and Close fail after Close.
	Close() error
}

// errClosed reports rows that would otherwise be lost behind the footer.
var errClosed = errors.New("write after close")

// NewWriter returns a Writer to w. It never closes w, because the file has to be synced
// first. Columns must have passed CheckColumns. An unknown format is ErrUnsupported.
func NewWriter(w io.Writer, s Spec) (Writer, error) {
	switch s.Format {
	case Parquet:
		return newParquetWriter(w, s)
	case Arrow:
		return newArrowWriter(w, s)
	}
	return nil, fmt.Errorf("write format %q: %w", s.Format, fault.ErrUnsupported)
}

// Reader reads a file back, group by group, in any order. A group is a Parquet row
// group or an Arrow record batch, numbered from 0. Decoding runs in the calling
// goroutine. Damage is ErrCorrupt.
type Reader interface {
	// Groups returns the number of groups.
	Groups() int
	// Rows returns the number of rows of a group. For Parquet it is the footer's claim.
	Rows(group int) (int, error)
	// Scan calls visit with consecutive runs of one column of a group. The cells are
	// valid until visit returns.
	Scan(group, col int, visit func(Cells)) error
	// ScanRows calls visit with runs of one column of a group that hold the given rows, which
	// ascend, and perhaps others. first is the number of the first cell in the group. Pages
	// without these rows are not decoded, where the format allows it.
	ScanRows(group, col int, rows []int, visit func(first int, v Cells)) error
	// Metadata returns the key/value metadata of the Spec.
	Metadata() []encode.KeyValue
}

// ReadSeekerAt is the input of a Reader, such as an *os.File or a *bytes.Reader.
type ReadSeekerAt interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// NewReader returns a Reader of r, which must hold a file of exactly the format and
// columns of s. Another schema is ErrCorrupt, an unknown format ErrUnsupported. The
// caller closes r after the last use of the Reader.
func NewReader(r ReadSeekerAt, s Spec) (Reader, error) {
	switch s.Format {
	case Parquet:
		return newParquetReader(r, s)
	case Arrow:
		return newArrowReader(r, s)
	}
	return nil, fmt.Errorf("read format %q: %w", s.Format, fault.ErrUnsupported)
}

// CountingWriter passes writes on to W and counts the bytes. After the first error it
// writes nothing and returns that error again.
type CountingWriter struct {
	W   io.Writer
	N   int64 // bytes written
	err error
}

// Write writes p to W.
func (s *CountingWriter) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.W.Write(p)
	s.N += int64(n)
	s.err = err
	return n, err
}

// Tell returns N. Arrow's page writer asks for its offset in the file by this method.
func (s *CountingWriter) Tell() int64 { return s.N }

// Cells is a run of consecutive cells of one column, laid out as in an encode.Table. It
// shares memory with the table or the reader it came from.
type Cells struct {
	Rows   int
	Values []byte  // little-endian values, end to end
	Ends   []int32 // Var columns only: after each row, the number of values since the run's first
}

// cut returns rows from to to-1 of a column of t. Values share memory with t.
func cut(t *encode.Table, col, from, to int) Cells {
	c := t.Columns[col]
	if c.Len != encode.Var {
		size := max(c.Len, 1) * c.Kind.Size()
		return Cells{Rows: to - from, Values: t.Data[col][from*size : to*size]}
	}
	return Cells{to - from, t.Data[col], t.Ends[col]}.slice(from, to, c.Kind.Size())
}

// slice returns rows from to to-1 of Var cells whose values have size bytes each.
func (c Cells) slice(from, to, size int) Cells {
	first, last := 0, 0
	if from > 0 {
		first = int(c.Ends[from-1])
	}
	if to > 0 {
		last = int(c.Ends[to-1])
	}
	ends := make([]int32, 0, to-from)
	for _, e := range c.Ends[from:to] {
		ends = append(ends, e-int32(first))
	}
	return Cells{to - from, c.Values[first*size : last*size], ends}
}

// Reserve makes room for rows that will be appended to a column of t, so that it grows once. The
// values of lists and strings take room when they are appended, and so does what exceeds maxReserve.
func Reserve(t *encode.Table, col, rows int) {
	c := t.Columns[col]
	if c.Len == encode.Var {
		t.Ends[col] = slices.Grow(t.Ends[col], rows)
		return
	}
	t.Data[col] = slices.Grow(t.Data[col], min(rows*max(c.Len, 1)*c.Kind.Size(), maxReserve))
}

// AppendCells appends a copy of v to column col of t. It does not change t.Rows: the
// caller counts the rows once all columns have them.
func AppendCells(t *encode.Table, col int, v Cells) {
	base := int32(len(t.Data[col]) / t.Columns[col].Kind.Size())
	for _, end := range v.Ends {
		t.Ends[col] = append(t.Ends[col], base+end)
	}
	t.Data[col] = append(t.Data[col], v.Values...)
}

// AppendRows appends a copy of rows from to to-1 of src to dst. Both have the same
// columns.
func AppendRows(dst, src *encode.Table, from, to int) {
	for col := range src.Columns {
		AppendCells(dst, col, cut(src, col, from, to))
	}
	dst.Rows += to - from
}

// AppendPicked appends copies of some rows of src to dst, in the given order. Both have the same
// columns.
func AppendPicked(dst, src *encode.Table, rows []int) {
	for col, c := range src.Columns {
		if c.Len == encode.Var {
			for _, row := range rows {
				AppendCells(dst, col, cut(src, col, row, row+1))
			}
			continue
		}
		dst.Data[col] = appendPicked(dst.Data[col], src.Data[col], rows, max(c.Len, 1)*c.Kind.Size())
	}
	dst.Rows += len(rows)
}

// appendPicked appends cells of size bytes each. Most columns are small numbers, whose copies
// need no call.
func appendPicked(dst, src []byte, rows []int, size int) []byte {
	switch size {
	case 1:
		for _, row := range rows {
			dst = append(dst, src[row])
		}
	case 2:
		for _, row := range rows {
			dst = append(dst, src[2*row], src[2*row+1])
		}
	default:
		for _, row := range rows {
			dst = append(dst, src[row*size:(row+1)*size]...)
		}
	}
	return dst
}

// ReadGroup appends the rows of a group to t, whose columns are those of r. After an
// error t holds part of the group.
func ReadGroup(r Reader, group int, t *encode.Table) error {
	rows, err := scanGroup(r, group, t.Columns, func(col int, v Cells) {
		AppendCells(t, col, v)
	})
	t.Rows += rows
	return err
}

// ReadRows appends rows of a group, which ascend, to t, whose columns are those of r. After an
// error t holds part of them.
func ReadRows(r Reader, group int, rows []int, t *encode.Table) error {
	if len(rows) == 0 {
		return nil
	}
	for col, c := range t.Columns {
		left := rows
		err := r.ScanRows(group, col, rows, func(first int, v Cells) { left = appendRows(t, col, first, v, left) })
		if err == nil && len(left) > 0 {
			err = fault.Corrupt("no row %d", left[0])
		}
		if err != nil {
			return fmt.Errorf("row group %d: column %s: %w", group, c.Name, err)
		}
	}
	t.Rows += len(rows)
	return nil
}

// appendRows appends those of rows that cells from first on hold, and returns the others.
func appendRows(t *encode.Table, col, first int, v Cells, rows []int) []int {
	c := t.Columns[col]
	for len(rows) > 0 && rows[0] < first+v.Rows {
		n := 1 // a run of adjacent rows
		for n < len(rows) && rows[n] == rows[0]+n && rows[n] < first+v.Rows {
			n++
		}
		from := rows[0] - first
		if c.Len == encode.Var {
			AppendCells(t, col, v.slice(from, from+n, c.Kind.Size()))
		} else {
			size := max(c.Len, 1) * c.Kind.Size()
			AppendCells(t, col, Cells{Rows: n, Values: v.Values[from*size : (from+n)*size]})
		}
		rows = rows[n:]
	}
	return rows
}

// DigestGroup adds the rows of a group to d, without collecting them in a table.
func DigestGroup(r Reader, group int, d *RowDigest) error {
	rows, err := scanGroup(r, group, d.columns, d.addCells)
	d.Rows += uint64(rows)
	return err
}

// scanGroup visits the cells of a group, column by column, and returns the number of
// rows. All columns must have as many rows as the group.
func scanGroup(r Reader, group int, columns []encode.Column, visit func(col int, v Cells)) (int, error) {
	rows, err := r.Rows(group)
	if err != nil {
		return 0, fmt.Errorf("row group %d: %w", group, err)
	}
	for col, c := range columns {
		if err := scanColumn(r, group, col, rows, c, func(v Cells) { visit(col, v) }); err != nil {
			return 0, err
		}
	}
	return rows, nil
}

// A small file may claim to hold any number of rows and values, and running out of memory
// cannot be recovered. So readers compare every claim with what the writers here can
// produce, before they allocate for it.

// maxPage bounds the bytes of an uncompressed page. Pages are far smaller, unless a single
// list is very long.
const maxPage = 1 << 28

// maxReserve bounds the bytes that Reserve allocates for the rows that a file claims to have.
const maxReserve = 1 << 28

// Bounds for the lists and strings of a row group before compression, because the number
// of rows does not bound them. They may take listBytes, or listRatio times their compressed
// size if that is more: long lists, such as policies, compress to a tenth at best.
const (
	listBytes = 1 << 28
	listRatio = 32
)

// maxListBytes returns the bound for lists and strings of the given compressed size.
func maxListBytes(compressed int64) int64 { return max(listBytes, compressed*listRatio) }

// groupLimit returns the most rows that a Parquet row group of a file may have: those of a
// full one.
func (s Spec) groupLimit() int {
	if s.GroupRows > 0 {
		return s.GroupRows
	}
	return PositionGroupRows
}

// maxBatch bounds the rows of a record batch. The last game of a batch may exceed
// BatchRows.
const maxBatch = BatchRows + 1<<16

// checkGroupRows returns an error if a row group or a record batch claims more rows than a
// writer of this package gives it.
func checkGroupRows(of string, rows int64, limit int) error {
	if rows < 0 || rows > int64(limit) {
		return fault.Corrupt("%s of %d rows, want at most %d: the file has another writer", of, rows, limit)
	}
	return nil
}

// fixedBytes returns the bytes that rows rows of columns take, without the values of lists
// and strings.
func fixedBytes(columns []encode.Column, rows int64) int64 {
	size := int64(0)
	for _, c := range columns {
		if c.Len == encode.Var {
			size += 4 // its end
		} else {
			size += int64(max(c.Len, 1) * c.Kind.Size())
		}
	}
	return size * rows
}
