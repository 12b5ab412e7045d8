// Package tablefile writes rows of a dataset into single files that other tools read. All
// forms but those of chess have the same columns. Rows are in the order in which they are
// written:
//
//	parquet, arrow  as in a dataset, with metadata
//	arrow-stream    Arrow record batches, readable while they are written
//	csv             one line per row; arrays and lists are numbers separated by spaces
//	jsonl           one JSON object per row
//	npz             one NumPy array per column; a list column is its values and offsets
//	webdataset      a tar with two files per row, the board and everything else
//	records         rows of fixed size without a header, described by a file beside them
//	bulletformat, binpack, plain, epd
//	                positions of chess with best move, score and result: see package chessdata
//
// In every form, Text replaces the board array by the position in the game's notation, and Fields
// chooses columns. The
// bytes of a file are a function of the rows and the Spec. They depend neither on a clock
// nor on how the rows were divided into tables.
//
//	tablefile.go    the list of forms
//	spec.go         Spec: the content of a file
//	texts.go        positions as text
//	columns.go      chosen columns
//	csv.go json.go  one form each; csv.go has the numbers of both
//	npy.go npz.go   a NumPy array, and a zip of arrays
//	webdataset.go   a tar of rows, and the index of such files
//	records.go      rows of fixed size
//	chess.go        the forms of chess
//
// Sources: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html,
// https://github.com/webdataset/webdataset, https://arrow.apache.org/docs/format/Columnar.html
package tablefile

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/encode/chessdata"
)

// Writer writes one file. It belongs to one goroutine.
type Writer interface {
	// Write appends the rows of t. It does not keep t.
	Write(t *encode.Table) error
	// Close completes the content of the file. It does not close the file. A writer that
	// is not closed may leave temporary files in Spec.Temp.
	Close() error
}

// Form is a file format for rows.
type Form struct {
	Name   string
	Ext    string // of files, with its dot; unique
	Doc    string // one line
	Stream bool   // can be written to a pipe
	Boards bool   // has board types: list or packed
	Index  bool   // readers of many files need a WIDS index
	Codec  string // compression of its own, on request; "" if it has none
	Chess  bool   // has positions of chess only
	Fields bool   // has columns of fixed length only, and needs a file that describes them: see RecordType
	open   func(w io.Writer, s *Spec) (Writer, error)
}

// Forms returns all forms. To add a form, add it here.
func Forms() []Form {
	return []Form{
		{Name: plan.Parquet, Ext: ".parquet", Boards: true, open: openRows(plan.Parquet), Doc: "columns as in a dataset"},
		{Name: plan.Arrow, Ext: ".arrow", Boards: true, open: openRows(plan.Arrow), Doc: "columns as in a dataset"},
		{Name: colfile.ArrowStream, Ext: ".arrows", Boards: true, Stream: true, Codec: "zstd", open: openRows(colfile.ArrowStream), Doc: "Arrow IPC stream"},
		{Name: "csv", Ext: ".csv", Stream: true, open: openCSV, Doc: "one line per row, the board as numbers separated by spaces"},
		{Name: "jsonl", Ext: ".jsonl", Stream: true, open: openJSON, Doc: "one JSON object per row, as head --json prints it"},
		{Name: "npz", Ext: ".npz", Codec: "deflate", open: openNPZ, Doc: "one NumPy array per column, the board with shape [rows, n]"},
		{Name: "webdataset", Ext: ".tar", Stream: true, Index: true, open: openTar, Doc: "a tar with a .board.npy and a .json per row"},
		{Name: "records", Ext: ".records", Fields: true, open: openRecords, Doc: "rows of fixed size without a header; dtype.json describes them"},
		{Name: "bulletformat", Ext: ".bulletformat", Chess: true, Stream: true, open: openChess(chessdata.AppendBullet), Doc: "chess positions of 32 bytes, as the side to move sees them"},
		{Name: "binpack", Ext: ".binpack", Chess: true, Stream: true, open: openBinpack, Doc: "chess positions in binpack of Stockfish"},
		{Name: "plain", Ext: ".plain", Chess: true, Stream: true, open: openChess(chessdata.AppendPlain), Doc: "chess positions as text of Stockfish's tools"},
		{Name: "epd", Ext: ".epd", Chess: true, Stream: true, open: openChess(chessdata.AppendEPD), Doc: "chess positions as EPD, one line each"},
	}
}

// Names returns the names of the forms.
func Names() (names []string) {
	for _, f := range Forms() {
		names = append(names, f.Name)
	}
	return names
}

// Find returns the form with a name. Its error lists all names.
func Find(name string) (Form, error) {
	return find(name, func(f Form) bool { return f.Name == name })
}

// FindExt returns the form whose extension the name of a file has.
func FindExt(file string) (Form, error) {
	return find(file, func(f Form) bool { return strings.HasSuffix(file, f.Ext) })
}

func find(name string, is func(Form) bool) (Form, error) {
	forms := Forms()
	if i := slices.IndexFunc(forms, is); i >= 0 {
		return forms[i], nil
	}
	return Form{}, fmt.Errorf("unknown format %q: want one of %s", name, strings.Join(Names(), ", "))
}

func openRows(format string) func(io.Writer, *Spec) (Writer, error) {
	return func(w io.Writer, s *Spec) (Writer, error) {
		return colfile.NewRowWriter(w, colfile.RowFile{
			Format: format, BoardType: s.BoardType, Columns: s.columns, Metadata: s.metadata(), Compress: s.Compress,
		})
	}
}
