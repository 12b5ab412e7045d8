package export

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/internal/goroutine"
)

// TestServeAnswersUntilItIsInterrupted: it prints its address and ends without an error.
func TestServeAnswersUntilItIsInterrupted(t *testing.T) {
	dir := dataset(t, datasets.List)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stdout, address := io.Pipe()
	serving, code := goroutine.New(), -1
	var stderr strings.Builder
	serving.Go(func() error {
		code = Run(ctx, known, []string{"export", "serve", "--listen", ":0", "--cache", t.TempDir(), dir}, strings.NewReader(""), address, &stderr)
		return address.Close()
	})
	line := make([]byte, 100)
	n, err := stdout.Read(line)
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	url, ok := strings.CutSuffix(string(line[:n]), "\n")
	if !ok || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("address %q", url)
	}
	r, err := http.Get(url + "api/datasets/" + filepath.Base(dir))
	if err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("%v, %v", r, err)
	} else {
		r.Body.Close()
	}
	stop()
	if err := serving.Wait(); err != nil || code != 0 || stderr.String() != "" {
		t.Errorf("exit code %d, %v, %s", code, err, stderr.String())
	}
}

func TestServeRefusals(t *testing.T) {
	dir := dataset(t, datasets.List)
	short := filepath.Join(t.TempDir(), "token")
	os.WriteFile(short, []byte("short"), 0o600)
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o600)
	for want, args := range map[string][]string{
		"want a folder that can be written to":                                  {"--cache", filepath.Join(file, "cache"), dir},
		"no directory: want export serve [flags] DIR...":                        {},
		"no such directory":                                                     {filepath.Join(dir, "none")},
		"other machines could read the datasets":                                {"--listen", "0.0.0.0:0", dir},
		"want an address such as 127.0.0.1:8642 or :8642":                            {"--listen", "8642", dir},
		"TLS needs both":                                                        {"--tls-cert", "c.pem", dir},
		"listen on \"127.0.0.1:99999\": want an address":                        {"--listen", "127.0.0.1:99999", dir},
		"bind: address already in use: choose another --listen":                 {"--listen", busy.Addr().String(), dir},
		"host \"lab.example:8642\": want a name such as lab.example, without a port": {"--host", "lab.example:8642", dir},
		"want one line of 16 or more":                                           {"--token-file", short, dir},
		"read token: ":                                                          {"--token-file", "none", dir},
	} {
		mustRefuse(t, export(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...), 2, want)
	}
}
