package serve

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/datasets/disk"
	"selfplay/encode"
)

// TestSilentStoresDoNotHoldUpTheServer: a store accepts requests and never answers. Other datasets
// are served, and requests for this one are answered 503 without piling up reads.
func TestSilentStoresDoNotHoldUpTheServer(t *testing.T) {
	var mu sync.Mutex
	reads, silent := 0, make(chan struct{})
	disk.Register("silent", func(string) (disk.Dir, error) {
		mu.Lock()
		reads++
		mu.Unlock()
		<-silent
		return disk.Dir{}, errors.New("silent")
	})
	defer close(silent)
	dir := t.TempDir()
	servetest.Make(t, dir, "ok", servetest.Dataset{Game: "chess"})
	s := newServer(t, dir, func(o *Options) { o.Dirs = append(o.Dirs, "silent://bucket/remote") })
	var asking sync.WaitGroup
	for range 300 {
		asking.Go(func() {
			w := ask(s, "GET", "/api/datasets/remote", nil)
			if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "waiting for the store") {
				t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
			}
		})
	}
	asking.Wait()
	if reads != 1 {
		t.Errorf("%d reads", reads)
	}
	list := askJSON[struct {
		Datasets []struct{ Name, State, Error string }
	}](t, s, "/api/datasets").Datasets
	if len(list) != 2 || list[0].State != "done" || !strings.Contains(list[1].Error, "waiting for the store of dataset remote") {
		t.Errorf("%+v", list)
	}
	for target, want := range map[string]string{"/": "waiting for the store", "/datasets/ok": "Browse the games", "/compare": "remote"} {
		if w := ask(s, "GET", target, nil); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	for _, target := range []string{"/datasets/remote", "/datasets/remote/games", "/api/datasets/remote/games", "/files/remote/plan.json", "/stream?dataset=remote"} {
		if w := ask(s, "GET", target, nil); w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
}

// TestPositionsOfDatasetsAreArrays.
func TestPositionsOfDatasetsAreArrays(t *testing.T) {
	dir := t.TempDir()
	for _, g := range encode.Games().Names() {
		servetest.Make(t, dir, g, servetest.Dataset{Game: g})
	}
	s := newServer(t, dir, nil)
	for _, g := range encode.Games() {
		type array struct {
			Array []int `json:"board_array"`
		}
		l := &g.Layouts[0]
		want := l.Values(nil, l.Encode(nil, g.New("")))
		if got := askJSON[array](t, s, "/api/game/"+g.Name+":3@0/board_array").Array; len(got) != len(want) || got[0] != want[0] {
			t.Errorf("%s: %v", g.Name, got)
		}
		if last := askJSON[map[string]any](t, s, "/api/game/"+g.Name+":3"); last["game"] != g.Name || last["position"] == g.New("").String() {
			t.Errorf("%s: the last position is %v", g.Name, last)
		}
	}
}
