package making

import (
	"context"
	"errors"
	"strings"
	"sync"
	"syscall"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/disk"
)

// smallDisk has room for a limited number of bytes.
type smallDisk struct {
	unsynced
	mu    *sync.Mutex
	left  *int // bytes
	total uint64
}

func newSmallDisk(left int) smallDisk {
	return smallDisk{mu: new(sync.Mutex), left: &left, total: 1 << 30}
}

func (d smallDisk) Space(string) (free, total uint64, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return uint64(max(0, *d.left)), d.total, true
}

func (d smallDisk) Create(name string) (disk.File, error) {
	f, err := d.unsynced.Create(name)
	return smallFile{f, d}, err
}

type smallFile struct {
	disk.File
	d smallDisk
}

// Write writes the bytes that fit, like a real disk.
func (f smallFile) Write(p []byte) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if *f.d.left < len(p) {
		n, _ := f.File.Write(p[:max(0, *f.d.left)])
		*f.d.left = 0
		return n, syscall.ENOSPC
	}
	*f.d.left -= len(p)
	return f.File.Write(p)
}

// TestRunResumesAfterAFullDisk: wherever the disk fills up, the run fails with advice and
// leaves no temporary file, and the next run completes the dataset.
func TestRunResumesAfterAFullDisk(t *testing.T) {
	whole := made(t, fakePlan(), 6)
	want := tree(t, whole)
	for room := 0; ; room += 1500 {
		root := t.TempDir()
		o := fakeOptions()
		o.Disk = newSmallDisk(room)
		_, err := Make(context.Background(), root, fakePlan(), 6, o)
		if err == nil {
			if room < 20_000 {
				t.Errorf("%d bytes were enough", room)
			}
			break
		}
		if !errors.Is(err, datasets.ErrNoSpace) || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), spaceAdvice) {
			t.Fatalf("%d bytes: %v", room, err)
		}
		for name := range tree(t, root) {
			if strings.HasPrefix(name, disk.TempFolder) {
				t.Errorf("%d bytes: %s is left", room, name)
			}
		}
		makeIn(t, root, fakePlan(), 6, fakeOptions())
		sameTree(t, tree(t, root), want)
	}
}

// TestMinFreeStopsBeforeTheDiskIsFull.
func TestMinFreeStopsBeforeTheDiskIsFull(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		free    int
		minFree uint64
		want    string // in the error
	}{
		{10 * mib, 0, ""},
		{10 * mib, 9 * mib, ""},
		{10 * mib, 10 * mib, "10.5 MB free, want 49.2 kB for shards and 10.5 MB to spare"},
		{21 * mib, DefaultMinFree, ""}, // 2 % of a gibibyte
		{20 * mib, DefaultMinFree, "want 49.2 kB for shards and 21.5 MB to spare"},
	} {
		o := fakeOptions()
		o.Disk, o.MinFree, o.OpenShards = newSmallDisk(c.free), c.minFree, 1
		_, err := Make(context.Background(), t.TempDir(), fakePlan(), 6, o)
		if (err != nil) != (c.want != "") || err != nil && (!errors.Is(err, datasets.ErrNoSpace) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d free, %d to spare: %v, want %q", c.free, c.minFree, err, c.want)
		}
	}
	if bytesToKeepFree(DefaultMinFree, 1<<50) != 1<<30 {
		t.Error("a large disk keeps more than a gibibyte free")
	}
	if free, total, ok := disk.Space(t.TempDir()); ok && (free > total || total == 0) {
		t.Errorf("%d of %d bytes are free", free, total)
	}
}
