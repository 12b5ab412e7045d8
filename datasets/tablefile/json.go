package tablefile

import (
	"bytes"
	"io"

	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// jsonWriter writes one JSON object per row: the columns in order, then the members of the
// position if the layout defines them. It writes numbers itself, with the same bytes as
// encoding/json.
type jsonWriter struct {
	w           io.Writer
	shape       *rows.Shape
	board, side int
	text        []byte
}

// NewJSON returns a writer of rows with these columns. If s is nil, there are no members of
// the position.
func NewJSON(w io.Writer, columns []encode.Column, s *rows.Shape) Writer {
	return &jsonWriter{w: w, shape: s, board: encode.ColumnNamed(columns, encode.BoardColumn), side: encode.ColumnNamed(columns, encode.SideColumn)}
}

// openJSON writes the members of the position only with all columns.
func openJSON(w io.Writer, s *Spec) (Writer, error) {
	if s.Fields != nil {
		return NewJSON(w, s.columns, nil), nil
	}
	return NewJSON(w, s.columns, s.Shape), nil
}

// Write writes one line per row.
func (j *jsonWriter) Write(t *encode.Table) error {
	for row := range t.Rows {
		var err error
		if j.text, err = j.appendRow(j.text, t, row); err != nil {
			return err
		}
		if len(j.text) >= textChunk {
			if err := j.flush(); err != nil {
				return err
			}
		}
	}
	return j.flush()
}

func (j *jsonWriter) flush() error {
	_, err := j.w.Write(j.text)
	j.text = j.text[:0]
	return err
}

// Close does nothing: Write has written every row.
func (j *jsonWriter) Close() error { return nil }

func (j *jsonWriter) appendRow(dst []byte, t *encode.Table, row int) ([]byte, error) {
	dst = append(dst, '{')
	for col := range t.Columns {
		if col > 0 {
			dst = append(dst, ',')
		}
		dst = appendMember(dst, &t.Columns[col], t.Cell(col, row))
	}
	if j.shape != nil && j.shape.Layout.Members != nil && j.board >= 0 {
		side := engine.Side(t.Data[j.side][row])
		members := j.shape.Layout.Members(j.shape.Absolute(t.Cell(j.board, row), side), side)
		text, err := encode.Object(members).MarshalJSON()
		if err != nil {
			return dst, err
		}
		text = bytes.ReplaceAll(text, []byte("\n"), nil) // Object ends each value with one
		dst = append(append(dst, ','), text[1:len(text)-1]...)
	}
	return append(dst, '}', '\n'), nil
}

// appendMember appends the name and the value of a cell. Column names need no escapes. A hash is text:
// many readers of JSON round numbers of 64 bits.
func appendMember(dst []byte, c *encode.Column, v []byte) []byte {
	dst = append(dst, '"')
	dst = append(dst, c.Name...)
	dst = append(dst, '"', ':')
	switch {
	case c.Kind == encode.String:
		return appendText(dst, v)
	case c.Name == encode.HashColumn:
		return append(AppendValue(append(dst, '"'), c.Kind, v), '"')
	case c.Len == encode.Scalar:
		return AppendValue(dst, c.Kind, v)
	}
	dst = append(dst, '[')
	dst = AppendList(dst, c.Kind, v, ',')
	return append(dst, ']')
}

// appendText appends a JSON string.
func appendText(dst, text []byte) []byte {
	b := bytes.NewBuffer(dst)
	_ = encode.NewJSON(b).Encode(string(text)) // cannot fail for a string
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
