package serve

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplay/engine/enginetest"
)

// certificate writes a certificate for lab.example and *.lab.example and its key, and returns a pool that trusts it.
func certificate(t *testing.T) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	enginetest.Must(t, err)
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"Lab.example", "*.lab.example"}}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	enginetest.Must(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	enginetest.Must(t, err)
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
		answer, err := client.Do(r)
		enginetest.Must(t, err)
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
