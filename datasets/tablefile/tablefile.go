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
// Sources: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html,
// https://github.com/webdataset/webdataset, https://arrow.apache.org/docs/format/Columnar.html
package tablefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
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

// Spec describes the content of a file.
type Spec struct {
	Source    *datasets.Dataset // the dataset of the rows
	Shape     *rows.Shape       // of Source; nil if this program does not know the game
	Columns   []encode.Column   // of the tables that are written, if they have more than Source
	Text      bool              // write the position as text instead of the board
	BoardType string            // for forms with Boards; "" means that of Source
	Compress  bool              // use the form's Codec
	Without   []string          // keys of Source's metadata that do not hold for the rows
	Fields    []string          // columns of the file in order; nil for all that the form can have
	Policy    int               // of a form with Fields: number of policy entries; 0 for none
	Filter    []string          // of the rows, if it is not that of Source; see plan.Plan
	Where     string            // conditions that chose the rows; see encode.Where
	More      []encode.KeyValue // additional metadata, such as how rows were drawn
	Rows      uint64            // number of rows; only npz needs it
	RowKeys   bool              // of a mix, in which several games have one number: webdataset names rows by their numbers
	First     uint64            // number of the first row, if RowKeys
	Temp      string            // folder for temporary files of npz

	rows    []encode.Column // of the rows, with the position instead of the board if that is asked for
	columns []encode.Column // of the file: rows, or some of them
}

// Check returns an error if the form cannot have such a file.
func (s *Spec) Check(f Form) error {
	switch {
	case s.BoardType != "" && !f.Boards:
		return fmt.Errorf("%s has no board types: only parquet, arrow and arrow-stream have", f.Name)
	case s.BoardType != "" && s.BoardType != plan.List && s.BoardType != plan.Packed:
		return fmt.Errorf("unknown board type %q: want list or packed", s.BoardType)
	case s.Compress && f.Codec == "":
		return fmt.Errorf("%s has no compression of its own", f.Name)
	case !f.Fields && s.Policy != 0:
		return fmt.Errorf("%s has whole policies: only records cuts them", f.Name)
	case f.Fields && (s.Text || s.Columns != nil):
		return fmt.Errorf("%s has numbers only, no texts", f.Name)
	case f.Chess && (s.Fields != nil || s.Columns != nil):
		return fmt.Errorf("%s has columns of its own, which cannot be chosen", f.Name)
	case f.Chess && s.Text:
		return fmt.Errorf("%s has a notation of its own: --boards does not apply", f.Name)
	case f.Chess:
		return checkChess(f.Name, s.Shape)
	case f.Fields:
		_, err := encode.NewStruct(s.Source.Description().Columns, s.Fields, s.Policy)
		return err
	case s.Text:
		if err := checkTexts(s.Shape); err != nil {
			return err
		}
	}
	return s.checkFields(f)
}

// checkFields returns an error if the form cannot have the chosen columns.
func (s *Spec) checkFields(f Form) error {
	if s.Fields == nil {
		return nil
	}
	if f.Index && !(slices.Contains(s.Fields, encode.GameColumn) && slices.Contains(s.Fields, encode.PlyColumn)) {
		return fmt.Errorf("%s names its files by game and ply: want both among the columns", f.Name)
	}
	return checkNames(s.rowColumns(), s.Fields)
}

// New returns a writer of one file. For errors see Check.
func (f *Form) New(w io.Writer, s Spec) (Writer, error) {
	if err := s.Check(*f); err != nil {
		return nil, err
	}
	s.complete(f)
	writer, err := f.open(w, &s)
	if err != nil || f.Fields {
		return writer, err
	}
	return s.wrap(writer), nil
}

// Wrap returns a writer of rows for the one that open makes, given the columns that it gets. Check
// must accept the spec for a form without Fields.
func (s Spec) Wrap(open func(columns []encode.Column) Writer) Writer {
	s.complete(&Form{})
	return s.wrap(open(s.columns))
}

func (s *Spec) wrap(w Writer) Writer {
	if s.Fields != nil {
		w = newChosen(w, s.rows, s.Fields)
	}
	if s.Text {
		w = newTexts(w, s.Shape, s.rows)
	}
	return w
}

// Metadata returns the meaning of the numbers, for forms that cannot store metadata.
func (f *Form) Metadata(s Spec) []encode.KeyValue {
	s.complete(f)
	if f.Fields {
		if rows, err := encode.NewStruct(s.columns, s.Fields, s.Policy); err == nil {
			s.columns = rows.Columns()
		}
	}
	return s.metadata()
}

// complete sets the fields that follow from the others.
func (s *Spec) complete(f *Form) {
	if s.BoardType == "" && f.Boards {
		s.BoardType = s.Source.Plan().BoardType
	}
	s.rows = s.rowColumns()
	s.columns = s.rows
	if s.Fields != nil && !f.Fields {
		s.columns = chooseColumns(s.rows, s.Fields)
	}
}

// rowColumns returns the columns of the rows.
func (s *Spec) rowColumns() []encode.Column {
	columns := s.Columns
	if columns == nil {
		columns = s.Source.Description().Columns
	}
	if s.Text {
		columns = textColumns(columns)
	}
	return columns
}

func (s *Spec) metadata() []encode.KeyValue {
	list := slices.DeleteFunc(s.Source.RowMetadata(s.columns, s.BoardType), func(kv encode.KeyValue) bool { return slices.Contains(s.Without, kv.Key) })
	if s.Filter != nil {
		list = slices.DeleteFunc(list, func(kv encode.KeyValue) bool { return kv.Key == filterKey })
	}
	if len(s.Filter) > 0 {
		list = append(list, encode.KeyValue{Key: filterKey, Value: string(bytes.TrimSpace(encodeObject(s.Filter)))})
	}
	if s.Where != "" {
		list = append(list, encode.KeyValue{Key: "selfplay.where", Value: s.Where})
	}
	return append(list, s.More...)
}

// filterKey is the metadata key of the filter.
const filterKey = "selfplay.filter"

// chosen writes some columns of rows, in another order.
type chosen struct {
	Writer
	columns []int // of the tables that are written
	table   *encode.Table
}

// Write writes the rows of t. It shares the columns of t.
func (c *chosen) Write(t *encode.Table) error {
	c.table.Rows = t.Rows
	for i, col := range c.columns {
		c.table.Data[i], c.table.Ends[i] = t.Data[col], t.Ends[col]
	}
	return c.Writer.Write(c.table)
}

// newChosen returns a writer of rows with these columns that writes those of names to w.
func newChosen(w Writer, columns []encode.Column, names []string) *chosen {
	c := &chosen{Writer: w, table: encode.NewTable(chooseColumns(columns, names))}
	for _, name := range names {
		c.columns = append(c.columns, encode.ColumnNamed(columns, name))
	}
	return c
}

// chooseColumns returns the columns with these names, which checkNames has accepted.
func chooseColumns(columns []encode.Column, names []string) (list []encode.Column) {
	for _, name := range names {
		list = append(list, columns[encode.ColumnNamed(columns, name)])
	}
	return list
}

// checkNames returns an error if names do not choose columns.
func checkNames(columns []encode.Column, names []string) error {
	known := plan.ColumnNames(columns)
	for i, name := range names {
		switch {
		case slices.Contains(names[:i], name):
			return fmt.Errorf("column %q is given twice", name)
		case slices.Contains(known, name):
			continue
		}
		return fmt.Errorf("unknown column %q: want some of %s", name, strings.Join(known, ", "))
	}
	return nil
}

// PositionColumn replaces the board column.
const PositionColumn = "position"

// texts writes rows with the position as text instead of the board. The text does not
// depend on the perspective of the rows.
type texts struct {
	Writer
	reader rows.TextReader
	board  int // column
	table  *encode.Table
}

// checkTexts returns an error if the boards of a shape have no text.
func checkTexts(s *rows.Shape) error {
	switch {
	case s == nil:
		return errors.New("positions as text need a game that this program knows in the same version")
	case !s.HasText():
		return fmt.Errorf("boards of layout %s cannot be written as text", s.Layout.Name)
	}
	return nil
}

// textColumns returns the columns with the position instead of the board.
func textColumns(columns []encode.Column) []encode.Column {
	columns = slices.Clone(columns)
	columns[encode.ColumnNamed(columns, encode.BoardColumn)] = encode.Column{
		Name: PositionColumn, Kind: encode.String, Len: encode.Var, Doc: "the position before the decision, as the game writes it",
	}
	return columns
}

// newTexts returns a writer of rows that writes to w, whose columns are textColumns.
func newTexts(w Writer, s *rows.Shape, columns []encode.Column) *texts {
	return &texts{
		Writer: w, reader: s.NewTextReader(columns, PositionColumn),
		board: encode.ColumnNamed(columns, PositionColumn), table: encode.NewTable(columns),
	}
}

// Write writes the rows of t. It shares all columns of t but the board.
func (x *texts) Write(t *encode.Table) error {
	x.table.Rows = t.Rows
	for col := range t.Columns {
		if col != x.board {
			x.table.Data[col], x.table.Ends[col] = t.Data[col], t.Ends[col]
		}
	}
	x.table.Data[x.board], x.table.Ends[x.board] = x.table.Data[x.board][:0], x.table.Ends[x.board][:0]
	for row := range t.Rows {
		text, err := x.reader.Text(t, row)
		if err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		x.table.Data[x.board] = append(x.table.Data[x.board], text...)
		x.table.End(x.board)
	}
	return x.Writer.Write(x.table)
}
