package spill

import (
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
)

// keyed writes n records of 8 bytes, each its own key.
func keyed(t *testing.T, p *Parts, n int) {
	t.Helper()
	src := rand.NewPCG(1, 2)
	for range n {
		key := src.Uint64()
		if err := p.Write(key, binary.BigEndian.AppendUint64(nil, key)); err != nil {
			t.Fatal(err)
		}
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
		p, err := New(Options{Memory: c.memory, Data: 8 * n, Share: 2, Buffer: 4096, Dir: dir, Pattern: "parts-"})
		if err != nil {
			t.Fatal(err)
		}
		keyed(t, p, n)
		if p.Len() != c.parts || p.InFiles() != (c.parts > 1) {
			t.Errorf("%s: %d parts, want %d", c.name, p.Len(), c.parts)
		}
		total := 0
		for i := range p.Len() {
			r, err := p.Reader(i)
			if err != nil {
				t.Fatal(err)
			}
			streamed, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
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
			data, err := p.Load(i)
			if err != nil {
				t.Fatal(err)
			}
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
	if _, err := New(Options{Memory: 99, Minimum: 100}); !errors.Is(err, ErrMemory) {
		t.Errorf("error %v", err)
	}
	for _, share := range []int{2, 4} {
		o := Options{Memory: 1 << 10, Data: 1 << 24, Share: share, Dir: t.TempDir()}
		if _, err := New(o); !errors.Is(err, ErrMemory) {
			t.Errorf("share %d: error %v", share, err)
		}
		o.Memory = int64(share) * (1<<24/maxParts + 1)
		p, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}
