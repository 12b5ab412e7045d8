package export

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/internal/goroutine"
)

// TestServeAnswersUntilItIsInterrupted: it prints its address and ends without an error.
func TestServeAnswersUntilItIsInterrupted(t *testing.T) {
	dir := dataset(t, plan.List)
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
