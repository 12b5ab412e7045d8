package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

// names returns the names in a folder.
func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func mustWrite(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
}

func mustRead(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %q, want %q; %v", filepath.Base(path), got, want, err)
	}
}

func text(s string) func(*File) error {
	return func(f *File) error { _, err := f.Write([]byte(s)); return err }
}

// TestWriteFileReplacesAtTheEnd: an old file stays until the new one is complete, and is
// kept if writing fails.
func TestWriteFileReplacesAtTheEnd(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "a.csv")
	must.Get(WriteFile(target, true, text("one")))(t)
	mustRead(t, target, "one")
	if path, taken := IsTaken(second(WriteFile(target, false, text("two")))); !taken || path != target {
		t.Errorf("without replace: path %q, taken %t", path, taken)
	}
	failure := errors.New("failure")
	_, err := WriteFile(target, true, func(f *File) error {
		f.Write([]byte("half"))
		mustRead(t, target, "one")
		return failure
	})
	if !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
	mustRead(t, target, "one")
	f, err := WriteFile(target, true, text("two"))
	if err != nil || f.Bytes != 3 {
		t.Errorf("%d bytes, error %v", f.Bytes, err)
	}
	mustRead(t, target, "two")
	if got := names(t, dir); !slices.Equal(got, []string{"a.csv"}) {
		t.Errorf("the folder holds %q", got)
	}
}

func second(_ *File, err error) error { return err }

// TestFolderReplacesAtTheEnd: the same for a folder, of which no old file remains.
func TestFolderReplacesAtTheEnd(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "out")
	mustWrite(t, filepath.Join(target, "old.csv"), "old")
	must.Fail(New(target, false))(t, fs.ErrExist, "")
	for _, publish := range []bool{false, true} {
		o := must.Get(New(target+"/", true))(t)
		f := must.Get(o.Create("train-00000.csv", "train", true))(t)
		f.Rows = 1
		must.Do(t, f.Finish(text("new")(f)))
		must.Get(o.Describe([]*File{f}, []encode.KeyValue{{Key: "k", Value: "v"}}, true))(t)
		mustRead(t, filepath.Join(target, "old.csv"), "old")
		if !publish {
			o.Discard()
			continue
		}
		must.Do(t, o.PublishFolder())
	}
	if got := names(t, target); !slices.Equal(got, []string{"SHA256SUMS", "metadata.json", "train-00000.csv", "train-index.json"}) {
		t.Errorf("the new folder holds %q", got)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"out"}) {
		t.Errorf("beside it are %q", got)
	}
}

// TestNewRefusesAnUnfinishedReplacement at the start: the old folder could not be moved away at the end.
func TestNewRefusesAnUnfinishedReplacement(t *testing.T) {
	target := filepath.Join(t.TempDir(), "out")
	mustWrite(t, filepath.Join(target, "a"), "new")
	mustWrite(t, filepath.Join(target+oldSuffix, "a"), "old")
	_, err := New(target, true)
	if path, taken := IsTaken(err); !taken || path != target+oldSuffix {
		t.Errorf("path %q, taken %t", path, taken)
	}
	if _, err := os.Lstat(target + newSuffix); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestNewKeepsAnUnfinishedReplacement: if a process died while it replaced a folder, the
// complete new folder is not overwritten.
func TestNewKeepsAnUnfinishedReplacement(t *testing.T) {
	target := filepath.Join(t.TempDir(), "out")
	mustWrite(t, filepath.Join(target, "a"), "old")
	mustWrite(t, filepath.Join(target+newSuffix, "a"), "new")
	if path, taken := IsTaken(second(WriteFile(target, true, text("two")))); !taken || path != target+newSuffix {
		t.Errorf("path %q, taken %t", path, taken)
	}
	mustRead(t, filepath.Join(target+newSuffix, "a"), "new")
}
