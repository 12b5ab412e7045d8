package s3store

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// amazon is the endpoint if none is given. The client goes from it to that of the region.
const amazon = "https://s3.amazonaws.com"

// clients has the clients in use, so that a process opens connections to a store once.
var clients struct {
	sync.Mutex
	of map[clientKey]*minio.Core
}

// clientKey is what a client depends on.
type clientKey struct{ endpoint, region, id, secret, token, profile string }

// connect returns the URL of the endpoint and a client for it. It sends no request.
func connect(endpoint string) (string, *minio.Core, error) {
	endpoint = cmp.Or(endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), amazon)
	u, err := url.Parse(endpoint)
	if err != nil || !isEndpoint(u) {
		return "", nil, fmt.Errorf("endpoint %q: expected a URL such as https://s3.example.com or http://127.0.0.1:9000", endpoint)
	}
	key := clientKey{
		u.Scheme + "://" + u.Host, region(endpoint), os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"),
		os.Getenv("AWS_SESSION_TOKEN"), os.Getenv("AWS_PROFILE"),
	}
	clients.Lock()
	defer clients.Unlock()
	if c := clients.of[key]; c != nil {
		return key.endpoint, c, nil
	}
	c, err := newClient(u, key.region)
	if err != nil {
		return "", nil, fmt.Errorf("endpoint %q: %w", endpoint, err)
	}
	if clients.of == nil {
		clients.of = map[clientKey]*minio.Core{}
	}
	clients.of[key] = c
	return key.endpoint, c, nil
}

// isEndpoint reports whether a URL has a scheme and a host, and nothing else.
func isEndpoint(u *url.URL) bool {
	known := u.Scheme == "https" || u.Scheme == "http"
	return known && u.Host != "" && (u.Path == "" || u.Path == "/") && u.RawQuery == "" && u.User == nil
}

// region returns the region of the environment. Amazon is asked where a bucket is; other stores
// rarely have regions, and us-east-1 is what they expect then.
func region(endpoint string) string {
	region := cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	if region == "" && endpoint != amazon {
		return "us-east-1"
	}
	return region
}

func newClient(endpoint *url.URL, region string) (*minio.Core, error) {
	return minio.NewCore(endpoint.Host, &minio.Options{
		Creds:      credentials.New(&chain{providers: providers()}),
		Secure:     endpoint.Scheme == "https",
		Transport:  transport(),
		Region:     region,
		MaxRetries: 1, // see retry.go
	})
}

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
