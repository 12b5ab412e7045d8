package export

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
)

// TestServeAnswersUntilItIsInterrupted: it prints its address and ends without an error.
func TestServeAnswersUntilItIsInterrupted(t *testing.T) {
	dir := dataset(t, plan.List)
	if stderr := serveUntilInterrupted(t, dir, "--listen", ":0"); stderr != "" {
		t.Error(stderr)
	}
}

// TestServeWarnsOfOpenAddresses: one line on stderr says who can reach what.
func TestServeWarnsOfOpenAddresses(t *testing.T) {
	dir, token := dataset(t, plan.List), filepath.Join(t.TempDir(), "token")
	must.Do(t, os.WriteFile(token, []byte("0123456789abcdef"), 0o600))
	for _, c := range []struct {
		args []string
		want string // "" for no warning
	}{
		{[]string{"--listen", "127.0.0.1:0", "--insecure"}, ""},
		{[]string{"--listen", "0.0.0.0:0", "--insecure"}, "anyone who reaches 0.0.0.0:0 can read all files of the datasets and let this machine search"},
		{[]string{"--listen", "0.0.0.0:0", "--insecure", "--token-file", token}, "anyone on the network between can read the token"},
	} {
		stderr := serveUntilInterrupted(t, dir, c.args...)
		if !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != min(1, len(c.want)) {
			t.Errorf("%q: stderr %q, want %q", c.args, stderr, c.want)
		}
	}
}

// serveUntilInterrupted serves a dataset, reads from it unless a token is needed, and returns stderr.
func serveUntilInterrupted(t *testing.T, dir string, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stdout, address := io.Pipe()
	serving, code := goroutine.New(), -1
	var stderr strings.Builder
	serving.Go(func() error {
		code = Run(ctx, known, slices.Concat([]string{"export", "serve", "--cache", t.TempDir()}, args, []string{dir}), strings.NewReader(""), address, &stderr)
		return address.Close()
	})
	line := make([]byte, 100)
	n, err := stdout.Read(line)
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	url, ok := strings.CutSuffix(string(line[:n]), "\n")
	_, port, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"))
	if !ok || err != nil {
		t.Errorf("address %q", url)
	}
	want := http.StatusOK
	if slices.Contains(args, "--token-file") {
		want = http.StatusUnauthorized
	}
	r, err := http.Get("http://127.0.0.1:" + port + "/api/datasets/" + filepath.Base(dir))
	if err != nil || r.StatusCode != want {
		t.Errorf("%v, %v", r, err)
	} else {
		r.Body.Close()
	}
	stop()
	if err := serving.Wait(); err != nil || code != 0 {
		t.Errorf("exit code %d, %v, %s", code, err, stderr.String())
	}
	return stderr.String()
}
