// Package s3test starts stores for tests, whose answers a test can replace.
//
// The store is a fake one in the process, or a real server if TEST_S3_ENDPOINT has its URL: then a
// proxy stands before it, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are its credentials.
package s3test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"selfplay/internal/must"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// realVariable has the URL of a real server.
const realVariable = "TEST_S3_ENDPOINT"

// Server is a store with one bucket.
type Server struct {
	URL    string // of the endpoint
	Bucket string

	backend  http.Handler
	mu       sync.Mutex
	fault    Fault
	requests map[string]int // by method
	bytes    int64          // of the bodies of answers
}

// Fault may answer a request in place of the store. It returns nil to let the store answer.
type Fault func(r *http.Request) http.HandlerFunc

// Start starts a store with a new bucket, until the test ends, and makes it the one of the
// environment.
func Start(t *testing.T) *Server {
	t.Helper()
	s := &Server{Bucket: "test-" + random(), requests: map[string]int{}}
	if address := os.Getenv(realVariable); address != "" {
		s.backend = proxyTo(t, address)
	} else {
		s.backend = gofakes3.New(s3mem.New()).Server()
		t.Setenv("AWS_ACCESS_KEY_ID", "test")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "testtest")
	}
	h := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(h.Close)
	s.URL = h.URL
	t.Setenv("AWS_ENDPOINT_URL", s.URL)
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	must.Do(t, s.Client(t).MakeBucket(context.Background(), s.Bucket, minio.MakeBucketOptions{}))
	return s
}

// IsReal reports whether tests run against a real server.
func IsReal() bool { return os.Getenv(realVariable) != "" }

func random() string {
	var b [6]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// proxyTo passes requests on as they are: their signatures cover the host.
func proxyTo(t *testing.T, address string) http.Handler {
	target, err := url.Parse(address)
	must.Do(t, err)
	return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
	}}
}

// serve answers a request, and counts it.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests[r.Method]++
	fault := s.fault
	s.mu.Unlock()
	if fault != nil {
		if answer := fault(r); answer != nil {
			answer(w, r)
			return
		}
	}
	s.Pass(&counter{w, s}, r)
}

// Pass lets the store answer a request.
func (s *Server) Pass(w http.ResponseWriter, r *http.Request) { s.backend.ServeHTTP(w, r) }

// counter counts the bytes of an answer.
type counter struct {
	http.ResponseWriter
	s *Server
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.s.bytes += int64(n)
	return n, err
}

// Unwrap lets a proxy flush.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// SetFault replaces answers from now on; nil replaces none.
func (s *Server) SetFault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Counted returns the requests by method and the bytes of answers since the last call.
func (s *Server) Counted() (requests map[string]int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests, bytes = s.requests, s.bytes
	s.requests, s.bytes = map[string]int{}, 0
	return requests, bytes
}

// Dataset returns the URL of a dataset in the bucket.
func (s *Server) Dataset(name string) string { return "s3://" + s.Bucket + "/" + name }

// Client returns a client of the store.
func (s *Server) Client(t *testing.T) *minio.Core {
	t.Helper()
	c, err := minio.NewCore(strings.TrimPrefix(s.URL, "http://"), &minio.Options{Creds: credentials.NewEnvAWS(), Region: "us-east-1"})
	must.Do(t, err)
	return c
}

// Objects returns the objects below a prefix, by the rest of their keys.
func (s *Server) Objects(t *testing.T, prefix string) map[string]string {
	t.Helper()
	c, objects := s.Client(t), map[string]string{}
	for info := range c.ListObjectsIter(context.Background(), s.Bucket, minio.ListObjectsOptions{Prefix: prefix + "/", Recursive: true}) {
		if info.Err != nil {
			t.Fatal(info.Err)
		}
		body, _, _, err := c.GetObject(context.Background(), s.Bucket, info.Key, minio.GetObjectOptions{})
		must.Do(t, err)
		data, err := io.ReadAll(body)
		body.Close()
		must.Do(t, err)
		objects[strings.TrimPrefix(info.Key, prefix+"/")] = string(data)
	}
	return objects
}

// Put makes an object, or replaces it. The fake store takes no empty ones.
func (s *Server) Put(t *testing.T, key, text string) {
	t.Helper()
	o := minio.PutObjectOptions{DisableContentSha256: true, DisableMultipart: true}
	_, err := s.Client(t).Client.PutObject(context.Background(), s.Bucket, key, strings.NewReader(text), int64(len(text)), o)
	must.Do(t, err)
}

// Remove deletes an object.
func (s *Server) Remove(t *testing.T, key string) {
	t.Helper()
	must.Do(t, s.Client(t).RemoveObject(context.Background(), s.Bucket, key, minio.RemoveObjectOptions{}))
}
