package datasets

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// drafted begins a draft and puts a file into it.
func drafted(t *testing.T, target string) *Draft {
	t.Helper()
	d, err := NewDraft(target)
	if err == nil {
		err = os.WriteFile(d.Path("a"), []byte("1"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
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

func TestADraftBecomesItsTarget(t *testing.T) {
	dir := t.TempDir()
	folder, file := filepath.Join(dir, "folder"), filepath.Join(dir, "file")
	d := drafted(t, folder+"/")
	mustHold(t, dir, "folder.partial")
	if err := d.Publish(); err != nil {
		t.Fatal(err)
	}
	mustHold(t, folder, "a")
	d = drafted(t, file)
	if err := d.PublishFile("a"); err != nil {
		t.Fatal(err)
	}
	mustHold(t, dir, "file", "folder")
	if data, err := os.ReadFile(file); string(data) != "1" {
		t.Errorf("%q, %v", data, err)
	}
	drafted(t, filepath.Join(dir, "none")).Discard()
	mustHold(t, dir, "file", "folder")
}

// TestADraftSweepsNothingOfOthers: a folder without a lock, a file or a link that has the
// name of the draft stays, and so does what the link leads to.
func TestADraftSweepsNothingOfOthers(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	for _, err := range []error{
		os.Mkdir(home, 0o755), os.WriteFile(filepath.Join(home, "thesis.tex"), nil, 0o644),
		os.Mkdir(filepath.Join(dir, "a.partial"), 0o755), os.WriteFile(filepath.Join(dir, "a.partial", "thesis.tex"), nil, 0o644),
		os.Symlink("home", filepath.Join(dir, "b.partial")), os.WriteFile(filepath.Join(dir, "c.partial"), nil, 0o644),
		os.Mkdir(filepath.Join(dir, "d.partial"), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range []string{"a", "b", "c"} {
		if _, err := NewDraft(filepath.Join(dir, target)); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", target, err)
		}
	}
	drafted(t, filepath.Join(dir, "d")).Discard() // empty: of one that was killed at once
	mustHold(t, dir, "a.partial", "b.partial", "c.partial", "home")
	mustHold(t, home, "thesis.tex")
	mustHold(t, filepath.Join(dir, "a.partial"), "thesis.tex")
}

// TestADraftTouchesNoTargetThatIsThere, before it begins or after.
func TestADraftTouchesNoTargetThatIsThere(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	come := func() {
		if err := os.WriteFile(target, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, publish := range []func(*Draft) error{(*Draft).Publish, func(d *Draft) error { return d.PublishFile("a") }} {
		d := drafted(t, target)
		come()
		if err := publish(d); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%v", err)
		}
		mustHold(t, dir, "target")
		if _, err := NewDraft(target); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%v", err)
		}
		if data, _ := os.ReadFile(target); string(data) != "mine" {
			t.Errorf("it holds %q", data)
		}
		if err := os.Remove(target); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := NewDraft(filepath.Join(dir, "none", "target")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestADraftOfTheDeadIsSwept, one of the living is not.
func TestADraftOfTheDeadIsSwept(t *testing.T) {
	if !haveFlock {
		t.Skip("no locks here")
	}
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	d := drafted(t, target)
	if _, err := NewDraft(target); !errors.Is(err, ErrLocked) {
		t.Errorf("%v", err)
	}
	mustHold(t, target+".partial", ".lock", "a")
	d.lock.f.Close() // as a kill does
	if err := os.MkdirAll(d.Path("b/c"), 0o755); err != nil {
		t.Fatal(err)
	}
	again, err := NewDraft(target)
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, target+".partial", ".lock")
	if err := again.Publish(); err != nil {
		t.Fatal(err)
	}
	mustHold(t, target)
	mustHold(t, dir, "target")
}
