package must

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

// recorder is a test that keeps what would fail it.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper()                         {}
func (r *recorder) Fatal(args ...any)               { r.said = fmt.Sprint(args...) }
func (r *recorder) Errorf(text string, args ...any) { r.said = fmt.Sprintf(text, args...) }

func TestUnexpectedErrorsFailATest(t *testing.T) {
	missing := fmt.Errorf("read a: %w", fs.ErrNotExist)
	for _, c := range []struct {
		name string
		call func(r *recorder)
		want string
	}{
		{"Do without an error", func(r *recorder) { Do(r, nil) }, ""},
		{"Do", func(r *recorder) { Do(r, missing) }, "read a: file does not exist"},
		{"Get without an error", func(r *recorder) { Get(1, nil)(r) }, ""},
		{"Get", func(r *recorder) { Get(1, missing)(r) }, "read a: file does not exist"},
		{"Fail with the error", func(r *recorder) { Fail(1, missing)(r, fs.ErrNotExist, "read a") }, ""},
		{"Fail with any error", func(r *recorder) { Fail(missing)(r, nil, "") }, ""},
		{"Fail without an error", func(r *recorder) { Fail(1, error(nil))(r, nil, "") }, `error <nil>, want one with ""`},
		{"Fail with another text", func(r *recorder) { Fail(missing)(r, nil, "read b") }, `error read a: file does not exist, want one with "read b"`},
		{"Fail with another error", func(r *recorder) { Fail(missing)(r, errors.ErrUnsupported, "") },
			`error read a: file does not exist, want "unsupported operation" with ""`},
	} {
		r := new(recorder)
		if c.call(r); r.said != c.want {
			t.Errorf("%s: %q, want %q", c.name, r.said, c.want)
		}
	}
}
