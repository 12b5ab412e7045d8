package monitor

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"selfplay/cmd/internal/address"
	"selfplay/internal/goroutine"
)

// FileSuffix ends the names of files that the textfile collector of the node exporter reads.
const FileSuffix = ".prom"

// Target is where metrics go: exactly one field is set.
type Target struct {
	Addr string // HOST:PORT to serve them at
	File string // a file that is replaced whole
}

// ParseTarget reads the value of --metrics: a file that ends in .prom, HOST:PORT, or :PORT
// of the loopback interface.
func ParseTarget(text string) (Target, error) {
	if strings.HasSuffix(text, FileSuffix) {
		return Target{File: text}, nil
	}
	host, port, err := address.Split(text)
	if err != nil {
		return Target{}, fmt.Errorf("%q: expected an address such as 127.0.0.1:9100 or :9100, or a file that ends in %s", text, FileSuffix)
	}
	if host == "" {
		host = address.Loopback
	}
	return Target{Addr: net.JoinHostPort(host, port)}, nil
}

// Path is where a Server has the metrics.
const Path = "/metrics"

// contentType is that of the Prometheus text format.
const contentType = "text/plain; version=0.0.4; charset=utf-8"

// Limits of a server. A scrape takes milliseconds; slower clients do not keep connections.
const (
	requestTime = 10 * time.Second
	closeTime   = time.Second // for scrapes under way when the server is closed
)

// Server answers scrapes with the current metrics.
type Server struct {
	URL     string // where the metrics are
	http    http.Server
	serving goroutine.Group
}

// Serve answers requests at an address, in goroutines of its own until Close. render returns the
// metrics; it must be safe for concurrent use. The error says whether another program has the address.
func Serve(addr string, render func() []byte) (*Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(render()) // the client may be gone
	})
	s := &Server{URL: "http://" + l.Addr().String() + Path, serving: goroutine.New()}
	s.http.Handler = mux
	s.http.ReadTimeout, s.http.WriteTimeout, s.http.IdleTimeout = requestTime, requestTime, 6*requestTime
	s.serving.Go(func() error { return s.http.Serve(l) }) // ends with Close
	return s, nil
}

// Close frees the address. Scrapes under way have a second to end. A nil server has none.
func (s *Server) Close() error {
	if s == nil {
		return nil
	}
	err := address.Shutdown(&s.http, closeTime)
	_ = s.serving.Wait() // always http.ErrServerClosed
	return err
}
