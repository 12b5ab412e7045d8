package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"selfplay/cmd/internal/serve/servetest"
)

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
		"/datasets/chess", "/datasets/chess/games?plies=10-20&sort=-drop", "/datasets/chess/games/3?ply=5", "/analysis?game=chess&position=x", "/compare?a=chess&b=cotulenh", "/static/style.css", "/static/../pages.go",
		"/stream?dataset=chess&split=validation&columns=game,ply&shuffle=10&seed=3&rank=1&world=2&follow=1",
	} {
		f.Add("GET", target, "", "")
		f.Add("HEAD", target, "Range: bytes=1-3,9-\r\nIf-None-Match: *", "")
	}
	f.Add("POST", "/api/game/mine/board_array", "Content-Type: application/json", `{"board_array":[1,2],"game":"chess","side":"white","strict":true}`)
	f.Add("POST", "/api/analysis", "", `{"game":"chess","player":"ab:depth=1","position":"x","play":["e2e4"],"seed":"1"}`)
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
