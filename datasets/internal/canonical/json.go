package canonical

import (
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
