package tablefile

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/encode"
)

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
