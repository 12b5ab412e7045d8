package enginetest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
)

// ReadJSON reads a file of one JSON value, unpacked if its name ends in .gz.
func ReadJSON(t testing.TB, path string, v any) {
	t.Helper()
	if err := json.NewDecoder(open(t, path)).Decode(v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// ReadLines reads a file of one JSON value a line, unpacked if its name ends in
// .gz.
func ReadLines[T any](t testing.TB, path string) []T {
	t.Helper()
	var list []T
	d := json.NewDecoder(open(t, path))
	for {
		var line T
		if err := d.Decode(&line); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatalf("%s, line %d: %v", path, len(list)+1, err)
		}
		list = append(list, line)
	}
}

func open(t testing.TB, path string) io.Reader {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if !strings.HasSuffix(path, ".gz") {
		return bufio.NewReader(f)
	}
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// Misses collects what differs in a comparison of many entries and reports the
// first few with the count.
type Misses struct {
	T     testing.TB
	count int
}

// Addf adds a difference.
func (m *Misses) Addf(format string, args ...any) {
	m.T.Helper()
	if m.count++; m.count <= 5 {
		m.T.Errorf(format, args...)
	}
}

// Report ends the comparison of so many entries.
func (m *Misses) Report(of int) {
	m.T.Helper()
	if m.count > 0 {
		m.T.Errorf("%d differences in %d entries", m.count, of)
	}
}

// AtLeast guards against data that got lost: a test of nothing passes.
func AtLeast(t testing.TB, got, want int) {
	t.Helper()
	if got < want {
		t.Fatalf("%d entries in the data, want %d", got, want)
	}
}
