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

// ReadJSON decodes a file of one JSON value into v. It decompresses files named .gz.
func ReadJSON(t testing.TB, path string, v any) {
	t.Helper()
	if err := json.NewDecoder(open(t, path)).Decode(v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// ReadLines decodes a file of JSON values, one per line. It decompresses files named
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

// Differences counts the differences that a comparison of many entries finds. It reports
// the first five and the total. T must be set.
type Differences struct {
	T     testing.TB
	count int
}

// Addf adds a difference.
func (d *Differences) Addf(format string, args ...any) {
	d.T.Helper()
	if d.count++; d.count <= 5 {
		d.T.Errorf(format, args...)
	}
}

// Report ends the comparison; of is the number of entries compared.
func (d *Differences) Report(of int) {
	d.T.Helper()
	if d.count > 0 {
		d.T.Errorf("%d differences in %d entries", d.count, of)
	}
}

// AtLeast fails the test if it covered too few entries, so that lost test data is
// noticed.
func AtLeast(t testing.TB, got, want int) {
	t.Helper()
	if got < want {
		t.Fatalf("%d entries, want at least %d", got, want)
	}
}
