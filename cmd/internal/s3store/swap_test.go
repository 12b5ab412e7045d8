package s3store

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"selfplay/cmd/internal/s3store/s3test"
	"selfplay/datasets/disk"
)

const target = ".selfplay/target.json"

// TestSwapIsCompareAndSwap: an object is replaced only by a writer that has seen what it is now.
func TestSwapIsCompareAndSwap(t *testing.T) {
	d, server := open(t)
	for _, c := range []struct {
		before, after string // "" means no object
		changed       bool
	}{
		{"old", "new", true},
		{"", "first", false},
		{"", "other", true},
		{"first", "second", false},
		{"first", "other", true},
	} {
		var before []byte
		if c.before != "" {
			before = []byte(c.before)
		}
		if err := openAt(t, server).ReplaceIf(target, before, []byte(c.after)); errors.Is(err, disk.ErrChanged) != c.changed || (err != nil) != c.changed {
			t.Errorf("%q to %q: %v, want a change: %t", c.before, c.after, err, c.changed)
		}
	}
	holds(t, d, target, "second")
	if names, err := d.List(disk.TempFolder); err != nil || len(names) > 0 {
		t.Errorf("left over: %v, %v", names, err)
	}
}

// TestSwapLosesARace: another writer replaces the object between the look and the PUT.
func TestSwapLosesARace(t *testing.T) {
	for _, before := range []string{"", "old"} {
		d, server := open(t)
		var text []byte
		if before != "" {
			server.Put(t, "d/"+target, before)
			text = []byte(before)
		}
		var raced atomic.Bool
		server.SetFault(func(r *http.Request) http.HandlerFunc {
			if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, target) && raced.CompareAndSwap(false, true) {
				server.Put(t, "d/"+target, "of the other")
			}
			return nil
		})
		if err := d.ReplaceIf(target, text, []byte("mine")); !errors.Is(err, disk.ErrChanged) {
			t.Errorf("before %q: %v, want %v", before, err, disk.ErrChanged)
		}
		holds(t, d, target, "of the other")
	}
}

// TestStoreWithoutSwapIsRefused: before the target of another writer could be overwritten.
func TestStoreWithoutSwapIsRefused(t *testing.T) {
	if s3test.IsReal() {
		t.Skip("a real server refuses the signature")
	}
	d, server := open(t)
	server.Put(t, "d/"+target, "old")
	server.SetFault(func(r *http.Request) http.HandlerFunc {
		r.Header.Del("If-Match")
		return nil
	})
	if err := d.ReplaceIf(target, []byte("old"), []byte("new")); err == nil || !strings.Contains(err.Error(), "ignores If-Match") {
		t.Errorf("%v, want that the store ignores If-Match", err)
	}
	holds(t, d, target, "old")
}
