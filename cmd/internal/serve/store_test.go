//go:build !nos3

package serve

import (
	"slices"
	"strings"
	"testing"

	"selfplay/cmd/internal/s3store"
	"selfplay/cmd/internal/s3store/s3test"
	"selfplay/cmd/internal/serve/servetest"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

// TestDatasetsInStoresAreServed: list, files with ranges, and streams.
func TestDatasetsInStoresAreServed(t *testing.T) {
	store, scratch := s3test.Start(t), t.TempDir()
	disk.Register("s3", func(url string) (disk.Dir, error) {
		return s3store.Open(url, s3store.Settings{Scratch: scratch})
	})
	root := servetest.Make(t, "s3://"+store.Bucket, "night", servetest.Dataset{Game: "chess"})
	s := newServer(t, root, nil)
	files := askJSON[struct {
		Files []struct{ URL, SHA256 string }
	}](t, s, "/api/datasets/night/files?table=positions").Files
	if len(files) != 6 {
		t.Fatalf("%+v", files)
	}
	for _, f := range files {
		w := ask(s, "GET", f.URL, nil)
		if w.Code != 200 || w.Header().Get("ETag") != `"`+f.SHA256+`"` || !strings.HasPrefix(w.Body.String(), "PAR1") {
			t.Errorf("%s: %d %v", f.URL, w.Code, w.Header())
		}
	}
	w := ask(s, "GET", "/stream?dataset=night", nil)
	if got, want := rowsOf(t, w.Body.Bytes()), keysOf(t, root, plan.Train); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	if w := ask(s, "GET", "/files/night/plan.json", nil); w.Code != 200 {
		t.Errorf("plan: %d %s", w.Code, w.Body)
	}
}
