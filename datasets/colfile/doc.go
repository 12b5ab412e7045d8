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
// A leaf (parquet_leaf.go) knows the page layout of one column. The layouts are plain
// integers, bits, bytes, strings, lists, arrays, and two kinds of dictionary indexes:
//
//   - Arrays of uint8 and uint16 are indexes into the identity dictionary, in which
//     entry i is the number i. At 8 or 16 bits the packed indexes are the little-endian
//     values themselves, so a board is copied into its page without conversion.
//   - Scalar uint16 labels (encode.Column.Label), such as actions, are indexes into a
//     dictionary of the values in order of first occurrence.
//
// A page of arrays or lists begins with repetition and definition levels, each one bit
// wide and run-length encoded (parquet_levels.go). Pages are version 1. Boards take
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
// batches (digest.go). [RowWriter] writes rows to files outside datasets, Arrow IPC
// streams included.
//
// Readers accept only what the writers here produce. Damaged input gives an error that
// is fault.ErrCorrupt, in bounded memory: what a footer, a message or a page header claims
// is compared with the limits of limits.go and with the size of the file before anything is
// allocated for it.
//
// # Goroutines
//
// A Writer, Reader, RowWriter or RowDigest belongs to one goroutine at a time.
// Different ones may run concurrently.
//
// # Map
//
//	spec.go                   formats, board types, codecs, Spec; which columns a file can hold
//	cells.go                  Cells: runs of values, cut from tables and appended to them in any order
//	file.go                   Writer, Reader and CountingWriter
//	group.go                  whole row groups: read, digested
//	limits.go                 what a file may claim to hold
//	compare.go                first difference between two tables
//	digest.go                 RowDigest
//	digest_columns.go         the digest of a file, by several goroutines
//	row_writer.go             RowWriter: files outside datasets
//	arrow_schema.go           Arrow types of columns
//	arrow_writer.go           tables to record batches, without a copy
//	arrow_reader.go           record batches to cells
//	arrow_cells.go            cells of one Arrow array
//	arrow_frame.go            the bytes around the batches, checked before Arrow parses them
//	arrow_block.go            where batches are, and their rows, without Arrow
//	parquet_schema.go         Parquet types of columns, metadata, properties
//	parquet_writer.go         row groups and footer
//	parquet_chunk.go          one column of a row group
//	parquet_leaf.go           page layout of a column
//	parquet_encode.go         cells to page bodies; minimum and maximum of a chunk
//	parquet_decode.go         page bodies to cells
//	parquet_decode_arrays.go  those of arrays and lists
//	parquet_levels.go         repetition and definition levels
//	parquet_dictionary.go     dictionaries and their indexes
//	parquet_values.go         widening to INT32 and narrowing
//	parquet_reader.go         the footer, and what it says
//	parquet_rows.go           column chunks to pages: all rows of a column, or some
//	parquet_claims.go         claims of footers and page headers, checked before Arrow reads them
//	thrift.go                 a walk over footers and page headers
//	parquet_pack.go           pages that other goroutines compress
//	parquet_zstd.go           the zstd encoder and decoder, and memory that writers share
//
// # Sources
//
// Parquet file format: https://parquet.apache.org/docs/file-format/ and
// https://github.com/apache/parquet-format. Arrow columnar and IPC format:
// https://arrow.apache.org/docs/format/Columnar.html. XXH3:
// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.
package colfile
