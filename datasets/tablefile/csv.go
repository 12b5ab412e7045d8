package tablefile

import (
	"bytes"
	"io"

	"selfplay/encode"
)

// csvWriter writes RFC 4180 with line feeds, as package csv does; that one wants every
// value as a string of its own. Numbers never need quotes.
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

// textChunk is how many bytes of text are written at once.
const textChunk = 64 << 10

// Write appends a line a row.
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

// Close has nothing left to write.
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

// appendField appends a text, in quotes where it needs them.
func appendField(dst, text []byte) []byte {
	if !bytes.ContainsAny(text, ",\"\r\n") && !bytes.HasPrefix(text, []byte(" ")) {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	dst = append(dst, bytes.ReplaceAll(text, []byte(`"`), []byte(`""`))...)
	return append(dst, '"')
}
