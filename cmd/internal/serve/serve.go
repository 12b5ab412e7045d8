// Package serve is the server of `selfplay serve`: datasets in a browser, and for programs over
// HTTP. It reads datasets and writes nothing but its cache.
//
// What it knows of datasets is in package catalog; package pages makes what browsers show.
// openapi.json describes all routes for programs; a test compares it with them and with answers.
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
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"selfplay/cmd/internal/address"
	"selfplay/cmd/internal/serve/catalog"
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
	games   *catalog.Games
	handler http.Handler

	certificate *tls.Certificate // nil for HTTP
}

// New returns a server of the datasets below Options.Dirs. It reads the certificate.
func New(o Options) (*Server, error) {
	c, err := catalog.Open(o.Known.Games, o.Dirs, o.Log)
	if err != nil {
		return nil, err
	}
	s := &Server{o: o, times: defaultTimes, catalog: c, games: catalog.NewGames(c, o.Cache, o.Log)}
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
		ConnState: noteState,
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

// maxConnections bounds the clients that are connected at once. Others wait; see limitedListener.
const maxConnections = 256

// ErrUnsafe means that a server would answer other machines without a token or without TLS.
var ErrUnsafe = errors.New("other machines could read the datasets")

// Check returns an error if the options do not fit together.
func (o *Options) Check() error {
	if (o.Cert == "") != (o.Key == "") {
		return errors.New("TLS needs both --tls-cert and --tls-key")
	}
	host, _, err := address.Split(o.Addr)
	if err != nil {
		return fmt.Errorf("listen on %q: expected an address such as 127.0.0.1:8642 or :8642", o.Addr)
	}
	for _, name := range o.Hosts {
		if name == "" || strings.ContainsAny(name, ":/*[] ") {
			return fmt.Errorf("host %q: expected a name such as lab.example, without a port", name)
		}
	}
	if !isLoopback(host) && !o.Insecure && (o.Token == "" || o.Cert == "") {
		return fmt.Errorf("listen on %s: %w: want --token-file, --tls-cert and --tls-key, or --insecure", o.Addr, ErrUnsafe)
	}
	return nil
}

// Exposure returns what other machines can do because of Options.Insecure, "" if it allows nothing.
func (o *Options) Exposure() string {
	host, _, err := address.Split(o.Addr)
	switch {
	case err != nil || isLoopback(host):
		return ""
	case o.Token == "":
		return fmt.Sprintf("anyone who reaches %s can read all files of the datasets and let this machine search: "+
			"want --token-file, --tls-cert and --tls-key", o.Addr)
	case o.Cert == "":
		return fmt.Sprintf("anyone on the network between can read the token and everything that is sent from %s: "+
			"want --tls-cert and --tls-key", o.Addr)
	}
	return ""
}

// isLoopback reports whether only this machine reaches a host.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// readCertificate reads the certificate and its key. Without TLS it returns nil.
func (o *Options) readCertificate() (*tls.Certificate, error) {
	if o.Cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
	if err != nil {
		return nil, fmt.Errorf("read certificate: %w", err)
	}
	return &pair, nil
}

// Listen reserves the address of the server. Connections wait until Serve. The error says whether
// another program has the address.
func (s *Server) Listen() (net.Listener, error) {
	l, err := net.Listen("tcp", s.o.Addr)
	if err != nil {
		return nil, err
	}
	l = newLimitedListener(l, maxConnections)
	if s.certificate != nil {
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{*s.certificate}, MinVersion: tls.VersionTLS12})
	}
	return l, nil
}

// URL returns where a browser finds the server that listens on l.
func (s *Server) URL(l net.Listener) string {
	if s.certificate != nil {
		return "https://" + l.Addr().String() + "/"
	}
	return "http://" + l.Addr().String() + "/"
}

// restTime is how long a connection rests before it makes room for another one.
const restTime = 500 * time.Millisecond

// limitedListener accepts a connection only while few are open. If all places are taken, it closes the
// connection that waits for a request for longest: idle clients must not keep others out.
// netutil.LimitListener of x/net has no such rule, and its connections have no ReadFrom.
type limitedListener struct {
	net.Listener
	free   chan struct{} // has one element for each open connection
	closed chan struct{}
	once   sync.Once

	mu      sync.Mutex
	resting map[*limitedConn]time.Time // connections that wait for a request, and since when
}

func newLimitedListener(l net.Listener, connections int) *limitedListener {
	return &limitedListener{
		Listener: l, free: make(chan struct{}, connections), closed: make(chan struct{}), resting: map[*limitedConn]time.Time{},
	}
}

func (l *limitedListener) Accept() (net.Conn, error) {
	if err := l.reserve(); err != nil {
		return nil, err
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	limited := &limitedConn{Conn: c, of: l, release: sync.OnceFunc(func() { <-l.free })}
	l.note(limited, true)
	return limited, nil
}

// reserve waits for a place.
func (l *limitedListener) reserve() error {
	for {
		select {
		case l.free <- struct{}{}:
			return nil
		default:
			l.closeResting()
		}
		select {
		case l.free <- struct{}{}:
			return nil
		case <-l.closed:
			return net.ErrClosed
		case <-time.After(restTime / 5):
		}
	}
}

// closeResting closes the connection that rests for longest, if that is long enough.
func (l *limitedListener) closeResting() {
	l.mu.Lock()
	oldest, since := (*limitedConn)(nil), time.Now().Add(-restTime)
	for c, at := range l.resting {
		if at.Before(since) {
			oldest, since = c, at
		}
	}
	l.mu.Unlock()
	if oldest != nil {
		_ = oldest.Close() // its client takes nothing
	}
}

// note notes whether a connection waits for a request from now on.
func (l *limitedListener) note(c *limitedConn, rests bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.resting, c)
	if rests {
		l.resting[c] = time.Now()
	}
}

func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// limitedConn makes room for another connection when it is closed.
type limitedConn struct {
	net.Conn
	of      *limitedListener
	release func()
}

// noteState is the ConnState of the HTTP server.
func noteState(c net.Conn, state http.ConnState) {
	if secured, ok := c.(*tls.Conn); ok {
		c = secured.NetConn()
	}
	limited, ok := c.(*limitedConn)
	if ok && state != http.StateNew && state != http.StateClosed {
		limited.of.note(limited, state == http.StateIdle)
	}
}

// ReadFrom lets the system copy files to the connection, as it does for a *net.TCPConn.
func (c *limitedConn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(c.Conn, r) }

func (c *limitedConn) Close() error {
	defer c.release()
	c.of.note(c, false)
	return c.Conn.Close()
}
