// Package must ends or fails a test that calls a function with an unexpected error. So a test
// says what it does, and not after every call what it does not expect.
package must

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Do ends the test if err is not nil.
func Do(t testing.TB, err error) {
	if err != nil { // in front of Helper, which takes longer than what a benchmark may call
		t.Helper()
		t.Fatal(err)
	}
}

// Get returns a function that returns v. It ends the test if err is not nil. Write
// must.Get(os.ReadFile(name))(t).
func Get[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return v
	}
}

// Fail takes the results of a call, of which the last one is its error. It returns a function that
// fails the test, which goes on, unless the error contains a text and is want; nil is any error.
// Write must.Fail(os.Open(name))(t, fs.ErrNotExist, name).
func Fail(results ...any) func(t testing.TB, want error, text string) {
	err, _ := results[len(results)-1].(error)
	return func(t testing.TB, want error, text string) {
		t.Helper()
		if err == nil || want != nil && !errors.Is(err, want) || !strings.Contains(err.Error(), text) {
			t.Errorf("error %v, want %s", err, wanted(want, text))
		}
	}
}

// wanted describes the errors that Fail accepts.
func wanted(want error, text string) string {
	if want == nil {
		return fmt.Sprintf("one with %q", text)
	}
	return fmt.Sprintf("%q with %q", want, text)
}
