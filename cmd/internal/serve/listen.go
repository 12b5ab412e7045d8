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
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return fmt.Errorf("listen on %q: want an address as 127.0.0.1:8642 or :8642", o.Addr)
	}
	if !isLoopback(host) && !o.Insecure && (o.Token == "" || o.Cert == "") {
		return fmt.Errorf("listen on %s: %w: want --token-file, --tls-cert and --tls-key, or --insecure", o.Addr, ErrUnsafe)
	}
	return nil
}

// isLoopback reports whether only this machine reaches a host.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// names returns the names that the Host of a request may have: localhost, those of the flags,
// the name of the address, and those of the certificate.
func (o *Options) names() ([]string, error) {
	names := []string{"localhost"}
	if host, _, err := net.SplitHostPort(o.Addr); err == nil && host != "" {
		names = append(names, strings.ToLower(host))
	}
	for _, host := range o.Hosts {
		names = append(names, strings.ToLower(host))
	}
	if o.Cert == "" {
		return names, nil
	}
	pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
	if err != nil {
		return nil, fmt.Errorf("read certificate: %w", err)
	}
	for _, name := range pair.Leaf.DNSNames {
		names = append(names, strings.ToLower(name))
	}
	return names, nil
}

// Listen reserves the address of a server. Connections wait until Serve.
func Listen(o *Options) (net.Listener, error) {
	var pair tls.Certificate
	if o.Cert != "" {
		var err error
		if pair, err = tls.LoadX509KeyPair(o.Cert, o.Key); err != nil {
			return nil, fmt.Errorf("read certificate: %w", err)
		}
	}
	l, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, err
	}
	l = &limitedListener{Listener: l, free: make(chan struct{}, maxConnections), closed: make(chan struct{})}
	if o.Cert != "" {
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12})
	}
	return l, nil
}

// URL returns where a browser finds the server that listens on l.
func URL(o *Options, l net.Listener) string {
	if o.Cert != "" {
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
