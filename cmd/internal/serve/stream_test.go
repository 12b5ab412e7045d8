package serve

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/datasets"
)

// rowsOf reads an Arrow stream and returns game and ply of its rows as numbers.
func rowsOf(t *testing.T, body []byte) (keys []uint64) {
	t.Helper()
	r, err := ipc.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	for r.Next() {
		games := r.Record().Column(r.Schema().FieldIndices("game")[0]).(*array.Uint64)
		plies := r.Record().Column(r.Schema().FieldIndices("ply")[0]).(*array.Uint16)
		for i := range games.Len() {
			keys = append(keys, games.Value(i)<<16|uint64(plies.Value(i)))
		}
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return keys
}

// keysOf returns game and ply of the rows of a split.
func keysOf(t *testing.T, root, split string) (keys []uint64) {
	t.Helper()
	ds, err := datasets.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	commits, err := ds.Commits()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commits {
		for table, err := range ds.Positions(c) {
			if err != nil {
				t.Fatal(err)
			}
			for row := range table.Rows {
				if c.Split == split {
					keys = append(keys, binary.LittleEndian.Uint64(table.Cell(0, row))<<16|uint64(binary.LittleEndian.Uint16(table.Cell(1, row))))
				}
			}
		}
	}
	return keys
}

func TestStreamsHaveTheRowsOfASplit(t *testing.T) {
	for _, format := range []string{datasets.Parquet, datasets.Arrow} {
		for _, board := range []string{datasets.List, datasets.Packed} {
			dir := t.TempDir()
			root := servetest.Make(t, dir, "demo", servetest.Dataset{Format: format, Board: board, Games: 14})
			s := newServer(t, dir, nil)
			for _, split := range []string{datasets.Train, datasets.Validation} {
				want := keysOf(t, root, split)
				w := ask(s, "GET", "/stream?dataset=demo&split="+split, nil)
				if w.Code != 200 || w.Header().Get("Content-Type") != "application/vnd.apache.arrow.stream" {
					t.Fatalf("%d %v", w.Code, w.Header())
				}
				if got := rowsOf(t, w.Body.Bytes()); len(want) == 0 || !slices.Equal(got, want) {
					t.Errorf("%s %s %s: %d rows, want %d", format, board, split, len(got), len(want))
				}
				var shares []uint64
				for rank := range 2 {
					w := ask(s, "GET", fmt.Sprintf("/stream?dataset=demo&split=%s&columns=game,ply&shuffle=100&seed=7&rank=%d&world=2", split, rank), nil)
					shares = append(shares, rowsOf(t, w.Body.Bytes())...)
				}
				if slices.Sort(shares); !slices.Equal(shares, want) {
					t.Errorf("%s %s %s: two readers have %d rows, want %d", format, board, split, len(shares), len(want))
				}
			}
		}
	}
}

func TestStreamsThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "demo", servetest.Dataset{})
	s := newServer(t, dir, nil)
	for query, c := range map[string]struct {
		status int
		want   string
	}{
		"":                                       {400, "parameter dataset is missing"},
		"dataset=other":                          {404, "no dataset"},
		"dataset=demo&split=test":                {400, "want train or validation"},
		"dataset=demo&columns=elo":               {400, "no column"},
		"dataset=demo&columns=":                  {200, ""},
		"dataset=demo&columns=,":                 {400, "no column"},
		"dataset=demo&rank=1":                    {400, "rank 1 of 1"},
		"dataset=demo&world=0":                   {400, "want a whole number from 1"},
		"dataset=demo&shuffle=-1":                {400, "want a whole number from 0"},
		"dataset=demo&shuffle=9999999":           {400, "a window of"},
		"dataset=demo&seed=18446744073709551616": {400, "want a whole number from 0 to 18446744073709551615"},
		"dataset=demo&follow=yes":                {400, "want 0 or 1"},
		"dataset=demo&fellow=1":                  {400, "unknown parameter"},
	} {
		if w := ask(s, "GET", "/stream?"+query, nil); w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %.200s, want %d %s", query, w.Code, w.Body, c.status, c.want)
		}
	}
}

// TestDamageBreaksAStreamOff: the client gets an error, and no end of the stream.
func TestDamageBreaksAStreamOff(t *testing.T) {
	dir := t.TempDir()
	root := servetest.Make(t, dir, "demo", servetest.Dataset{})
	path := filepath.Join(root, "positions", "train-00002.parquet")
	data, _ := os.ReadFile(path)
	data[len(data)/2] ^= 1
	os.WriteFile(path, data, 0o644)
	url, _ := start(t, newServer(t, dir, nil))
	r, err := http.Get(url + "stream?dataset=demo")
	if err != nil {
		return // before any row
	}
	defer r.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(r.Body); err == nil {
		t.Errorf("%d bytes and no error", b.Len())
	}
}
