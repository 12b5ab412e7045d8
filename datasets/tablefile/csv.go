package tablefile

import (
	"bytes"
	"io"

	"selfplay/encode"
)

// csvWriter writes the same bytes as encoding/csv: RFC 4180 with line feeds. It does not
// allocate a string for every value.
type csvWriter struct {
	w    io.Writer
	text []byte
}

func openCSV(w io.Writer, s *Spec) (Writer, error) {
	c := &csvWriter{w: w}
	for i, column := range s.columns {
		if i > 0 {
			c.text = append(c.text, ',')
		}
		c.text = appendField(c.text, []byte(column.Name))
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
			c.text = appendCSV(c.text, &t.Columns[col], t.Cell(col, row))
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
