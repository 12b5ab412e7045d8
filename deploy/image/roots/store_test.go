package main

import (
	"bytes"
	"encoding/pem"
	"flag"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/internal/must"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

var (
	image = flag.String("image", "", "the root `FOLDER` of the unpacked image; needs root")
	local = flag.String("local", "", "the `FOLDER` of the local run to compare with")
)

// TestImageWritesToStore runs the image against an https store with a certificate that signs itself. The run is refused
// as long as the image does not trust that certificate. Then its dataset equals the local one. The flags of the run
// follow those of the test.
func TestImageWritesToStore(t *testing.T) {
	if *image == "" {
		t.Skip("set -image")
	}
	backend := s3mem.New()
	must.Do(t, backend.CreateBucket("datasets"))
	server := httptest.NewTLSServer(gofakes3.New(backend).Server())
	defer server.Close()
	run := func(args ...string) (string, error) {
		c := exec.Command("chroot", append([]string{"--userspec=65532:65532", *image, "/selfplay"}, args...)...)
		c.Env = []string{
			"SELFPLAY_SCRATCH=/scratch", "AWS_ENDPOINT_URL=" + server.URL, "AWS_REGION=us-east-1",
			"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=testtest", "AWS_EC2_METADATA_DISABLED=true",
		}
		text, err := c.CombinedOutput()
		return string(text), err
	}
	play := append([]string{"run", "--out", "s3://datasets/d"}, flag.Args()...)
	if text, err := run(play...); err == nil || !strings.Contains(text, "unknown authority") {
		t.Fatalf("%v without the certificate: %s", err, text)
	}
	trust(t, server)
	for _, args := range [][]string{play, {"verify", "--deep", "s3://datasets/d"}} {
		if text, err := run(args...); err != nil {
			t.Fatalf("%q: %v: %s", args, err, text)
		}
	}
	if !bytes.Equal(manifest(t, backend), read(t, filepath.Join(*local, "manifest.json"))) {
		t.Error("the manifest differs from the local one") // and with it a file: verify compares each with the manifest
	}
}

// trust adds the certificate of the server to those of the image.
func trust(t *testing.T, server *httptest.Server) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(*image, "etc/ssl/certs/ca-certificates.crt"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		err = pem.Encode(f, &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
		f.Close()
	}
	must.Do(t, err)
}

// manifest returns the manifest in the store.
func manifest(t *testing.T, backend gofakes3.Backend) []byte {
	t.Helper()
	o := must.Get(backend.GetObject("datasets", "d/manifest.json", nil))(t)
	defer o.Contents.Close()
	data := must.Get(io.ReadAll(o.Contents))(t)
	return data
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data := must.Get(os.ReadFile(file))(t)
	return data
}
