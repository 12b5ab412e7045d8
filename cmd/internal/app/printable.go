package app

import (
	"bytes"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// A plan, a file name or an error may contain untrusted text. Control characters in it could
// move the cursor, hide lines or send keys. What the programs print therefore has none but
// new lines and tabs.

// printable is a writer that escapes control characters, as JSON does.
type printable struct{ w io.Writer }

func (p printable) Write(data []byte) (int, error) {
	if !bytes.ContainsFunc(data, isControl) {
		return p.w.Write(data)
	}
	if _, err := p.w.Write(escapeControls(data)); err != nil {
		return 0, err
	}
	return len(data), nil
}

// Bytes returns the writer behind the one of a program, for data that is not text.
func Bytes(w io.Writer) io.Writer {
	if p, ok := w.(printable); ok {
		return p.w
	}
	return w
}

// isControl reports whether a terminal may act on a character. New lines and tabs are
// harmless.
func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

func escapeControls(data []byte) []byte {
	var b bytes.Buffer
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if isControl(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.Write(data[:n]) // invalid bytes stay as they are
		}
		data = data[n:]
	}
	return b.Bytes()
}
