package encode

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
)

// digits is the number of significant digits of RoundedJSON. Processors with and without
// fused multiply-add compute the same statistic with other last digits.
const digits = 12

// RoundedJSON writes one line of JSON per value, as NewJSON does, and rounds the floats in it
// to 12 significant digits. Use it for computed statistics, so that all processors print the
// same text. Integers stay as they are.
type RoundedJSON struct{ w io.Writer }

// NewRoundedJSON returns an encoder that writes to w.
func NewRoundedJSON(w io.Writer) *RoundedJSON { return &RoundedJSON{w} }

// Encode writes v as one line.
func (e *RoundedJSON) Encode(v any) error {
	var b bytes.Buffer
	if err := NewJSON(&b).Encode(v); err != nil {
		return err
	}
	_, err := e.w.Write(roundNumbers(b.Bytes()))
	return err
}

// roundNumbers rounds the numbers of a JSON text that have a fraction or an exponent.
func roundNumbers(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		n := tokenLen(text)
		token := text[:n]
		if isFloat(token) {
			out = appendRounded(out, token)
		} else {
			out = append(out, token...)
		}
		text = text[n:]
	}
	return out
}

// tokenLen returns the length of the string, the number or the other byte that text begins with.
func tokenLen(text []byte) int {
	if text[0] == '"' {
		return stringLen(text)
	}
	n := 0
	for n < len(text) && bytes.IndexByte([]byte("+-.0123456789eE"), text[n]) >= 0 {
		n++
	}
	return max(n, 1)
}

// stringLen returns the length of the string that text begins with, quotes included.
func stringLen(text []byte) int {
	for n := 1; n < len(text); n++ {
		switch text[n] {
		case '\\':
			n++
		case '"':
			return n + 1
		}
	}
	return len(text)
}

// isFloat reports whether a token is a number with a fraction or an exponent. A lone e belongs
// to true or false.
func isFloat(token []byte) bool {
	return token[0] != '"' && len(token) > 1 && bytes.ContainsAny(token, ".eE")
}

// appendRounded appends the number in the form of encoding/json.
func appendRounded(dst, number []byte) []byte {
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil {
		return append(dst, number...)
	}
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', digits, 64), 64)
	text, _ := json.Marshal(f) // cannot fail: f is finite
	return append(dst, text...)
}
