package serve

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/servetest"
	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
)

// rowsOf reads an Arrow stream and returns game and ply of its rows as numbers.
func rowsOf(t *testing.T, body []byte) (keys []uint64) {
	t.Helper()
	r := must.Get(ipc.NewReader(bytes.NewReader(body)))(t)
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
	ds := must.Get(datasets.Open(root))(t)
	for _, p := range must.Get(ds.Parts())(t) {
		for table, err := range ds.Positions(p) {
			must.Do(t, err)
			for row := range table.Rows {
				if p.Split == split {
					keys = append(keys, binary.LittleEndian.Uint64(table.Cell(0, row))<<16|uint64(binary.LittleEndian.Uint16(table.Cell(1, row))))
				}
			}
		}
	}
	return keys
}

func TestStreamsHaveTheRowsOfASplit(t *testing.T) {
	for _, format := range []string{plan.Parquet, plan.Arrow} {
		for _, board := range []string{plan.List, plan.Packed} {
			dir := t.TempDir()
			root := servetest.Make(t, dir, "demo", servetest.Dataset{Format: format, Board: board, Games: 14})
			s := newServer(t, dir, nil)
			for _, split := range []string{plan.Train, plan.Validation} {
				want := keysOf(t, root, split)
				w := request(s, "GET", "/stream?dataset=demo&split="+split, nil)
				if w.Code != 200 || w.Header().Get("Content-Type") != "application/vnd.apache.arrow.stream" {
					t.Fatalf("%d %v", w.Code, w.Header())
				}
				if got := rowsOf(t, w.Body.Bytes()); len(want) == 0 || !slices.Equal(got, want) {
					t.Errorf("%s %s %s: %d rows, want %d", format, board, split, len(got), len(want))
				}
				var shares []uint64
				for rank := range 2 {
					w := request(s, "GET", fmt.Sprintf("/stream?dataset=demo&split=%s&columns=game,ply&shuffle=100&seed=7&rank=%d&world=2", split, rank), nil)
					shares = append(shares, rowsOf(t, w.Body.Bytes())...)
				}
				if slices.Sort(shares); !slices.Equal(shares, want) {
					t.Errorf("%s %s %s: two readers have %d rows, want %d", format, board, split, len(shares), len(want))
				}
			}
		}
	}
}

// TestDamageBreaksAStreamOff: the client gets an error, and no end of the stream.
func TestDamageBreaksAStreamOff(t *testing.T) {
	dir := t.TempDir()
	large := servetest.Make(t, dir, "large", servetest.Dataset{Games: 1200, Shard: 400})
	small := servetest.Make(t, dir, "small", servetest.Dataset{})
	for _, root := range []string{large, small} {
		path := filepath.Join(root, "positions", "train-00002.parquet")
		data, _ := os.ReadFile(path)
		data[len(data)/2] ^= 1
		os.WriteFile(path, data, 0o644)
	}
	url, _ := start(t, newServer(t, dir, nil))
	for name, sent := range map[string]bool{"large": true, "small": false} {
		r := must.Get(http.Get(url + "stream?dataset=" + name))(t)
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		switch {
		case sent && (r.StatusCode != 200 || err == nil):
			t.Errorf("%s: %d, %d bytes and no error", name, r.StatusCode, len(body))
		case !sent && (r.StatusCode != 500 || !bytes.Contains(body, []byte("damaged"))):
			t.Errorf("%s: %d, %s", name, r.StatusCode, body)
		}
	}
}

// TestStreamsFollowARun: two readers that begin with the run get every row once.
func TestStreamsFollowARun(t *testing.T) {
	dir := t.TempDir()
	running := goroutine.New()
	running.Go(func() error {
		servetest.Make(t, dir, "demo", servetest.Dataset{Player: "mcts:sims=16", Games: 60, Shard: 3})
		return nil
	})
	for !exists(filepath.Join(dir, "demo", "plan.json")) {
		time.Sleep(time.Millisecond)
	}
	s := newServer(t, dir, nil)
	s.times.request, s.times.answer = 100*time.Millisecond, 100*time.Millisecond // streams outlive them
	url, _ := start(t, s)
	bodies := [2][]byte{}
	for rank := range bodies {
		running.Go(func() error {
			r, err := http.Get(fmt.Sprintf("%sstream?dataset=demo&follow=1&shuffle=50&rank=%d&world=2", url, rank))
			if err != nil {
				return err
			}
			defer r.Body.Close()
			bodies[rank], err = io.ReadAll(r.Body)
			return err
		})
	}
	must.Do(t, running.Wait())
	got := append(rowsOf(t, bodies[0]), rowsOf(t, bodies[1])...)
	slices.Sort(got)
	if want := keysOf(t, filepath.Join(dir, "demo"), plan.Train); !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestSlowClientsHoldRowsBack: the server reads only a few tables ahead of a client that takes
// nothing, and ends the stream when the client leaves.
func TestSlowClientsHoldRowsBack(t *testing.T) {
	s, _ := serverOf(t, "demo", servetest.Dataset{Games: 3000, Shard: 100})
	url, _ := start(t, s)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := must.Get(http.Get(url + "stream?dataset=demo"))(t)
	time.Sleep(300 * time.Millisecond)
	runtime.GC()
	runtime.ReadMemStats(&after)
	const all = 3000 * 60 * 2 / 3 * 302 // bytes of the rows
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > all/3 {
		t.Errorf("%d of %d bytes are in memory", grown, all)
	}
	r.Body.Close()
}

// stalled is a client that takes nothing until it leaves.
type stalled struct {
	*httptest.ResponseRecorder
	begun, leave chan struct{}
}

func (s *stalled) Write([]byte) (int, error) {
	close(s.begun)
	<-s.leave
	return 0, io.ErrClosedPipe
}

// TestStreamsCountWithoutAWindow: their row groups are in memory, and count until the client leaves.
func TestStreamsCountWithoutAWindow(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "demo", servetest.Dataset{})
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	c := must.Get(catalog.Open(servetest.Known.Games, []string{dir}, log))(t)
	f := &feed{catalog: c, log: log}
	client := &stalled{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	streaming := goroutine.New()
	streaming.Go(func() error {
		return f.getStream(client, httptest.NewRequest(http.MethodGet, "/stream?dataset=demo&columns=board", nil))
	})
	<-client.begun
	f.limits.mu.Lock()
	held := f.limits.memory
	f.limits.mu.Unlock()
	close(client.leave)
	if err := streaming.Wait(); err == nil {
		t.Error("the client has left, and there is no error")
	}
	if held == 0 {
		t.Error("the row groups of the stream do not count")
	}
	if f.limits.memory != 0 || f.limits.streams != 0 {
		t.Errorf("%d bytes of %d streams are left", f.limits.memory, f.limits.streams)
	}
}

func TestStreamsBeyondTheMemoryWait(t *testing.T) {
	var l streamLimits
	done := must.Get(l.enter(maxMemory - 1))(t)
	if _, err := l.enter(2); catalog.Status(err) != http.StatusServiceUnavailable {
		t.Errorf("%v, want 503", err)
	}
	if done(); l.memory != 0 {
		t.Errorf("%d bytes are left", l.memory)
	}
	if _, err := l.enter(maxMemory + 1); catalog.Status(err) != http.StatusBadRequest {
		t.Errorf("%v, want 400", err)
	}
}
