package colfile

import (
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

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
