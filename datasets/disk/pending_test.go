package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"selfplay/internal/must"
)

// pending begins an output and puts a file into it.
func pending(t *testing.T, target string) *Pending {
	t.Helper()
	p := must.Get(NewPending(target))(t)
	must.Do(t, os.WriteFile(p.Path("a"), []byte("1"), 0o644))
	return p
}

// mustHold checks the names in a folder.
func mustHold(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	same := err == nil && len(entries) == len(want)
	for i := range min(len(entries), len(want)) {
		same = same && entries[i].Name() == want[i]
	}
	if !same {
		t.Errorf("%s holds %v, want %q; %v", dir, entries, want, err)
	}
}

func TestPendingBecomesItsTarget(t *testing.T) {
	dir := t.TempDir()
	folder, file := filepath.Join(dir, "folder"), filepath.Join(dir, "file")
	d := pending(t, folder+"/")
	mustHold(t, dir, "folder.partial")
	must.Do(t, d.Publish())
	mustHold(t, folder, "a")
	d = pending(t, file)
	must.Do(t, d.PublishFile("a"))
	mustHold(t, dir, "file", "folder")
	if data, err := os.ReadFile(file); string(data) != "1" {
		t.Errorf("%q, %v", data, err)
	}
	pending(t, filepath.Join(dir, "none")).Discard()
	mustHold(t, dir, "file", "folder")
}

// TestPendingSweepsNoForeignFiles: a folder without a lock file, a file or a
// link named TARGET.partial stays, and so does what the link points to.
func TestPendingSweepsNoForeignFiles(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	for _, err := range []error{
		os.Mkdir(home, 0o755), os.WriteFile(filepath.Join(home, "thesis.tex"), nil, 0o644),
		os.Mkdir(filepath.Join(dir, "a.partial"), 0o755), os.WriteFile(filepath.Join(dir, "a.partial", "thesis.tex"), nil, 0o644),
		os.Symlink("home", filepath.Join(dir, "b.partial")), os.WriteFile(filepath.Join(dir, "c.partial"), nil, 0o644),
		os.Mkdir(filepath.Join(dir, "d.partial"), 0o755),
	} {
		must.Do(t, err)
	}
	for _, target := range []string{"a", "b", "c"} {
		must.Fail(NewPending(filepath.Join(dir, target)))(t, fs.ErrExist, "")
	}
	pending(t, filepath.Join(dir, "d")).Discard() // empty: its process was killed at once
	mustHold(t, dir, "a.partial", "b.partial", "c.partial", "home")
	mustHold(t, home, "thesis.tex")
	mustHold(t, filepath.Join(dir, "a.partial"), "thesis.tex")
}

// TestPendingKeepsAnExistingTarget: whether it appears before the output is begun
// or after.
func TestPendingKeepsAnExistingTarget(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	come := func() {
		must.Do(t, os.WriteFile(target, []byte("mine"), 0o644))
	}
	for _, publish := range []func(*Pending) error{(*Pending).Publish, func(d *Pending) error { return d.PublishFile("a") }} {
		d := pending(t, target)
		come()
		must.Fail(publish(d))(t, fs.ErrExist, "")
		mustHold(t, dir, "target")
		must.Fail(NewPending(target))(t, fs.ErrExist, "")
		if data, _ := os.ReadFile(target); string(data) != "mine" {
			t.Errorf("it holds %q", data)
		}
		must.Do(t, os.Remove(target))
	}
	must.Fail(NewPending(filepath.Join(dir, "none", "target")))(t, fs.ErrNotExist, "")
}

// TestPendingOfADeadProcessIsSwept: that of a live process is not.
func TestPendingOfADeadProcessIsSwept(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	d := pending(t, target)
	must.Fail(NewPending(target))(t, ErrLocked, "")
	mustHold(t, target+".partial", ".lock", "a")
	d.lock.Close() // as a kill does
	must.Do(t, os.MkdirAll(d.Path("b/c"), 0o755))
	again := must.Get(NewPending(target))(t)
	mustHold(t, target+".partial", ".lock")
	must.Do(t, again.Publish())
	mustHold(t, target)
	mustHold(t, dir, "target")
}

// TestReplacedPendingFolderIsNotSwept: in a folder like /tmp, another user may put a link in
// the place of a pending folder at any moment.
func TestReplacedPendingFolderIsNotSwept(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for _, name := range []string{"thesis.tex", pendingLock} {
		must.Do(t, os.WriteFile(filepath.Join(outside, name), []byte("mine"), 0o644))
	}
	p := pending(t, filepath.Join(dir, "target"))
	must.Do(t, os.Rename(p.Dir(), filepath.Join(dir, "moved")))
	if err := os.Symlink(outside, p.Dir()); err != nil {
		t.Skip(err)
	}
	must.Fail(p.sweep())(t, errReplaced, "")
	p.Discard()
	mustHold(t, outside, pendingLock, "thesis.tex")
	mustHold(t, filepath.Join(dir, "moved"), pendingLock, "a")
}
