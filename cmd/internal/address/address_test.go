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

func TestAddressesHaveAHostAndANumber(t *testing.T) {
	for text, want := range map[string][2]string{
		"127.0.0.1:9100": {"127.0.0.1", "9100"}, ":0": {"", "0"}, "[::1]:65535": {"::1", "65535"}, "node7:80": {"node7", "80"},
	} {
		if host, port, err := Split(text); err != nil || host != want[0] || port != want[1] {
			t.Errorf("%s: %q, %q, %v", text, host, port, err)
		}
	}
	for _, text := range []string{"", "9100", "node7", "node7:", "node7:http", "1.2.3.4:65536", "1.2.3.4:-1", "::1:9100", "dir/x:9100", "http://h:9100"} {
		if host, port, err := Split(text); err == nil {
			t.Errorf("%s: %q, %q", text, host, port)
		}
	}
}

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
