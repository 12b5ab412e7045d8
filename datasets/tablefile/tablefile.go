// Package tablefile writes rows of a dataset into single files, in the forms that
// other tools read. All forms hold the same columns, row after row in the order in
// which they come:
//
//	parquet, arrow  as in a dataset, metadata included
//	arrow-stream    Arrow record batches, to be read while they are written
//	csv             one line a row; arrays and lists are numbers with blanks between
//	jsonl           one JSON object a row
//	npz             NumPy arrays, one a column; a list column is its values and offsets
//	webdataset      a tar with two small files a row, board and all the rest
//
// Text says the position of a row as a text in place of the board array, in any form.
// The bytes of a file are a function of the rows and the Spec: no clock, and nothing of
// how the rows were cut into tables.
//
//	tablefile.go   the forms and what a file is to hold
//	texts.go       boards as texts
//	decimal.go     numbers as csv and jsonl write them
//	csv.go json.go one form each
//	npy.go npz.go  NumPy's array, and many of them in a zip
//	webdataset.go  rows in a tar, and the index of such files
//
// Sources: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html,
// https://github.com/webdataset/webdataset, https://arrow.apache.org/docs/format/Columnar.html
package tablefile

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/rows"
	"selfplay/encode"
)

// Writer writes one file. It is used by one goroutine.
type Writer interface {
	// Write appends the rows of t, which is the caller's again when it returns.
	Write(t *encode.Table) error
	// Close writes what is left. It does not close the file. A writer that is not
	// closed leaves its temporary files, if it has any, in Spec.Temp.
	Close() error
}

// Form is one way to write rows.
type Form struct {
	Name   string
	Ext    string // of files, with its dot; no two forms have the same
	Doc    string // one line
	Stream bool   // can go through a pipe
	Boards bool   // board types differ
	Index  bool   // many files of it are read through a WIDS index
	Codec  string // that it may be compressed with, by itself; empty: there is none
	open   func(w io.Writer, s *Spec) (Writer, error)
}

// Forms returns all forms. The next one is added here and nowhere else.
func Forms() []Form {
	return []Form{
		{Name: datasets.Parquet, Ext: ".parquet", Boards: true, open: openRows(datasets.Parquet), Doc: "as in a dataset"},
		{Name: datasets.Arrow, Ext: ".arrow", Boards: true, open: openRows(datasets.Arrow), Doc: "as in a dataset"},
		{Name: colfile.ArrowStream, Ext: ".arrows", Boards: true, Stream: true, Codec: "zstd", open: openRows(colfile.ArrowStream), Doc: "Arrow IPC stream"},
		{Name: "csv", Ext: ".csv", Stream: true, open: openCSV, Doc: "a line a row, the board as numbers with blanks between"},
		{Name: "jsonl", Ext: ".jsonl", Stream: true, open: openJSON, Doc: "an object a row, as of head --json"},
		{Name: "npz", Ext: ".npz", Codec: "deflate", open: openNPZ, Doc: "NumPy arrays, the board of shape [rows, n]"},
		{Name: "webdataset", Ext: ".tar", Stream: true, Index: true, open: openTar, Doc: "a .board.npy and a .json a row"},
	}
}

// Names returns the names of the forms.
func Names() (names []string) {
	for _, f := range Forms() {
		names = append(names, f.Name)
	}
	return names
}

// Find returns the form of a name.
func Find(name string) (Form, error) {
	return find(name, func(f Form) bool { return f.Name == name })
}

// FindExt returns the form of files that are called so.
func FindExt(file string) (Form, error) {
	return find(file, func(f Form) bool { return strings.HasSuffix(file, f.Ext) })
}

func find(what string, is func(Form) bool) (Form, error) {
	forms := Forms()
	if i := slices.IndexFunc(forms, is); i >= 0 {
		return forms[i], nil
	}
	return Form{}, fmt.Errorf("unknown format %q: want one of %s", what, strings.Join(Names(), ", "))
}

// Spec is what a file is to hold.
type Spec struct {
	Source    *datasets.Dataset // that the rows are of
	Shape     *rows.Shape       // of its rows; nil if this program does not know the game
	Text      bool              // the text of the position in place of the board
	BoardType string            // of forms with Boards; as in Source unless told
	Compress  bool              // with the form's Codec
	More      []encode.KeyValue // metadata: what was done to the rows
	Rows      uint64            // how many will come; npz has to know
	Temp      string            // folder for files that npz has while it writes

	columns []encode.Column // as they are written
}

// Check reports why there can be no such file.
func (s *Spec) Check(f Form) error {
	switch {
	case s.BoardType != "" && !f.Boards:
		return fmt.Errorf("board types are of parquet, arrow and arrow-stream, not of %s", f.Name)
	case s.BoardType != "" && s.BoardType != datasets.List && s.BoardType != datasets.Packed:
		return fmt.Errorf("unknown board type %q: want list or packed", s.BoardType)
	case s.Compress && f.Codec == "":
		return fmt.Errorf("there is no compressed %s", f.Name)
	case s.Text:
		return checkTexts(s.Shape)
	}
	return nil
}

// New returns a writer of one file.
func (f *Form) New(w io.Writer, s Spec) (Writer, error) {
	if err := s.Check(*f); err != nil {
		return nil, err
	}
	s.complete(f)
	writer, err := f.open(w, &s)
	if err != nil || !s.Text {
		return writer, err
	}
	return newTexts(writer, s.Shape, s.columns), nil
}

// Metadata returns what the numbers of a file mean, for forms that have no place for it.
func (f *Form) Metadata(s Spec) []encode.KeyValue {
	s.complete(f)
	return s.metadata()
}

// complete sets what follows from the rest.
func (s *Spec) complete(f *Form) {
	if s.BoardType == "" && f.Boards {
		s.BoardType = s.Source.Plan().BoardType
	}
	s.columns = s.Source.Description().Columns
	if s.Text {
		s.columns = textColumns(s.columns)
	}
}

func (s *Spec) metadata() []encode.KeyValue {
	return append(s.Source.RowMetadata(s.columns, s.BoardType), s.More...)
}

func openRows(format string) func(io.Writer, *Spec) (Writer, error) {
	return func(w io.Writer, s *Spec) (Writer, error) {
		return colfile.NewRowWriter(w, colfile.RowFile{
			Format: format, BoardType: s.BoardType, Columns: s.columns, Metadata: s.metadata(), Compress: s.Compress,
		})
	}
}
