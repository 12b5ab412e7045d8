package spill

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
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

// keyed writes n records of 8 bytes, each its own key.
func keyed(t *testing.T, p *Parts, n int) {
	t.Helper()
	src := rand.NewPCG(1, 2)
	for range n {
		key := src.Uint64()
		must.Do(t, p.Write(key, binary.BigEndian.AppendUint64(nil, key)))
	}
}

// TestPartsDivideRecordsByTheirKeys: every record comes back, in the part of the highest
// bits of its key, whether it is streamed or loaded.
func TestPartsDivideRecordsByTheirKeys(t *testing.T) {
	const n = 10_000
	for _, c := range []struct {
		name   string
		memory int64
		parts  int
	}{{"in memory", 16 * n, 1}, {"two files", 16*n - 2, 2}, {"many files", 1 << 10, 256}} {
		dir := t.TempDir()
		p := must.Get(New(Options{Memory: c.memory, Data: 8 * n, Share: 2, Buffer: 4096, Dir: dir, Pattern: "parts-"}))(t)
		keyed(t, p, n)
		if p.Len() != c.parts || p.InFiles() != (c.parts > 1) {
			t.Errorf("%s: %d parts, want %d", c.name, p.Len(), c.parts)
		}
		total := 0
		for i := range p.Len() {
			r := must.Get(p.Reader(i))(t)
			streamed := must.Get(io.ReadAll(r))(t)
			for b := streamed; len(b) > 0; b = b[8:] {
				if key := binary.BigEndian.Uint64(b); c.parts > 1 && int(key>>p.shift) != i {
					t.Fatalf("%s: key %x is in part %d", c.name, key, i)
				}
			}
			total += len(streamed)
		}
		if total != 8*n {
			t.Errorf("%s: read %d of %d bytes", c.name, total, 8*n)
		}
		loaded := 0
		for i := range p.Len() {
			data := must.Get(p.Load(i))(t)
			loaded += len(data)
		}
		if err := p.Close(); err != nil || loaded != 8*n {
			t.Errorf("%s: loaded %d of %d bytes, %v", c.name, loaded, 8*n, err)
		}
		mustBeEmpty(t, dir)
	}
}

// TestTooLittleMemoryNamesEnough: with the amount that the error asks for, New succeeds.
func TestTooLittleMemoryNamesEnough(t *testing.T) {
	must.Fail(New(Options{Memory: 99, Minimum: 100}))(t, ErrMemory, "")
	for _, share := range []int{2, 4} {
		o := Options{Memory: 1 << 10, Data: 1 << 24, Share: share, Dir: t.TempDir()}
		must.Fail(New(o))(t, ErrMemory, "")
		o.Memory = int64(share) * (1<<24/maxParts + 1)
		p := must.Get(New(o))(t)
		must.Do(t, p.Close())
	}
}
