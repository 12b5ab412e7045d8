package serve

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/encode"
)

// TestPositionsOfDatasetsAreArrays, and read-only.
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
		if w := ask(s, "POST", "/api/game/"+g.Name+":3@0/board_array", nil); w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: POST: %d", g.Name, w.Code)
		}
	}
	for path, want := range map[string]int{"chess:99": 404, "chess:1@9999": 404, "none:1": 404, "chess:x": 400} {
		if w := ask(s, "GET", "/api/game/"+path+"/board_array", nil); w.Code != want {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestAnalysisIsMounted and finds networks of no file.
func TestAnalysisIsMounted(t *testing.T) {
	s := newServer(t, t.TempDir(), nil)
	for body, want := range map[string]string{
		`{"game":"chess","player":"ab:depth=1"}`:                 `"searched":true`,
		`{"game":"chess","player":"ab:depth=1,net=/etc/passwd"}`: `"status":400`,
	} {
		w := ask(s, "POST", "/api/analysis", func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(body)) })
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
}
