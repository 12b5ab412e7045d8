package address

import (
	"errors"
	"net"
	"net/http"
	"testing"
	"time"

	"selfplay/internal/goroutine"
	"selfplay/internal/must"
)

// TestShutdownEndsARequestThatTakesLong: it gives the request a moment, then closes its connection.
func TestShutdownEndsARequestThatTakesLong(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	s := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		close(ended)
	})}
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	serving, asking := goroutine.New(), goroutine.New()
	serving.Go(func() error { return s.Serve(l) })
	asking.Go(func() error {
		r, err := http.Get("http://" + l.Addr().String())
		if err == nil {
			r.Body.Close()
		}
		return err
	})
	<-begun
	must.Do(t, Shutdown(s, 10*time.Millisecond))
	<-ended
	if asking.Wait() == nil || !errors.Is(serving.Wait(), http.ErrServerClosed) {
		t.Error("the request was answered, or the server works on")
	}
}
