package spill

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"testing"

	"selfplay/internal/must"
)

// TestFileReadsBackWhatWasWritten: and leaves nothing behind; on Linux not even after a
// kill.
func TestFileReadsBackWhatWasWritten(t *testing.T) {
	for _, size := range []int{0, 1, 100_000} {
		dir := t.TempDir()
		f := must.Get(NewFile(dir, "spill-", 4096))(t)
		want := bytes.Repeat([]byte{7, 8, 9}, size)
		for part := range bytes.Lines(want) {
			must.Get(f.Write(part))(t)
		}
		if runtime.GOOS == "linux" {
			mustBeEmpty(t, dir)
		}
		r := must.Get(f.Reader())(t)
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) || r.Size() != int64(len(want)) {
			t.Errorf("read %d of %d bytes, %v", len(got), len(want), err)
		}
		must.Do(t, f.Close())
		mustBeEmpty(t, dir)
	}
}

func mustBeEmpty(t *testing.T, dir string) {
	t.Helper()
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("the folder holds %v, %v", list, err)
	}
}
