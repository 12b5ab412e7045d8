package tablefile

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strconv"

	"selfplay/datasets/gamerow"
	"selfplay/encode"
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
