package encode

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strconv"
)

// NewJSON returns an encoder that writes one line per value and does not escape HTML
// characters: moves may contain a <.
func NewJSON(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// Object is a JSON object that keeps the order of its members.
type Object []Member

// Add appends a member.
func (o *Object) Add(name string, value any) {
	*o = append(*o, Member{Name: name, Value: value})
}

// MarshalJSON writes the members in order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	part := NewJSON(&b)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := part.Encode(m.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := part.Encode(m.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil // json compacts this, which removes the newlines of Encode
}

// RoundedJSON writes one line of JSON per value, as NewJSON does, and rounds the floats in it
// to Digits significant digits. Use it for computed statistics, so that all processors print the
// same text: those with and without fused multiply-add compute other last digits. Integers stay as they are.
type RoundedJSON struct {
	w      io.Writer
	Digits int
}

// NewRoundedJSON returns an encoder that writes to w, with 12 digits.
func NewRoundedJSON(w io.Writer) *RoundedJSON { return &RoundedJSON{w, 12} }

// Encode writes v as one line.
func (e *RoundedJSON) Encode(v any) error {
	var b bytes.Buffer
	if err := NewJSON(&b).Encode(v); err != nil {
		return err
	}
	_, err := e.w.Write(tokens.ReplaceAllFunc(b.Bytes(), e.rounded))
	return err
}

// tokens matches the strings and the numbers of a JSON text.
var tokens = regexp.MustCompile(`"(\\.|[^"\\])*"|-?[0-9][-+.0-9eE]*`)

// rounded rounds a number that has a fraction or an exponent, in the form of encoding/json. Other
// tokens stay.
func (e *RoundedJSON) rounded(token []byte) []byte {
	if token[0] == '"' || !bytes.ContainsAny(token, ".eE") {
		return token
	}
	f, err := strconv.ParseFloat(string(token), 64)
	if err != nil {
		return token
	}
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', e.Digits, 64), 64)
	text, _ := json.Marshal(f) // cannot fail: f is finite
	return text
}
