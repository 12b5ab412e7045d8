package encode

import (
	"bytes"
	"encoding/json"
	"io"
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
