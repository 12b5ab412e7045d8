package cotulenh_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The conformance data; testdata/README.md tells what each field means.
type (
	state struct {
		Position string
		Peer     string
		Steps    []string
		Check    bool
		Result   string
		Reason   string
		After    map[string]string
	}
	perftCount struct {
		Position string
		Nodes    []uint64
	}
	game struct {
		Start  string
		Steps  []string
		Turns  int
		Final  string
		Result string
		Reason string
		Policy string
	}
	notation struct {
		Text      string
		OK        bool
		Canonical string
		Kind      string
		Category  string
	}
)

func states(t testing.TB) []state       { return readLines[state](t, "states.jsonl.gz") }
func games(t testing.TB) []game         { return readLines[game](t, "games.jsonl.gz") }
func notations(t testing.TB) []notation { return readLines[notation](t, "notation.jsonl") }
func perftCounts(t testing.TB) []perftCount {
	t.Helper()
	var counts []perftCount
	if err := json.NewDecoder(open(t, "perft.json")).Decode(&counts); err != nil {
		t.Fatal(err)
	}
	return counts
}

// readLines reads a file of one JSON object a line.
func readLines[T any](t testing.TB, name string) []T {
	t.Helper()
	var list []T
	d := json.NewDecoder(open(t, name))
	for {
		var line T
		if err := d.Decode(&line); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatalf("%s, line %d: %v", name, len(list)+1, err)
		}
		list = append(list, line)
	}
}

// open opens a file of testdata, unpacked.
func open(t testing.TB, name string) io.Reader {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if !strings.HasSuffix(name, ".gz") {
		return bufio.NewReader(f)
	}
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// misses collects what differs and reports the first few of it with the count.
type misses struct {
	t     *testing.T
	count int
}

func (m *misses) addf(format string, args ...any) {
	m.t.Helper()
	if m.count++; m.count <= 5 {
		m.t.Errorf(format, args...)
	}
}

// report ends the collection.
func (m *misses) report(of int) {
	m.t.Helper()
	if m.count > 0 {
		m.t.Errorf("%d differences in %d entries", m.count, of)
	}
}
