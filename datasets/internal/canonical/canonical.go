// Package canonical writes and reads the JSON of a dataset. One value has many texts in JSON; a dataset
// has only the one of this package, so that equal datasets have equal bytes and hashes: fields in the
// order of their type, no HTML escapes, and either no white space or two spaces a level.
package canonical

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"selfplay/datasets/internal/fault"
)

// Hash returns the SHA-256 of the canonical JSON of a value: no white space, fields
// in the order of the type.
func Hash(v any) string {
	sum := sha256.Sum256(Marshal(v))
	return hex.EncodeToString(sum[:])
}

// Marshal is json.Marshal without HTML escapes: a player may be named "a<b". The types
// of this package can always be encoded.
func Marshal(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("datasets: encode %T: %v", v, err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// MarshalIndented is Marshal for files that people read: indented, and with a last line end.
func MarshalIndented(v any) []byte {
	compact := Marshal(v)
	return append(AppendIndented(make([]byte, 0, 2*len(compact)), compact, ""), '\n')
}

// Unmarshal reads exactly one value. Unknown fields are ErrCorrupt.
func Unmarshal(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return fault.Corrupt("%v", err)
	}
	if dec.More() {
		return fault.Corrupt("text after the value")
	}
	return nil
}

// ErrForm means that a file has a valid value, but not the bytes that this package writes
// for it. One JSON value has many texts; only the written one is accepted.
var ErrForm = fault.Corrupt("not in canonical form")

// Manifests and commit records are indented JSON, and every reader writes them again to compare.
// The indentation of encoding/json checks the text a second time and takes most of that.

// AppendIndented appends compact JSON to b as encoding/json indents it, by two spaces a level.
// Each line but the first begins with prefix. The JSON must be valid: it is what encoding/json
// wrote.
func AppendIndented(b, compact []byte, prefix string) []byte {
	depth := 0
	for i := 0; i < len(compact); i++ {
		switch c := compact[i]; c {
		case '"':
			end := stringEnd(compact, i)
			b = append(b, compact[i:end]...)
			i = end - 1
		case '{', '[':
			b = append(b, c)
			if compact[i+1] == c+2 { // '}' or ']'
				i++
				b = append(b, c+2)
				continue
			}
			depth++
			b = appendLine(b, prefix, depth)
		case '}', ']':
			depth--
			b = append(appendLine(b, prefix, depth), c)
		case ',':
			b = appendLine(append(b, c), prefix, depth)
		case ':':
			b = append(b, ": "...)
		default:
			b = append(b, c)
		}
	}
	return b
}

// appendLine begins a line.
func appendLine(b []byte, prefix string, depth int) []byte {
	b = append(append(b, '\n'), prefix...)
	for range depth {
		b = append(b, "  "...)
	}
	return b
}

// stringEnd returns the index after the string that begins at start.
func stringEnd(compact []byte, start int) int {
	for i := start + 1; ; i++ {
		switch compact[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// IsPlain reports whether JSON writes a text as it is.
func IsPlain[S []byte | string](text S) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// AppendString appends a string in JSON.
func AppendString(b []byte, text string) []byte {
	if !IsPlain(text) {
		return append(b, Marshal(text)...)
	}
	return append(append(append(b, '"'), text...), '"')
}

// WriteElement writes an element of a list that is a member of the outermost object.
func WriteElement(w *bufio.Writer, v any) {
	const indent = "    "
	_, _ = w.WriteString("\n" + indent)
	compact := Marshal(v)
	_, _ = w.Write(AppendIndented(make([]byte, 0, 2*len(compact)), compact, indent))
}
