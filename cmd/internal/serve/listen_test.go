package serve

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/engine/enginetest"
	"selfplay/internal/goroutine"
)

// start serves until the end of the test and returns the URL of the server.
func start(t *testing.T, s *Server) (url string, stop func() error) {
	t.Helper()
	l, err := s.Listen()
	enginetest.Must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	serving := goroutine.New()
	serving.Go(func() error { return s.Serve(ctx, l) })
	stop = func() error { cancel(); return serving.Wait() }
	t.Cleanup(func() { _ = stop() })
	return s.URL(l), stop
}

func TestServerEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "demo", servetest.Dataset{})
	url, stop := start(t, newServer(t, dir, nil))
	r, err := http.Get(url + "files/demo/manifest.json")
	enginetest.Must(t, err)
	data, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil || r.StatusCode != 200 || len(data) == 0 {
		t.Errorf("%s, %d bytes, %v", r.Status, len(data), err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err := http.Get(url); err == nil {
		t.Error("the address is still served")
	}
}

// TestListenerWaitsWhileConnectionsAreOpen: it accepts the next one when one is closed.
func TestListenerWaitsWhileConnectionsAreOpen(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	enginetest.Must(t, err)
	l := &limitedListener{Listener: inner, free: make(chan struct{}, 1), closed: make(chan struct{})}
	accepted := make(chan net.Conn, 2)
	accepting := goroutine.New()
	accepting.Go(func() error {
		for {
			c, err := l.Accept()
			if err != nil {
				return nil
			}
			accepted <- c
		}
	})
	for range 2 {
		if c, err := net.Dial("tcp", inner.Addr().String()); err != nil {
			t.Fatal(err)
		} else {
			defer c.Close()
		}
	}
	first := <-accepted
	select {
	case <-accepted:
		t.Error("two connections are open")
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	first.Close() // must not make room twice
	(<-accepted).Close()
	if l.Close(); accepting.Wait() != nil || len(l.free) != 0 {
		t.Errorf("%d places taken", len(l.free))
	}
}
