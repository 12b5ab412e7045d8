package datasets

import (
	"bytes"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"selfplay/datasets/disk"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// memoryDisk is a disk in memory that knows what would be there after a power cut:
// the bytes of a file as they were when it was last synced, and the names in a folder
// as they were when that was. Folders themselves always stay.
type memoryDisk struct {
	mu      sync.Mutex
	folders map[string]map[string]*memoryInode
	synced  map[string]map[string]*memoryInode
}

type memoryInode struct {
	data, synced []byte
	folder       bool
}

func newMemoryDisk() *memoryDisk {
	return &memoryDisk{folders: map[string]map[string]*memoryInode{}, synced: map[string]map[string]*memoryInode{}}
}

// cutPower returns the disk as it is found afterwards. What was never synced is there
// or not as chance says: each name, and of each file any number of its last bytes.
// A name that was given to another file has the old one or the new, as rename is atomic
// wherever there is a journal. Without a chance all of it is lost.
func (d *memoryDisk) cutPower(chance *rand.Rand) *memoryDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	lucky := func() bool { return chance != nil && chance.IntN(2) == 0 }
	after := newMemoryDisk()
	kept := map[*memoryInode]*memoryInode{} // a file of two names stays one file
	for folder, now := range d.folders {
		names := maps.Clone(d.synced[folder])
		for name := range names {
			if now[name] == nil && lucky() {
				delete(names, name)
			}
		}
		for name, inode := range now {
			if names[name] != inode && lucky() {
				names[name] = inode
			}
		}
		for name, inode := range names {
			if kept[inode] == nil {
				kept[inode] = inode.afterwards(lucky, chance)
			}
			names[name] = kept[inode]
		}
		after.folders[folder], after.synced[folder] = names, maps.Clone(names)
	}
	return after
}

func (i *memoryInode) afterwards(lucky func() bool, chance *rand.Rand) *memoryInode {
	if i.folder {
		return i
	}
	data := i.synced
	if more := len(i.data) - len(data); more > 0 && lucky() {
		data = i.data[:len(data)+chance.IntN(more+1)]
		if len(data) > len(i.synced) && lucky() { // the length came, the bytes did not
			data = append(bytes.Clone(i.synced), make([]byte, len(data)-len(i.synced))...)
		}
	}
	return &memoryInode{data: bytes.Clone(data), synced: bytes.Clone(data)}
}

// tree returns what makes up a dataset in root, as the function of that name does.
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
	delete(files, targetName)
	return files
}

// copy writes everything below from to a folder of the machine's disk.
func (d *memoryDisk) copy(t testing.TB, from, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	for folder, names := range d.folders {
		below, ok := strings.CutPrefix(folder, from)
		if !ok {
			continue
		}
		if err := os.MkdirAll(filepath.Join(to, below), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, inode := range names {
			if inode.folder {
				continue
			}
			if err := os.WriteFile(filepath.Join(to, below, name), inode.data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func (d *memoryDisk) get(name string) *memoryInode {
	return d.folders[filepath.Dir(name)][filepath.Base(name)]
}

func (d *memoryDisk) MkdirAll(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.folders[name] == nil {
		d.folders[name], d.synced[name] = map[string]*memoryInode{}, map[string]*memoryInode{}
		parent := filepath.Dir(name)
		if d.folders[parent] != nil {
			folder := &memoryInode{folder: true}
			d.folders[parent][filepath.Base(name)], d.synced[parent][filepath.Base(name)] = folder, folder
		}
		name = parent // which learns of no child that is older: nobody lists it
	}
	return nil
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
	if inode == nil || inode.folder {
		return nil, fs.ErrNotExist
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

func (d *memoryDisk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.get(name) == nil {
		return fs.ErrNotExist
	}
	delete(d.folders[filepath.Dir(name)], filepath.Base(name))
	return nil
}

func (d *memoryDisk) SyncDir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.synced[name] = maps.Clone(d.folders[name])
	return nil
}

func (d *memoryDisk) Space(string) (free, total uint64, ok bool) { return 0, 0, false }

// memoryFile is an open file: one that is read is not written to.
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

// TestMemoryDisk: it loses what was not synced and nothing else.
func TestMemoryDisk(t *testing.T) {
	d := newMemoryDisk()
	d.MkdirAll("/a/b")
	f, err := d.Create("/a/b/file")
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("synced"))
	f.Sync()
	f.Write([]byte(" or not"))
	if d.cutPower(nil).get("/a/b/file") != nil {
		t.Error("the name is there, and nobody synced it")
	}
	d.SyncDir("/a/b")
	if got := d.cutPower(nil).get("/a/b/file"); got == nil || string(got.data) != "synced" {
		t.Errorf("%+v", got)
	}
	d.Link("/a/b/file", "/a/other")
	d.Remove("/a/b/file")
	if after := d.cutPower(nil); after.get("/a/b/file") == nil || after.get("/a/other") != nil {
		t.Error("names changed without a sync")
	}
	d.SyncDir("/a/b")
	d.SyncDir("/a")
	if after := d.cutPower(nil); after.get("/a/b/file") != nil || string(after.get("/a/other").data) != "synced" {
		t.Error("synced names did not change")
	}
}
