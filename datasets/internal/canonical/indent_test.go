package canonical

import (
	"bytes"
	"encoding/json"
	"testing"

	"selfplay/internal/must"
)

// FuzzIndent compares with the indentation of encoding/json.
func FuzzIndent(f *testing.F) {
	for _, text := range []string{
		`null`, `-1.5e3`, `""`, `"a\"b\\"`, `"{[,:]}"`, `{}`, `[]`, `[[],{}]`, `{"a":[],"b":{},"c":[1,"x",{"d":null}]}`, `{"\\":"\\\""}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var compact, want bytes.Buffer
		if json.Compact(&compact, text) != nil {
			return
		}
		for _, prefix := range []string{"", "    "} {
			want.Reset()
			must.Do(t, json.Indent(&want, compact.Bytes(), prefix, "  "))
			if got := AppendIndented(nil, compact.Bytes(), prefix); !bytes.Equal(got, want.Bytes()) {
				t.Errorf("%s is\n%s\nwant\n%s", compact.Bytes(), got, want.Bytes())
			}
		}
	})
}
