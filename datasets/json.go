package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"selfplay/datasets/internal/fault"
)

// hashJSON returns the SHA-256 of the canonical JSON of a value: no white space, fields
// in the order of the type.
func hashJSON(v any) string {
	sum := sha256.Sum256(encodeJSON(v))
	return hex.EncodeToString(sum[:])
}

// encodeJSON is json.Marshal without HTML escapes: a player may be named "a<b". The types
// of this package can always be encoded.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("datasets: encode %T: %v", v, err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// encodeIndented is encodeJSON for files that people read: indented, and with a last line end.
func encodeIndented(v any) []byte {
	compact := encodeJSON(v)
	return append(appendIndented(make([]byte, 0, 2*len(compact)), compact, ""), '\n')
}

// decodeJSON reads exactly one value. Unknown fields are ErrCorrupt.
func decodeJSON(data []byte, v any) error {
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

// errNotCanonical: a file has a valid value, but not the bytes that this package writes
// for it. One JSON value has many texts; only the written one is accepted.
var errNotCanonical = fault.Corrupt("not in canonical form")
