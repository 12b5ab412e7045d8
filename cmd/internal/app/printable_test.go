package app

import (
	"bytes"
	"testing"
)

func TestControlCharactersAreNotPrinted(t *testing.T) {
	for text, want := range map[string]string{
		"game\tchess\n♔ é": "game\tchess\n♔ é",
		"\x1b[2Jgone":      `\u001b[2Jgone`,
		"a\rb\x07\x7f":     `a\u000db\u0007\u007f`,
		"\u009b31m":        `\u009b31m`,
		"\xff\xfe":         "\xff\xfe",
	} {
		var out bytes.Buffer
		if n, err := (printable{&out}).Write([]byte(text)); n != len(text) || err != nil || out.String() != want {
			t.Errorf("%q: %q, %d, %v", text, out.String(), n, err)
		}
	}
	var out bytes.Buffer
	if Bytes(printable{&out}) != &out || Bytes(&out) != &out {
		t.Error("Bytes returns another writer")
	}
}

// TestErrorsAreOneSafeLine: an error may hold text of a plan.
func TestErrorsAreOneSafeLine(t *testing.T) {
	for text, want := range map[string]string{"a\nb\r\n\nc": "a b c", "a\n\x1b[2Jb\tc": `a \u001b[2Jb` + "\tc"} {
		if got := oneLine(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
