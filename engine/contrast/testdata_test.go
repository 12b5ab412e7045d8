package contrast_test

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
	board struct {
		A   []int
		STM int
	}
	state struct {
		board
		Terminal bool
		Winner   int
		Reason   string
		N        int
		NBase    int `json:"n_base"`
		NBefore  int `json:"n_before"`
		Moves    []string
	}
	perftCount struct {
		board
		After  []uint64
		Before []uint64
	}
	game struct {
		ID     int
		Policy string
		Result string
		Winner int
		Reason string
		Plies  int
		Final  []int
		STM    int
		Moves  []string
	}
)

func states(t testing.TB) []state       { return readLines[state](t, "states.jsonl.gz") }
func statesBefore(t testing.TB) []state { return readLines[state](t, "states_before.jsonl.gz") }
func games(t testing.TB) []game         { return readLines[game](t, "games.jsonl.gz") }

// perftCounts returns the counts from the start and those from other positions.
func perftCounts(t testing.TB) (start perftCount, positions []perftCount) {
	t.Helper()
	var data struct {
		Start     perftCount
		Positions []perftCount
	}
	if err := json.NewDecoder(open(t, "perft.json")).Decode(&data); err != nil {
		t.Fatal(err)
	}
	return data.Start, data.Positions
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

func atLeast(t *testing.T, got, want int) {
	t.Helper()
	if got < want {
		t.Errorf("only %d entries, want at least %d", got, want)
	}
}
