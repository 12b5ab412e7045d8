package spill

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"testing"
)

// TestFileReadsBackWhatWasWritten: and leaves nothing behind; on Linux not even after a
// kill.
func TestFileReadsBackWhatWasWritten(t *testing.T) {
	for _, size := range []int{0, 1, 100_000} {
		dir := t.TempDir()
		f, err := NewFile(dir, "spill-", 4096)
		if err != nil {
			t.Fatal(err)
		}
		want := bytes.Repeat([]byte{7, 8, 9}, size)
		for part := range bytes.Lines(want) {
			if _, err := f.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		if runtime.GOOS == "linux" {
			mustBeEmpty(t, dir)
		}
		r, err := f.Reader()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) || r.Size() != int64(len(want)) {
			t.Errorf("read %d of %d bytes, %v", len(got), len(want), err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		mustBeEmpty(t, dir)
	}
}

func mustBeEmpty(t *testing.T, dir string) {
	t.Helper()
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("the folder holds %v, %v", list, err)
	}
}
