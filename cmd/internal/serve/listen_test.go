package serve

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
)

// start serves until the end of the test and returns the URL of the server.
func start(t *testing.T, s *Server) (url string, stop func() error) {
	t.Helper()
	l := must.Get(s.Listen())(t)
	ctx, cancel := context.WithCancel(t.Context())
	serving := goroutine.New()
	serving.Go(func() error { return s.Serve(ctx, l) })
	stop = func() error { cancel(); return serving.Wait() }
	t.Cleanup(func() { _ = stop() })
	return s.URL(l), stop
}

func TestServerEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "demo", servetest.Dataset{})
	url, stop := start(t, newServer(t, dir, nil))
	r := must.Get(http.Get(url + "files/demo/manifest.json"))(t)
	data, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil || r.StatusCode != 200 || len(data) == 0 {
		t.Errorf("%s, %d bytes, %v", r.Status, len(data), err)
	}
	must.Do(t, stop())
	if _, err := http.Get(url); err == nil {
		t.Error("the address is still served")
	}
}

// TestIndexesAreClosedWhenServingFails: a server whose listener fails starts no update any more.
func TestIndexesAreClosedWhenServingFails(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "before", servetest.Dataset{})
	servetest.Make(t, dir, "after", servetest.Dataset{})
	s := newServer(t, dir, nil)
	l := must.Get(s.Listen())(t)
	if w := request(s, "GET", "/api/datasets/before/games", nil); w.Code != http.StatusOK {
		t.Fatalf("%d, %s", w.Code, w.Body)
	}
	must.Do(t, l.Close())
	if err := s.Serve(t.Context(), l); !errors.Is(err, net.ErrClosed) {
		t.Errorf("error %v, want that of the listener", err)
	}
	if w := request(s, "GET", "/api/datasets/after/games", nil); w.Code == http.StatusOK {
		t.Errorf("an index was made after the end: %s", w.Body)
	}
}

// TestIdleConnectionsDoNotKeepOthersOut: neither those that have sent nothing nor those that wait after an answer.
func TestIdleConnectionsDoNotKeepOthersOut(t *testing.T) {
	url, _ := start(t, newServer(t, t.TempDir(), nil))
	host := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/")
	for name, sent := range map[string]string{"silent": "", "kept alive": "GET /api/datasets HTTP/1.1\r\nHost: localhost\r\n\r\n"} {
		for range maxConnections + 20 {
			c := must.Get(net.Dial("tcp", host))(t)
			defer c.Close()
			must.Get(io.WriteString(c, sent))(t)
		}
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 5 * time.Second}
		r, err := client.Get(url + "api/datasets")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r.Body.Close()
	}
}

// TestListenerWaitsWhileConnectionsAreOpen: it accepts the next one when one is closed.
func TestListenerWaitsWhileConnectionsAreOpen(t *testing.T) {
	inner := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	l := newLimitedListener(inner, 1)
	accepted := make(chan net.Conn, 2)
	accepting := goroutine.New()
	accepting.Go(func() error {
		for {
			c, err := l.Accept()
			if err != nil {
				return nil
			}
			accepted <- c
		}
	})
	for range 2 {
		if c, err := net.Dial("tcp", inner.Addr().String()); err != nil {
			t.Fatal(err)
		} else {
			defer c.Close()
		}
	}
	first := <-accepted
	select {
	case <-accepted:
		t.Error("two connections are open")
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	first.Close() // must not make room twice
	(<-accepted).Close()
	if l.Close(); accepting.Wait() != nil || len(l.free) != 0 {
		t.Errorf("%d places taken", len(l.free))
	}
}

// certificate writes a certificate for lab.example and *.lab.example and its key, and returns a pool that trusts it.
func certificate(t *testing.T) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"Lab.example", "*.lab.example"}}
	der := must.Get(x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private))(t)
	secret := must.Get(x509.MarshalPKCS8PrivateKey(private))(t)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	os.WriteFile(cert, text, 0o600)
	os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600)
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return cert, key, pool
}

// TestTLS: the server answers under the names of its certificate, and not without TLS.
func TestTLS(t *testing.T) {
	cert, key, pool := certificate(t)
	const secret = "0123456789abcdef"
	s := newServer(t, t.TempDir(), func(o *Options) { o.Cert, o.Key, o.Token = cert, key, secret })
	url, _ := start(t, s)
	if !strings.HasPrefix(url, "https://") {
		t.Fatal(url)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "lab.example"}}}
	for host, want := range map[string]int{
		"lab.example": 200, "LAB.example.:443": 200, "a.lab.example": 200, "a.b.lab.example": 421, "other.example": 421,
	} {
		r, _ := http.NewRequest("GET", url+"api/datasets", nil)
		r.Host = host
		r.SetBasicAuth("anna", secret)
		answer := must.Get(client.Do(r))(t)
		if answer.Body.Close(); answer.StatusCode != want {
			t.Errorf("%s: %s, want %d", host, answer.Status, want)
		}
	}
	if r, err := http.Get("http" + strings.TrimPrefix(url, "https")); err == nil && r.StatusCode == 200 {
		t.Error("it answers without TLS")
	}
}

func TestCertificatesThatCannotBeRead(t *testing.T) {
	cert, key, _ := certificate(t)
	for _, o := range []Options{{Cert: cert, Key: cert}, {Cert: "none", Key: key}} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), "read certificate") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
