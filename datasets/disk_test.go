package datasets

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
	"strings"
	"sync"
	"testing"
)

var errBroken = errors.New("disk is broken")

// brokenDisk fails operations by number: the one at fail, and all after it if
// dead is set, as when the power goes.
type brokenDisk struct {
	disk.FS
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
	return guarded(d, func() error { return d.FS.MkdirAll(name) })
}

func (d *brokenDisk) Link(old, name string) error {
	return guarded(d, func() error { return d.FS.Link(old, name) })
}

func (d *brokenDisk) Rename(old, name string) error {
	return guarded(d, func() error { return d.FS.Rename(old, name) })
}

func (d *brokenDisk) Remove(name string) error {
	return guarded(d, func() error { return d.FS.Remove(name) })
}

func (d *brokenDisk) SyncDir(name string) error {
	return guarded(d, func() error { return d.FS.SyncDir(name) })
}

func (d *brokenDisk) Stat(name string) (info fs.FileInfo, err error) {
	err = guarded(d, func() error { info, err = d.FS.Stat(name); return err })
	return info, err
}

func (d *brokenDisk) ReadDir(name string) (entries []fs.DirEntry, err error) {
	err = guarded(d, func() error { entries, err = d.FS.ReadDir(name); return err })
	return entries, err
}

func (d *brokenDisk) Create(name string) (disk.File, error) { return d.open(name, d.FS.Create) }
func (d *brokenDisk) Open(name string) (disk.File, error)   { return d.open(name, d.FS.Open) }

func (d *brokenDisk) open(name string, open func(string) (disk.File, error)) (disk.File, error) {
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
	disk.File
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
	return f.File.Write(p)
}

func (f *brokenFile) Sync() error {
	return guarded(f.d, f.File.Sync)
}

func (f *brokenFile) Close() error {
	return errors.Join(f.d.step(), f.File.Close())
}

// torture makes tests try everything, for hours if need be: see make torture.
var torture = flag.Bool("torture", false, "try every failure in every way")

// failures are the ways in which a disk fails that the test below tries: one operation,
// or all from one on; and then what a power cut does to what was not synced.
var failures = []struct {
	name  string
	dead  bool
	short bool // tried on a new dataset too without -torture
	cut   func(d *memoryDisk, seed int) *memoryDisk
}{
	{"one error", false, true, func(d *memoryDisk, _ int) *memoryDisk { return d }},
	{"killed", true, false, func(d *memoryDisk, _ int) *memoryDisk { return d }},
	{"power cut", true, false, func(d *memoryDisk, _ int) *memoryDisk { return d.cutPower(nil) }},
	{"power cut, some is kept", true, true, func(d *memoryDisk, seed int) *memoryDisk {
		return d.cutPower(rand.New(rand.NewPCG(1, uint64(seed))))
	}},
}

// beginnings are the states before the run that fails, and how many games it is for:
// three shards, the last of them short.
var beginnings = []struct {
	name  string
	games uint64
	state func(t *testing.T, root string, o Options)
}{
	{"new", 7, func(*testing.T, string, Options) {}},
	{"stopped", 8, func(t *testing.T, root string, o Options) { // has journals
		makeIn(t, root, fakePlan(), 4, o)
		ctx, cancel := context.WithCancel(context.Background())
		o.Open, o.Play = 1, stopAfter(2, cancel)
		if _, err := Make(ctx, root, fakePlan(), 8, o); !errors.Is(err, ErrIncomplete) {
			t.Fatal(err)
		}
	}},
	{"extended", 8, func(t *testing.T, root string, o Options) { makeIn(t, root, fakePlan(), 4, o) }}, // its second shard is short
}

// Whatever single operation fails, and wherever everything ends: what is there then is
// a dataset without a flaw, and the next run makes the one that it would have been.
// Games are in journals: their files are written, synced, read and removed on the way.
func TestEveryDiskErrorIsSurvived(t *testing.T) {
	journalSync = 0 // after each game
	defer func() { journalSync = journal.SyncInterval }()
	for _, b := range beginnings {
		whole := t.TempDir()
		makeIn(t, whole, fakePlan(), b.games, fakeOptions())
		want := tree(t, whole)
		root := filepath.Join(t.TempDir(), "dataset")
		if err := os.MkdirAll(filepath.Join(root, disk.TempFolder), 0o755); err != nil { // of the lock
			t.Fatal(err)
		}
		o, before := fakeOptions(), newMemoryDisk()
		o.disk = before
		b.state(t, root, o)
		before = before.cutPower(nil) // which is what was synced
		for _, f := range failures {
			if b.name == "new" && !f.short && !*torture {
				continue
			}
			t.Run(b.name+", "+f.name, func(t *testing.T) {
				rounds := 1
				if *torture && f.dead {
					rounds = 20
				}
				for seed := range rounds {
					for fail := 1; failAt(t, before, root, b.games, fail, f.dead, func(d *memoryDisk) *memoryDisk {
						return f.cut(d, 1000*seed+fail)
					}, want); fail += stride {
						if t.Failed() {
							t.Fatalf("operation %d", fail)
						}
					}
				}
			})
		}
	}
}

// failAt makes a dataset on a disk that fails at an operation; false if there are not
// so many. What it left is looked at, as after has it, and then completed.
func failAt(t *testing.T, before *memoryDisk, root string, games uint64, fail int, dead bool, after func(*memoryDisk) *memoryDisk, want map[string]string) bool {
	t.Helper()
	memory := before.cutPower(nil)
	broken := &brokenDisk{FS: memory, fail: fail, dead: dead}
	o := fakeOptions()
	o.disk, o.Open = broken, 1
	_, err := Make(context.Background(), root, fakePlan(), games, o)
	if broken.n < fail {
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d operations", broken.n)
		return false
	}
	if err != nil && !errors.Is(err, errBroken) {
		t.Fatalf("operation %d: %v", fail, err)
	}
	memory = after(memory)
	if state := visible(memory, root); !checked[state] {
		checked[state] = true
		left := filepath.Join(filepath.Dir(root), "left")
		if memory.copy(t, root, left); exists(t, left, planName) {
			if got := problems(t, left, VerifySums); got != "" {
				t.Errorf("operation %d: problems of %q", fail, got)
			}
		}
	}
	o.disk = memory
	if _, err := Make(context.Background(), root, fakePlan(), games, o); err != nil {
		t.Fatalf("operation %d: the next run: %v", fail, err)
	}
	sameTree(t, memory.tree(root), want)
	return true
}

// checked are states of disks that Verify has nothing against.
var checked = map[string]bool{}

// visible tells states apart by all that Verify looks at.
func visible(d *memoryDisk, root string) string {
	files := d.tree(root)
	maps.DeleteFunc(files, func(name, _ string) bool {
		return strings.HasPrefix(name, disk.TempFolder) || strings.HasPrefix(name, journal.Folder)
	})
	if target := d.get(filepath.Join(root, targetName)); target != nil {
		files[targetName] = string(target.data)
	}
	return fmt.Sprint(files) // in the order of names
}

func exists(t *testing.T, root, name string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(root, name))
	return err == nil
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
			o.disk = &brokenDisk{FS: unsynced{}, flip: flip}
			if _, err := Make(context.Background(), root, f.plan(), 3, o); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%s: byte %d of %d: %v, want ErrCorrupt", f.name, flip, size, err)
			}
		}
		makeIn(t, root, f.plan(), 3, fakeOptions())
		sameTree(t, tree(t, root), tree(t, whole))
	}
}
