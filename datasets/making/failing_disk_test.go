package making

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

var errDisk = errors.New("disk error")

// failingDisk counts the operations of a disk and makes some of them fail.
type failingDisk struct {
	disk.FS
	mu   sync.Mutex
	n    int  // operations so far
	fail int  // this operation fails; 0 for none
	dead bool // all later operations fail too
	flip int  // one bit of this byte of positions files is flipped; 0 for none
}

// count counts an operation and returns errDisk if it fails.
func (d *failingDisk) count() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
	if d.n == d.fail || d.dead && d.n > d.fail && d.fail > 0 {
		return errDisk
	}
	return nil
}

// attempt runs an operation unless it fails.
func (d *failingDisk) attempt(op func() error) error {
	if err := d.count(); err != nil {
		return err
	}
	return op()
}

func (d *failingDisk) MkdirAll(name string) error {
	return d.attempt(func() error { return d.FS.MkdirAll(name) })
}

func (d *failingDisk) Link(old, name string) error {
	return d.attempt(func() error { return d.FS.Link(old, name) })
}

func (d *failingDisk) Rename(old, name string) error {
	return d.attempt(func() error { return d.FS.Rename(old, name) })
}

func (d *failingDisk) Remove(root, name string) error {
	return d.attempt(func() error { return d.FS.Remove(root, name) })
}

func (d *failingDisk) SyncDir(name string) error {
	return d.attempt(func() error { return d.FS.SyncDir(name) })
}

func (d *failingDisk) Stat(name string) (info fs.FileInfo, err error) {
	err = d.attempt(func() error { info, err = d.FS.Stat(name); return err })
	return info, err
}

func (d *failingDisk) Lstat(name string) (info fs.FileInfo, err error) {
	err = d.attempt(func() error { info, err = d.FS.Lstat(name); return err })
	return info, err
}

func (d *failingDisk) ReadDir(name string) (entries []fs.DirEntry, err error) {
	err = d.attempt(func() error { entries, err = d.FS.ReadDir(name); return err })
	return entries, err
}

func (d *failingDisk) Create(name string) (disk.File, error) { return d.open(name, d.FS.Create) }
func (d *failingDisk) Open(name string) (disk.File, error)   { return d.open(name, d.FS.Open) }

func (d *failingDisk) open(name string, open func(string) (disk.File, error)) (disk.File, error) {
	if err := d.count(); err != nil {
		return nil, err
	}
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	return &failingFile{f, d, strings.Contains(name, "positions-"), 0}, nil
}

type failingFile struct {
	disk.File
	d         *failingDisk
	positions bool // it is a positions file
	n         int  // bytes written
}

func (f *failingFile) Write(p []byte) (int, error) {
	if err := f.d.count(); err != nil {
		return 0, err
	}
	if at := f.d.flip - f.n; f.positions && at > 0 && at < len(p) {
		p = bytes.Clone(p)
		p[at] ^= 1
	}
	f.n += len(p)
	return f.File.Write(p)
}

func (f *failingFile) Sync() error {
	return f.d.attempt(f.File.Sync)
}

func (f *failingFile) Close() error {
	return errors.Join(f.d.count(), f.File.Close())
}

// panicsAt returns a Rows whose functions panic at a game.
func panicsAt(game uint64) func() datasets.RowFunc {
	return func() datasets.RowFunc {
		rows := fakeRows()
		return func(r *engine.Record, t *encode.Table, dropped []uint64) error {
			if r.Game == game {
				panic("no such cell")
			}
			return rows(r, t, dropped)
		}
	}
}

// TestPanicInAShardEndsTheRun: with an error, without temporary files, without a lock. The
// next run makes the same dataset as a run without a panic.
func TestPanicInAShardEndsTheRun(t *testing.T) {
	root, whole, o := t.TempDir(), t.TempDir(), fakeOptions()
	o.Rows = panicsAt(4)
	_, err := Make(context.Background(), root, fakePlan(), 11, o)
	var caught *goroutine.PanicError
	if !errors.As(err, &caught) || errors.Is(err, fault.ErrIncomplete) {
		t.Fatalf("%v, want a panic", err)
	}
	for name := range tree(t, root) {
		if strings.HasPrefix(name, disk.TempFolder) {
			t.Errorf("%s is left over", name)
		}
	}
	makeIn(t, root, fakePlan(), 11, fakeOptions())
	makeIn(t, whole, fakePlan(), 11, fakeOptions())
	sameTree(t, tree(t, root), tree(t, whole))
}
