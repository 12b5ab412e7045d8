package program

import (
	"encoding/json"
	"io"
)

// JSON returns an encoder that writes one line a value, texts as they are: a
// move may have a < in it.
func JSON(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}
