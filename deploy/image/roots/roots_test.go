package main

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"testing"

	"selfplay/internal/must"
)

// TestRootsAreAuthorities: all parse, are authorities, and those of Amazon S3, Google and Let's Encrypt are among them.
func TestRootsAreAuthorities(t *testing.T) {
	var b bytes.Buffer
	must.Do(t, write(&b))
	names := map[string]bool{}
	for block, rest := pem.Decode(b.Bytes()); block != nil; block, rest = pem.Decode(rest) {
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil || !c.IsCA {
			t.Fatal(c, err)
		}
		names[c.Subject.CommonName] = true
	}
	for _, want := range []string{"Amazon Root CA 1", "GTS Root R1", "ISRG Root X1", "DigiCert Global Root G2"} {
		if !names[want] {
			t.Errorf("no root %q", want)
		}
	}
	if !x509.NewCertPool().AppendCertsFromPEM(b.Bytes()) || len(names) < 100 {
		t.Errorf("%d roots", len(names))
	}
}
