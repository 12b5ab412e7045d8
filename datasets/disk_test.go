package datasets

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"
)

var errBroken = errors.New("disk is broken")

// brokenDisk fails operations by number: the one at fail, and all after it if
// dead is set, as when the power goes.
type brokenDisk struct {
	osDisk
	mu   sync.Mutex
	fail int
	dead bool
	n    int
	flip int // a bit of this byte of positions files is changed; 0 for none
}

func (d *brokenDisk) step() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
	if d.n == d.fail || d.dead && d.n > d.fail && d.fail > 0 {
		return errBroken
	}
	return nil
}

// guarded runs an operation unless it is to fail.
func guarded(d *brokenDisk, op func() error) error {
	if err := d.step(); err != nil {
		return err
	}
	return op()
}

func (d *brokenDisk) MkdirAll(name string) error {
	return guarded(d, func() error { return d.osDisk.MkdirAll(name) })
}

func (d *brokenDisk) Link(old, name string) error {
	return guarded(d, func() error { return d.osDisk.Link(old, name) })
}

func (d *brokenDisk) Rename(old, name string) error {
	return guarded(d, func() error { return d.osDisk.Rename(old, name) })
}

func (d *brokenDisk) Remove(name string) error {
	return guarded(d, func() error { return d.osDisk.Remove(name) })
}

func (d *brokenDisk) SyncDir(name string) error {
	return guarded(d, func() error { return d.osDisk.SyncDir(name) })
}

func (d *brokenDisk) Stat(name string) (info fs.FileInfo, err error) {
	err = guarded(d, func() error { info, err = d.osDisk.Stat(name); return err })
	return info, err
}

func (d *brokenDisk) ReadDir(name string) (entries []fs.DirEntry, err error) {
	err = guarded(d, func() error { entries, err = d.osDisk.ReadDir(name); return err })
	return entries, err
}

func (d *brokenDisk) Create(name string) (diskFile, error) { return d.open(name, d.osDisk.Create) }
func (d *brokenDisk) Open(name string) (diskFile, error)   { return d.open(name, d.osDisk.Open) }

func (d *brokenDisk) open(name string, open func(string) (diskFile, error)) (diskFile, error) {
	if err := d.step(); err != nil {
		return nil, err
	}
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	return &brokenFile{f, d, strings.Contains(name, "positions-"), 0}, nil
}

type brokenFile struct {
	diskFile
	d    *brokenDisk
	data bool
	n    int // bytes written
}

func (f *brokenFile) Write(p []byte) (int, error) {
	if err := f.d.step(); err != nil {
		return 0, err
	}
	if at := f.d.flip - f.n; f.data && at > 0 && at < len(p) {
		p = bytes.Clone(p)
		p[at] ^= 1
	}
	f.n += len(p)
	return f.diskFile.Write(p)
}

func (f *brokenFile) Sync() error {
	return guarded(f.d, f.diskFile.Sync)
}

func (f *brokenFile) Close() error {
	return errors.Join(f.d.step(), f.diskFile.Close())
}

// Whatever single operation fails, and wherever everything ends: the next run
// makes the dataset that it would have been.
func TestEveryDiskErrorIsSurvived(t *testing.T) {
	want := func() map[string]string {
		root := t.TempDir()
		makeIn(t, root, fakePlan(), 8, fakeOptions())
		return tree(t, root)
	}()
	for _, dead := range []bool{false, true} {
		for fail := 1; ; fail++ {
			root := t.TempDir()
			makeIn(t, root, fakePlan(), 4, fakeOptions()) // the second shard is short
			disk := &brokenDisk{fail: fail, dead: dead}
			o := fakeOptions()
			o.disk, o.Open = disk, 1
			_, err := Make(context.Background(), root, fakePlan(), 8, o)
			if disk.n < fail {
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%d operations", disk.n)
				break
			}
			if err != nil && !errors.Is(err, errBroken) {
				t.Fatalf("operation %d: %v", fail, err)
			}
			if got := problems(t, root, Sums); got != "" {
				t.Errorf("operation %d: problems of %q", fail, got)
			}
			makeIn(t, root, fakePlan(), 8, fakeOptions())
			sameTree(t, tree(t, root), want)
			if t.Failed() {
				t.Fatalf("operation %d", fail)
			}
		}
	}
}

// A disk that changes what it is given is found before the shard counts.
func TestCheckFindsWhatTheDiskChanged(t *testing.T) {
	for _, f := range formats {
		whole := t.TempDir()
		makeIn(t, whole, f.plan(), 3, fakeOptions())
		size := len(tree(t, whole)["positions/train-00000."+f.format])
		root := t.TempDir()
		for flip := 1; flip < size; flip += size / 31 {
			o := fakeOptions()
			o.disk = &brokenDisk{flip: flip}
			if _, err := Make(context.Background(), root, f.plan(), 3, o); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%s: byte %d of %d: %v, want ErrCorrupt", f.name, flip, size, err)
			}
		}
		makeIn(t, root, f.plan(), 3, fakeOptions())
		sameTree(t, tree(t, root), tree(t, whole))
	}
}
