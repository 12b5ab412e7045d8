package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"selfplay/cmd/internal/s3store"
	"selfplay/cmd/internal/s3store/s3test"
	"selfplay/cmd/internal/serve/servetest"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
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
			w := request(s, "GET", "/api/datasets/remote", nil)
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
		if w := request(s, "GET", target, nil); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	for _, target := range []string{"/datasets/remote", "/datasets/remote/games", "/api/datasets/remote/games", "/files/remote/plan.json", "/stream?dataset=remote"} {
		if w := request(s, "GET", target, nil); w.Code != http.StatusServiceUnavailable {
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

// TestDatasetsInStoresAreServed: list, files with ranges, and streams.
func TestDatasetsInStoresAreServed(t *testing.T) {
	store, scratch := s3test.Start(t), t.TempDir()
	disk.Register("s3", func(url string) (disk.Dir, error) {
		return s3store.Open(url, s3store.Settings{Scratch: scratch})
	})
	root := servetest.Make(t, "s3://"+store.Bucket, "night", servetest.Dataset{Game: "chess"})
	s := newServer(t, root, nil)
	files := askJSON[struct {
		Files []struct{ URL, SHA256 string }
	}](t, s, "/api/datasets/night/files?table=positions").Files
	if len(files) != 6 {
		t.Fatalf("%+v", files)
	}
	for _, f := range files {
		w := request(s, "GET", f.URL, nil)
		if w.Code != 200 || w.Header().Get("ETag") != `"`+f.SHA256+`"` || !strings.HasPrefix(w.Body.String(), "PAR1") {
			t.Errorf("%s: %d %v", f.URL, w.Code, w.Header())
		}
	}
	w := request(s, "GET", "/stream?dataset=night", nil)
	if got, want := rowsOf(t, w.Body.Bytes()), keysOf(t, root, plan.Train); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	if w := request(s, "GET", "/files/night/plan.json", nil); w.Code != 200 {
		t.Errorf("plan: %d %s", w.Code, w.Body)
	}
}

// FuzzRequests sends requests of any form to all handlers. None panics or fails for a reason of
// its own, shows a path of the disk, or answers with JSON that is none.
func FuzzRequests(f *testing.F) {
	dir := f.TempDir()
	servetest.Make(f, dir, "chess", servetest.Dataset{Game: "chess", Hash: true})
	servetest.Make(f, dir, "cotulenh", servetest.Dataset{Player: "mcts:sims=2", Games: 8})
	servetest.Make(f, dir, "contrast", servetest.Dataset{Game: "contrast", Format: "arrow", Board: "packed"})
	s := newServer(f, dir, nil)
	for _, target := range []string{
		"/", "/api/openapi.json", "/api/datasets", "/api/datasets/chess", "/api/datasets/chess/files?table=games&offset=1&limit=2",
		"/api/datasets/chess/games?result=draw&reason=checkmate&plies=1-9&drop=-5&player=random&sort=-plies&offset=1&limit=3",
		"/api/datasets/chess/games?opening=e2e4%7Ce7e5&games=1-&shards=0&split=train&player_first=random&player_second=x",
		"/api/datasets/chess/games?position=hash:00000000000000ff&cursor=x", "/api/datasets/contrast/games?position=x",
		"/api/datasets/chess/games?material=KQvK", "/api/datasets/cotulenh/histogram?column=plies&bars=3", "/api/datasets/contrast/openings",
		"/api/datasets/chess/games/3", "/api/games/chess:3@5", "/api/games/cotulenh:1@0/row", "/api/game/contrast:1@2/board_array", "/api/game/mine",
		"/files/chess/plan.json", "/files/chess/positions/train-00000.parquet", "/files/chess/..%2f..%2fetc%2fpasswd", "/files/contrast/.selfplay/lock",
		"/datasets/chess", "/datasets/chess/games?plies=10-20&sort=-drop", "/datasets/chess/games/3?ply=5", "/analysis?game=chess&position=x", "/compare?a=chess&b=cotulenh", "/rules/chess", "/static/rules/chess-start.svg", "/static/style.css", "/static/../pages.go",
		"/stream?dataset=chess&split=validation&columns=game,ply&shuffle=10&seed=3&rank=1&world=2&follow=1",
	} {
		f.Add("GET", target, "", "")
		f.Add("HEAD", target, "Range: bytes=1-3,9-\r\nIf-None-Match: *", "")
	}
	f.Add("POST", "/api/game/mine/board_array", "Content-Type: application/json", `{"board_array":[1,2],"game":"chess","side":"white","strict":true}`)
	f.Add("POST", "/api/analysis", "", `{"game":"chess","player":"ab:depth=1","position":"x","play":["e2e4"],"seed":"1"}`)
	f.Add("POST", "/api/targets", "", `{"game":"cotulenh","from":"c5","piece":"","to":"c6","way":"move","play":["Ic5c6"]}`)
	f.Add("POST", "/api/analysis", "Sec-Fetch-Site: cross-site", `{"game":"contrast","player":"greedy"}`)
	f.Add("PUT", "/api/datasets", "Origin: http://evil.example", "x")
	f.Fuzz(func(t *testing.T, method, target, header, body string) {
		text := method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n" + body
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
		if err != nil {
			return // the HTTP server refuses it
		}
		r.Host = "localhost"
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		w := httptest.NewRecorder()
		serveAborting(s, w, r.WithContext(ctx))
		if late := ctx.Err() != nil; w.Code == http.StatusInternalServerError && !late {
			t.Errorf("%s: %s", text, w.Body)
		}
		if bytes.Contains(w.Body.Bytes(), []byte(dir)) {
			t.Errorf("%s: shows a path: %s", text, w.Body)
		}
		isJSON := strings.HasPrefix(w.Header().Get("Content-Type"), "application/json")
		if isJSON && w.Code != http.StatusPartialContent && w.Body.Len() > 0 && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: %s", text, w.Body)
		}
	})
}

// serveAborting answers a request. A handler may break its answer off.
func serveAborting(s http.Handler, w http.ResponseWriter, r *http.Request) {
	defer func() {
		if v := recover(); v != nil && v != http.ErrAbortHandler {
			panic(v)
		}
	}()
	s.ServeHTTP(w, r)
}
