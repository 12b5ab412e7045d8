// Package serve is the server of `export serve`: datasets in a browser, and for programs over
// HTTP. It reads datasets and writes nothing but its cache.
//
//	serve.go   Server: what it serves, and its life
//	routes.go  all routes of the server, and which takes a request
//	guard.go   which requests are answered: their host and token; the headers of all answers
//	listen.go  the address, TLS, and a limit on connections
//
// Packages below it answer the requests:
//
//	web         routes, errors, JSON and parameters
//	lastread    what was last read of a place that may be slow
//	catalog     the datasets
//	api         JSON about datasets
//	pages       pages for browsers
//	reports     checks and charts of datasets, for the pages
//	feed        files of datasets, and their rows as streams
//	games       indexes of games, and questions about them
//	post        what POST requests about positions share
//	analysis    players that search positions
//	boardarray  positions as arrays
//
// # Safety
//
// The server listens on the loopback interface unless it is told otherwise; other addresses
// take a token and TLS. It answers a request only if its Host is an address, localhost or a name
// that it was given, so that a page of another site cannot reach it by a name that resolves to
// this machine. Requests name datasets and files by names that the server knows; no path of a
// client reaches the disk. Headers forbid browsers to load anything from elsewhere. Requests are
// limited in number, size and time.
package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"selfplay/cmd/internal/address"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/games"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// Options say what a server serves, and to whom.
type Options struct {
	Dirs  []string // directories of datasets, or URLs
	Cache string   // folder of the indexes of games

	Addr     string   // HOST:PORT
	Hosts    []string // names that the Host of a request may have, besides localhost and addresses
	Token    string   // what clients have to know; "" if they need none
	Cert     string   // file of a TLS certificate; "" for HTTP
	Key      string   // file of its key
	Insecure bool     // allow addresses of other machines without a token or without TLS

	Known workers.Catalog // games of datasets and of analyses, and players of analyses
	Log   *slog.Logger
}

// maxHeader is the size in bytes of the header of a request, with its URL.
const maxHeader = 16 << 10

// times are how long parts of an exchange may take. Handlers that send more than an answer of the
// API set deadlines of their own.
type times struct {
	header, request, answer, idle time.Duration
	close                         time.Duration // of requests under way when the server ends
}

var defaultTimes = times{
	header: 10 * time.Second, request: 30 * time.Second, answer: time.Minute, idle: 2 * time.Minute, close: 2 * time.Second,
}

// Server serves datasets.
type Server struct {
	o       Options
	times   times
	catalog *catalog.Catalog
	games   *games.Games
	handler http.Handler

	certificate *tls.Certificate // nil for HTTP
}

// New returns a server of the datasets below Options.Dirs. It reads the certificate.
func New(o Options) (*Server, error) {
	c, err := catalog.Open(o.Known.Games, o.Dirs, o.Log)
	if err != nil {
		return nil, err
	}
	s := &Server{o: o, times: defaultTimes, catalog: c, games: games.New(c, o.Cache, o.Log)}
	if s.certificate, err = o.readCertificate(); err != nil {
		return nil, err
	}
	s.handler = newGuard(newRouter(s.routes(), o.Log), newHosts(&o, s.certificate), o.Token)
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Serve answers requests that arrive at a listener, which Listen made, until ctx ends. Requests
// under way then have a moment to end.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler: s, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug),
		ReadHeaderTimeout: s.times.header, ReadTimeout: s.times.request, WriteTimeout: s.times.answer, IdleTimeout: s.times.idle,
	}
	defer s.games.Close() // after the last request
	serving := goroutine.New()
	ended := make(chan error, 1)
	serving.Go(func() error {
		ended <- h.Serve(l)
		return nil
	})
	select {
	case err := <-ended:
		return errors.Join(err, address.Shutdown(h, s.times.close))
	case <-ctx.Done():
	}
	err := address.Shutdown(h, s.times.close)
	_ = serving.Wait() // Serve has returned http.ErrServerClosed
	return err
}
