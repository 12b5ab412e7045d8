package tablefile

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strconv"

	"selfplay/datasets/gamerow"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// csvWriter writes the same bytes as encoding/csv: RFC 4180 with line feeds. It does not
// allocate a string for every value.
type csvWriter struct {
	w       io.Writer
	text    []byte
	foreign []bool // columns that hold text of imported files
}

func openCSV(w io.Writer, s *Spec) (Writer, error) {
	c := &csvWriter{w: w}
	for i, column := range s.columns {
		if i > 0 {
			c.text = append(c.text, ',')
		}
		c.text = appendField(c.text, []byte(column.Name))
		c.foreign = append(c.foreign, isForeign(column.Name))
	}
	c.text = append(c.text, '\n')
	return c, c.flush()
}

func (c *csvWriter) flush() error {
	_, err := c.w.Write(c.text)
	c.text = c.text[:0]
	return err
}

// textChunk is the number of bytes after which text is written.
const textChunk = 64 << 10

// Write writes one line per row.
func (c *csvWriter) Write(t *encode.Table) error {
	for row := range t.Rows {
		for col := range t.Columns {
			if col > 0 {
				c.text = append(c.text, ',')
			}
			cell := t.Cell(col, row)
			if c.foreign[col] && isFormula(cell) {
				cell = append([]byte{'\''}, cell...)
			}
			c.text = appendCSV(c.text, &t.Columns[col], cell)
		}
		c.text = append(c.text, '\n')
		if len(c.text) >= textChunk {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
	return c.flush()
}

// Close does nothing: Write has written every row.
func (c *csvWriter) Close() error { return nil }

// isForeign reports whether a column holds text of imported files: names of players and tags.
func isForeign(name string) bool {
	return name == "player_first" || name == "player_second" ||
		slices.ContainsFunc(gamerow.TagColumns(), func(c encode.Column) bool { return c.Name == name && c.Kind == encode.String })
}

// isFormula reports whether a spreadsheet would compute a text. It shows one that begins with ' as it is.
func isFormula(text []byte) bool {
	return len(text) > 0 && (bytes.IndexByte([]byte("=+-@"), text[0]) >= 0 || text[0] < ' ' || text[0] == 0x7f)
}

func appendCSV(dst []byte, c *encode.Column, v []byte) []byte {
	switch {
	case c.Kind == encode.String:
		return appendField(dst, v)
	case c.Len == encode.Scalar:
		return AppendValue(dst, c.Kind, v)
	}
	return AppendList(dst, c.Kind, v, ' ')
}

// appendField appends a string, with quotes if it needs them.
func appendField(dst, text []byte) []byte {
	if !bytes.ContainsAny(text, ",\"\r\n") && !bytes.HasPrefix(text, []byte(" ")) {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	dst = append(dst, bytes.ReplaceAll(text, []byte(`"`), []byte(`""`))...)
	return append(dst, '"')
}

// AppendValue appends the first value of v in decimal; a bool as true or false.
func AppendValue(dst []byte, k encode.Kind, v []byte) []byte {
	switch k {
	case encode.Bool:
		return strconv.AppendBool(dst, v[0] != 0)
	case encode.Uint8:
		return strconv.AppendUint(dst, uint64(v[0]), 10)
	case encode.Int8:
		return strconv.AppendInt(dst, int64(int8(v[0])), 10)
	case encode.Uint16:
		return strconv.AppendUint(dst, uint64(binary.LittleEndian.Uint16(v)), 10)
	case encode.Int16:
		return strconv.AppendInt(dst, int64(int16(binary.LittleEndian.Uint16(v))), 10)
	case encode.Uint32:
		return strconv.AppendUint(dst, uint64(binary.LittleEndian.Uint32(v)), 10)
	default:
		return strconv.AppendUint(dst, binary.LittleEndian.Uint64(v), 10)
	}
}

// AppendList appends all values of v in decimal, separated by separator. Boards have kind
// Uint8 or Uint16 and consist mostly of single digits, which have a fast path.
func AppendList(dst []byte, k encode.Kind, v []byte, separator byte) []byte {
	start := len(dst)
	switch k {
	case encode.Uint8:
		for _, n := range v {
			dst = append(appendSmall(dst, uint16(n)), separator)
		}
	case encode.Uint16:
		for ; len(v) >= 2; v = v[2:] {
			dst = append(appendSmall(dst, uint16(v[0])|uint16(v[1])<<8), separator)
		}
	default:
		for size := k.Size(); len(v) >= size; v = v[size:] {
			dst = append(AppendValue(dst, k, v), separator)
		}
	}
	if len(dst) > start {
		dst = dst[:len(dst)-1]
	}
	return dst
}

func appendSmall(dst []byte, n uint16) []byte {
	if n < 10 {
		return append(dst, '0'+byte(n))
	}
	return strconv.AppendUint(dst, uint64(n), 10)
}

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
		j.text, err = j.appendRow(j.text, t, row)
		if err != nil {
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
