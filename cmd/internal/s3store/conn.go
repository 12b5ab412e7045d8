package s3store

import (
	"context"
	"net"
	"net/http"
	"time"
)

// transport returns a transport whose connections break if nothing moves on them.
func transport() http.RoundTripper {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return conn{c, retries.idle}, nil
		},
		TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConnsPerHost: aheadWindow,
		IdleConnTimeout:     30 * time.Second, // before it breaks a connection that waits for its next request
		DisableCompression:  true,             // of objects: their bytes are the dataset
	}
}

// conn is a connection that breaks after a time without a byte in either direction. A limit for the
// whole request has to allow for the slowest transfer of the largest object: a store that takes a
// request and never answers would have hours.
type conn struct {
	net.Conn
	idle time.Duration
}

// The methods of net.Conn that move bytes. Each one also extends the time of the other, which may be
// waiting.

func (c conn) Read(p []byte) (int, error) {
	c.extend()
	return c.Conn.Read(p)
}

func (c conn) Write(p []byte) (int, error) {
	c.extend()
	return c.Conn.Write(p)
}

func (c conn) extend() { _ = c.SetDeadline(time.Now().Add(c.idle)) } // of a closed one it fails
