package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"selfplay/internal/must"
)

// noLinks is a file system without hard links.
type noLinks struct{ OS }

func (noLinks) Link(_, _ string) error { return fs.ErrPermission }

// oldNoLinks cannot rename to a free name in one step either.
type oldNoLinks struct{ noLinks }

func (oldNoLinks) RenameNew(_, _ string) error { return errors.ErrUnsupported }

// TestPublishKeepsTheFirstFile: a name that is taken is an error, and both files stay.
func TestPublishKeepsTheFirstFile(t *testing.T) {
	for name, system := range map[string]FS{"links": OS{}, "no links": noLinks{}, "two steps": oldNoLinks{}} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			d := Dir{Root: root, FS: system}
			for _, file := range []string{"a", "b"} {
				must.Do(t, os.WriteFile(filepath.Join(root, file), []byte(file), 0o644))
			}
			must.Do(t, d.Publish("a", "final"))
			must.Fail(d.Publish("b", "final"))(t, fs.ErrExist, "")
			if got := string(must.Get(os.ReadFile(filepath.Join(root, "final")))(t)); got != "a" {
				t.Errorf("final is %q", got)
			}
			if got := string(must.Get(os.ReadFile(filepath.Join(root, "b")))(t)); got != "b" {
				t.Errorf("b is %q", got)
			}
		})
	}
}

// TestPublishAtTheSameTime: of several makers that publish under one name, one succeeds.
func TestPublishAtTheSameTime(t *testing.T) {
	for name, system := range map[string]FS{"links": OS{}, "no links": noLinks{}} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			d := Dir{Root: root, FS: system}
			if name == "no links" && errors.Is(renameNew(filepath.Join(root, "x"), filepath.Join(root, "y")), errors.ErrUnsupported) {
				t.Skip("this system cannot rename to a free name in one step")
			}
			for range 200 {
				if n := publishers(t, d); n != 1 {
					t.Fatalf("%d published", n)
				}
			}
		})
	}
}

// publishers publishes two files under one name at the same time and returns how many succeed.
func publishers(t *testing.T, d Dir) (succeeded int) {
	files, results := []string{"a", "b"}, make([]error, 2)
	for _, file := range files {
		must.Do(t, os.WriteFile(d.Path(file), []byte(file), 0o644))
	}
	var all sync.WaitGroup
	for i, file := range files {
		all.Go(func() { results[i] = d.Publish(file, "final") })
	}
	all.Wait()
	for _, err := range results {
		if err == nil {
			succeeded++
		}
	}
	must.Do(t, os.Remove(d.Path("final")))
	for _, file := range files {
		_ = os.Remove(d.Path(file)) // of the one that failed
	}
	return succeeded
}
