package datasets

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// disk is every operation on files that a dataset needs. It is one interface so
// that tests can make each of them fail, or lose what was never synced.
type disk interface {
	MkdirAll(name string) error
	Create(name string) (diskFile, error) // a new file; fs.ErrExist if there is one
	Open(name string) (diskFile, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Stat(name string) (fs.FileInfo, error)
	Link(old, name string) error   // a second name; fs.ErrExist if it is taken
	Rename(old, name string) error // replaces
	Remove(name string) error
	SyncDir(name string) error
	Space(name string) (free, total uint64, ok bool) // bytes of the disk; ok: it tells
}

// diskFile is an open file.
type diskFile interface {
	io.Reader
	io.ReaderAt
	io.Seeker
	io.Writer
	io.Closer
	Sync() error
}

// osDisk is the machine's own.
type osDisk struct{}

func (osDisk) MkdirAll(name string) error                 { return os.MkdirAll(name, 0o755) }
func (osDisk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osDisk) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (osDisk) Link(old, name string) error                { return os.Link(old, name) }
func (osDisk) Rename(old, name string) error              { return os.Rename(old, name) }
func (osDisk) Remove(name string) error                   { return os.Remove(name) }
func (osDisk) SyncDir(name string) error                  { return syncDir(name) }
func (osDisk) Space(name string) (uint64, uint64, bool)   { return Space(name) }

func (osDisk) Create(name string) (diskFile, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (osDisk) Open(name string) (diskFile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// dir is a dataset's directory. Names are inside it, with forward slashes.
type dir struct {
	root string
	disk disk
	id   string // of whoever writes: its temporaries bear it, see claim.go
}

// tmp returns the name of a temporary. No other process uses it.
func (d dir) tmp(name string) string { return path.Join(tmpName, d.id+"."+name) }

func (d dir) path(name string) string { return filepath.Join(d.root, filepath.FromSlash(name)) }

func (d dir) readFile(name string) ([]byte, error) {
	f, err := d.disk.Open(d.path(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		if info, bad := d.disk.Stat(d.path(name)); bad == nil && info.IsDir() {
			err = corrupt("a folder")
		}
	}
	return data, err
}

// makeHidden makes the folders of the bookkeeping and lets them survive a crash.
func (d dir) makeHidden() error {
	for _, folder := range []string{commitsName, supersededName, journalName, tmpName} {
		if err := d.disk.MkdirAll(d.path(folder)); err != nil {
			return err
		}
	}
	d.disk.SyncDir(filepath.Dir(d.root)) // as far as it may be read: it is not ours
	return errors.Join(d.disk.SyncDir(d.path(hiddenName)), d.disk.SyncDir(d.root))
}

// makeFolders makes the folders that readers see. There is a plan by then: without
// one they would be somebody else's.
func (d dir) makeFolders() error {
	for _, folder := range tables {
		if err := d.disk.MkdirAll(d.path(folder)); err != nil {
			return err
		}
	}
	return d.disk.SyncDir(d.root)
}

// list returns the names in a folder; a folder that is not there is empty. Names that
// begin with a dot are of somebody else, such as .DS_Store and .nfs0001.
func (d dir) list(folder string) ([]string, error) {
	entries, err := d.disk.ReadDir(d.path(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// exists reports whether there is such a file.
func (d dir) exists(name string) (bool, error) {
	_, err := d.disk.Stat(d.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// size returns the bytes of a file.
func (d dir) size(name string) (int64, error) {
	info, err := d.disk.Stat(d.path(name))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// publish gives the finished file tmp its final name, unless that is taken
// (fs.ErrExist). What has a final name is complete and stays.
func (d dir) publish(tmp, name string) error {
	err := d.disk.Link(d.path(tmp), d.path(name))
	switch {
	case err == nil:
		return d.disk.Remove(d.path(tmp))
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return d.publishByRename(tmp, name)
}

// publishByRename is publish where there are no hard links (exFAT, some network
// shares). Look and rename are two steps; the lock makes them one. Two tasks may
// both rename: equal bytes make that harmless.
func (d dir) publishByRename(tmp, name string) error {
	taken, err := d.exists(name)
	if err != nil {
		return err
	}
	if taken {
		return fs.ErrExist
	}
	return d.disk.Rename(d.path(tmp), d.path(name))
}

// syncFolder makes the names in the folder of name survive a crash.
func (d dir) syncFolder(name string) error { return d.disk.SyncDir(d.path(path.Dir(name))) }

// writeTmp writes a whole small file into tmp/, synced, and returns its name.
func (d dir) writeTmp(name string, data []byte) (tmp string, err error) {
	tmp = d.tmp(path.Base(name))
	f, err := d.disk.Create(d.path(tmp))
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			d.disk.Remove(d.path(tmp))
		}
	}()
	_, err = f.Write(data)
	return tmp, errors.Join(err, f.Sync(), f.Close())
}

// create writes a file that must not exist yet, whole or not at all.
func (d dir) create(name string, data []byte) error {
	return d.write(name, data, d.publish)
}

// replace writes a derived file, whole or not at all.
func (d dir) replace(name string, data []byte) error {
	return d.write(name, data, func(tmp, name string) error {
		return d.disk.Rename(d.path(tmp), d.path(name))
	})
}

func (d dir) write(name string, data []byte, move func(tmp, name string) error) error {
	tmp, err := d.writeTmp(name, data)
	if err != nil {
		return &FileError{"write", name, err}
	}
	if err := move(tmp, name); err != nil {
		d.disk.Remove(d.path(tmp))
		return &FileError{"write", name, err}
	}
	return d.syncFolder(name)
}

// remove deletes a file; one that is not there is fine.
func (d dir) remove(name string) error {
	if err := d.disk.Remove(d.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
