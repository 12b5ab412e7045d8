package encode

import (
	"bytes"
	"encoding/json"
	"io"
)

// NewJSON returns an encoder that writes one line a value, texts as they are: a
// move may have a < in it.
func NewJSON(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// Object is a JSON object whose members keep their order.
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
	return b.Bytes(), nil // Encode's line ends go when the whole is written
}
