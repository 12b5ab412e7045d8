package making

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// memoryDisk is a disk in memory that can simulate a power cut. It remembers the bytes of
// each file and the names in each folder as of their last sync. Folders survive without a
// sync.
type memoryDisk struct {
	mu      sync.Mutex
	folders map[string]map[string]*memoryInode // by path, then name
	synced  map[string]map[string]*memoryInode
}

type memoryInode struct {
	data, synced []byte
	folder       bool
}

func newMemoryDisk() *memoryDisk {
	return &memoryDisk{folders: map[string]map[string]*memoryInode{}, synced: map[string]map[string]*memoryInode{}}
}

// cutPower returns a copy of the disk after a power cut. If src is nil, all unsynced
// changes are lost. Otherwise src decides for each unsynced name whether it survives, and
// how many of the unsynced bytes of each file do. A renamed name refers to the old file or
// to the new one, because journaling file systems rename atomically.
func (d *memoryDisk) cutPower(src *rand.Rand) *memoryDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	survives := func() bool { return src != nil && src.IntN(2) == 0 }
	after := newMemoryDisk()
	copies := map[*memoryInode]*memoryInode{} // a file with two names stays one file
	for _, folder := range slices.Sorted(maps.Keys(d.folders)) {
		names, now := maps.Clone(d.synced[folder]), d.folders[folder]
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if now[name] == nil && survives() {
				delete(names, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(now)) {
			if names[name] != now[name] && survives() {
				names[name] = now[name]
			}
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			inode := names[name]
			if copies[inode] == nil {
				copies[inode] = inode.cutPower(survives, src)
			}
			names[name] = copies[inode]
		}
		after.folders[folder], after.synced[folder] = names, maps.Clone(names)
	}
	return after
}

func (i *memoryInode) cutPower(survives func() bool, src *rand.Rand) *memoryInode {
	if i.folder {
		return i
	}
	data := i.synced
	if more := len(i.data) - len(data); more > 0 && survives() {
		data = i.data[:len(data)+src.IntN(more+1)]
		if len(data) > len(i.synced) && survives() { // the length was written, the bytes were not
			data = append(bytes.Clone(i.synced), make([]byte, len(data)-len(i.synced))...)
		}
	}
	return &memoryInode{data: bytes.Clone(data), synced: bytes.Clone(data)}
}

func (d *memoryDisk) get(name string) *memoryInode {
	return d.folders[filepath.Dir(name)][filepath.Base(name)]
}

func (d *memoryDisk) MkdirAll(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mkdir(name)
	return nil
}

func (d *memoryDisk) mkdir(name string) {
	if d.folders[name] != nil {
		return
	}
	d.folders[name], d.synced[name] = map[string]*memoryInode{}, map[string]*memoryInode{}
	if parent := filepath.Dir(name); parent != name {
		d.mkdir(parent)
		folder := &memoryInode{folder: true}
		d.folders[parent][filepath.Base(name)], d.synced[parent][filepath.Base(name)] = folder, folder
	}
}

func (d *memoryDisk) Create(name string) (disk.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.get(name) != nil {
		return nil, fs.ErrExist
	}
	if d.folders[filepath.Dir(name)] == nil {
		return nil, fs.ErrNotExist
	}
	inode := new(memoryInode)
	d.folders[filepath.Dir(name)][filepath.Base(name)] = inode
	return &memoryFile{disk: d, inode: inode}, nil
}

func (d *memoryDisk) Open(name string) (disk.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	inode := d.get(name)
	switch {
	case inode == nil:
		return nil, fs.ErrNotExist
	case inode.folder:
		return memoryFolder{}, nil
	}
	return &memoryFile{disk: d, inode: inode, Reader: bytes.NewReader(inode.data)}, nil
}

func (d *memoryDisk) ReadDir(name string) (list []fs.DirEntry, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.folders[name] == nil {
		return nil, fs.ErrNotExist
	}
	for _, entry := range slices.Sorted(maps.Keys(d.folders[name])) {
		list = append(list, fs.FileInfoToDirEntry(memoryInfo{entry, d.folders[name][entry]}))
	}
	return list, nil
}

func (d *memoryDisk) Stat(name string) (fs.FileInfo, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if inode := d.get(name); inode != nil {
		return memoryInfo{filepath.Base(name), inode}, nil
	}
	return nil, fs.ErrNotExist
}

func (d *memoryDisk) Lstat(name string) (fs.FileInfo, error) { return d.Stat(name) }

func (d *memoryDisk) Link(old, name string) error { return d.move(old, name, false, true) }

func (d *memoryDisk) Rename(old, name string) error { return d.move(old, name, true, false) }

func (d *memoryDisk) move(old, name string, replace, keep bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	inode := d.get(old)
	switch {
	case inode == nil:
		return fs.ErrNotExist
	case !replace && d.get(name) != nil:
		return fs.ErrExist
	}
	d.folders[filepath.Dir(name)][filepath.Base(name)] = inode
	if !keep {
		delete(d.folders[filepath.Dir(old)], filepath.Base(old))
	}
	return nil
}

func (d *memoryDisk) Remove(root, name string) error {
	name = filepath.Join(root, filepath.FromSlash(name))
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.get(name) == nil {
		return fs.ErrNotExist
	}
	delete(d.folders[filepath.Dir(name)], filepath.Base(name))
	delete(d.folders, name)
	delete(d.synced, name)
	return nil
}

func (d *memoryDisk) SyncDir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.synced[name] = maps.Clone(d.folders[name])
	return nil
}

func (d *memoryDisk) Space(string) (free, total uint64, ok bool) { return 0, 0, false }

func TestMemoryDiskLosesOnlyUnsyncedData(t *testing.T) {
	d := newMemoryDisk()
	d.MkdirAll("/a/b")
	f := must.Get(d.Create("/a/b/file"))(t)
	f.Write([]byte("synced"))
	f.Sync()
	f.Write([]byte(" or not"))
	if d.cutPower(nil).get("/a/b/file") != nil {
		t.Error("an unsynced name survived")
	}
	d.SyncDir("/a/b")
	if got := d.cutPower(nil).get("/a/b/file"); got == nil || string(got.data) != "synced" {
		t.Errorf("%+v", got)
	}
	d.Link("/a/b/file", "/a/other")
	d.Remove("/a", "b/file")
	if after := d.cutPower(nil); after.get("/a/b/file") == nil || after.get("/a/other") != nil {
		t.Error("unsynced changes of names survived")
	}
	d.SyncDir("/a/b")
	d.SyncDir("/a")
	if after := d.cutPower(nil); after.get("/a/b/file") != nil || string(after.get("/a/other").data) != "synced" {
		t.Error("synced changes of names were lost")
	}
}

// clone returns a copy of the disk on which everything is synced.
func (d *memoryDisk) clone() *memoryDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := newMemoryDisk()
	copies := map[*memoryInode]*memoryInode{}
	for folder, names := range d.folders {
		names = maps.Clone(names)
		for name, inode := range names {
			if copies[inode] == nil {
				copies[inode] = &memoryInode{bytes.Clone(inode.data), bytes.Clone(inode.data), inode.folder}
			}
			names[name] = copies[inode]
		}
		after.folders[folder], after.synced[folder] = names, maps.Clone(names)
	}
	return after
}

// tree returns the files of the dataset in root, like the function tree.
func (d *memoryDisk) tree(root string) map[string]string {
	files := map[string]string{}
	for folder, names := range d.folders {
		below, ok := strings.CutPrefix(folder, root)
		if !ok {
			continue
		}
		for name, inode := range names {
			if !inode.folder {
				files[strings.TrimPrefix(filepath.ToSlash(filepath.Join(below, name)), "/")] = string(inode.data)
			}
		}
	}
	delete(files, disk.LockName)
	delete(files, plan.TargetName)
	return files
}

// loadDisk returns a memory disk with the files of a folder of the machine's disk, all
// synced, under the path root.
func loadDisk(t testing.TB, from, root string) *memoryDisk {
	t.Helper()
	d := newMemoryDisk()
	err := filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(root, strings.TrimPrefix(name, from))
		if e.IsDir() {
			return d.MkdirAll(target)
		}
		data, err := os.ReadFile(name)
		d.folders[filepath.Dir(target)][filepath.Base(target)] = &memoryInode{data: data}
		return err
	})
	must.Do(t, err)
	return d.clone()
}

// state returns a digest of all files and folders below root. It does not depend on the
// random parts of the names of temporary files and journals, nor on what is synced.
func (d *memoryDisk) state(root string) string {
	var list []string
	for folder, names := range d.folders {
		below, ok := strings.CutPrefix(folder, root)
		if !ok {
			continue
		}
		list = append(list, below)
		for name, inode := range names {
			switch owner, rest, _ := strings.Cut(name, "."); filepath.ToSlash(below) {
			case "/" + disk.TempFolder:
				name = rest
			case "/" + journal.Folder:
				name = owner
			}
			list = append(list, below+" "+name+" "+string(inode.data))
		}
	}
	slices.Sort(list)
	sum := sha256.New()
	for _, text := range list {
		fmt.Fprintf(sum, "%d %s", len(text), text)
	}
	return string(sum.Sum(nil))
}

// memoryFolder is a folder that is open as a file. It cannot be read.
type memoryFolder struct{ disk.File }

func (memoryFolder) Read([]byte) (int, error) { return 0, errors.New("is a directory") }
func (memoryFolder) Close() error             { return nil }

// memoryFile is an open file: a new one for writing, or an existing one for reading.
type memoryFile struct {
	*bytes.Reader
	disk  *memoryDisk
	inode *memoryInode
}

func (f *memoryFile) Write(p []byte) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.inode.data = append(f.inode.data, p...)
	return len(p), nil
}

func (f *memoryFile) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.inode.synced = bytes.Clone(f.inode.data)
	return nil
}

func (f *memoryFile) Close() error { return nil }

type memoryInfo struct {
	name  string
	inode *memoryInode
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return int64(len(i.inode.data)) }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return i.inode.folder }
func (i memoryInfo) Sys() any           { return nil }

func (i memoryInfo) Mode() fs.FileMode {
	if i.inode.folder {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
