package disk

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"selfplay/internal/must"
)

// TestLockFileExcludesOthers: until it is unlocked; the file stays. A link is not locked.
func TestLockFileExcludesOthers(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	unlock, held, err := TryLockFile(name)
	if err != nil || !held {
		t.Fatalf("held %t, %v", held, err)
	}
	if _, held, err := TryLockFile(name); err != nil || held {
		t.Errorf("locked twice: held %t, %v", held, err)
	}
	must.Do(t, unlock())
	unlock, held, err = TryLockFile(name)
	if err != nil || !held {
		t.Fatalf("after unlock: held %t, %v", held, err)
	}
	must.Do(t, unlock())
	link := name + "-link"
	if err := os.Symlink(name, link); err == nil {
		if _, held, err := TryLockFile(link); held || !errors.Is(err, errNotRegular) {
			t.Errorf("a link: held %t, %v", held, err)
		}
	}
}
