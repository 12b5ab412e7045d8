package serve

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"

	"selfplay/cmd/internal/address"
)

// maxConnections bounds the clients that are connected at once. Others wait.
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
	l = &limitedListener{Listener: l, free: make(chan struct{}, maxConnections), closed: make(chan struct{})}
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

// limitedListener accepts a connection only while few are open. netutil.LimitListener of x/net does
// the same, but its connections have no ReadFrom.
type limitedListener struct {
	net.Listener
	free   chan struct{} // has one element for each open connection
	closed chan struct{}
	once   sync.Once
}

func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &limitedConn{Conn: c, release: sync.OnceFunc(func() { <-l.free })}, nil
}

func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// limitedConn makes room for another connection when it is closed.
type limitedConn struct {
	net.Conn
	release func()
}

// ReadFrom lets the system copy files to the connection, as it does for a *net.TCPConn.
func (c *limitedConn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(c.Conn, r) }

func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
