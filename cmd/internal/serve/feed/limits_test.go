package feed

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/servetest"
	"selfplay/cmd/internal/serve/web"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
)

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
	f := &Feed{Catalog: c, Log: log}
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
	var l limits
	done := must.Get(l.enter(maxMemory - 1))(t)
	if _, err := l.enter(2); web.Status(err) != http.StatusServiceUnavailable {
		t.Errorf("%v, want 503", err)
	}
	if done(); l.memory != 0 {
		t.Errorf("%d bytes are left", l.memory)
	}
	if _, err := l.enter(maxMemory + 1); web.Status(err) != http.StatusBadRequest {
		t.Errorf("%v, want 400", err)
	}
}
