package download

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/games"
	"selfplay/cmd/internal/serve/servetest"
	"selfplay/cmd/internal/serve/web"
	"selfplay/internal/must"
)

// TestFewFilesAreMadeAtOnce: a further request is refused, and the next one is answered.
func TestFewFilesAreMadeAtOnce(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "set", servetest.Dataset{})
	known := must.Get(catalog.Open(servetest.Known.Games, []string{dir}, slog.New(slog.DiscardHandler)))(t)
	d := &Downloads{Catalog: known, Games: games.New(known, t.TempDir(), slog.New(slog.DiscardHandler))}
	ask := func() int {
		r := httptest.NewRequest("GET", "/", nil)
		r.SetPathValue("dataset", "set")
		r.SetPathValue("game", "3")
		w := httptest.NewRecorder()
		if err := d.handle(d.game)(w, r); err != nil {
			return web.Status(err)
		}
		return w.Code
	}
	d.running.Store(maxRunning)
	if got := ask(); got != http.StatusServiceUnavailable {
		t.Errorf("status %d", got)
	}
	d.running.Store(maxRunning - 1)
	if got := ask(); got != http.StatusOK || d.running.Load() != maxRunning-1 {
		t.Errorf("status %d, %d running", got, d.running.Load())
	}
}
