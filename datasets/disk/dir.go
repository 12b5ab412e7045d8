package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"selfplay/datasets/internal/fault"
)

// Names that this package uses inside a dataset, with forward slashes. Programs that
// read a folder of data skip names that start with a dot.
const (
	Hidden     = ".selfplay"
	TempFolder = Hidden + "/tmp"
	LockName   = Hidden + "/lock"
)

// Dir is the directory of a dataset. Its methods take names relative to Root, with
// forward slashes.
type Dir struct {
	Root  string // on the machine
	URL   string // of a dataset in an object store, of which Root has only the local files; else empty
	FS    FS
	Owner string // of the lease of the writer; names its temporary files
}

// TempName returns the name of a temporary file that no other process uses.
func (d Dir) TempName(name string) string { return path.Join(TempFolder, d.Owner+"."+name) }

// Path returns the path of a file on the machine.
func (d Dir) Path(name string) string { return filepath.Join(d.Root, filepath.FromSlash(name)) }

// MaxFile is the size in bytes of the largest file that ReadFile reads. The manifest of
// 100,000 shards has less than half of it.
const MaxFile = 256 << 20

// ReadFile returns the content of a file. The error is fault.ErrCorrupt for a folder, a
// pipe, a device, or a file of more than MaxFile bytes.
func (d Dir) ReadFile(name string) ([]byte, error) { return d.ReadFileUpTo(name, MaxFile) }

// ReadFileUpTo is ReadFile for files of at most most bytes.
func (d Dir) ReadFileUpTo(name string, most int64) ([]byte, error) {
	f, err := d.FS.Open(d.Path(name))
	if errors.Is(err, errNotRegular) {
		return nil, fault.Corrupt("%w", errNotRegular)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := readUpTo(f, most)
	if tooLarge := (*tooLargeError)(nil); errors.As(err, &tooLarge) {
		return nil, fault.Corrupt("%w", err)
	}
	if err != nil && d.isFolder(name) {
		err = fault.Corrupt("a folder instead of a file")
	}
	return data, err
}

func (d Dir) isFolder(name string) bool {
	info, err := d.FS.Stat(d.Path(name))
	return err == nil && info.IsDir()
}

// CheckFolders returns an error if one of the names exists and is not a folder. A link is
// not a folder: through it, a writer would write and remove files outside of the dataset.
// A folder comes before the folders in it.
func (d Dir) CheckFolders(names ...string) error {
	for _, name := range names {
		info, err := d.FS.Lstat(d.Path(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("write %s: %s is a link, and files behind it are outside of the dataset; replace it with a folder", d, name)
		case !info.IsDir():
			return fmt.Errorf("write %s: %s is not a folder", d, name)
		}
	}
	return nil
}

// MakeFolders creates folders. It syncs nothing.
func (d Dir) MakeFolders(names ...string) error {
	for _, name := range names {
		if err := d.FS.MkdirAll(d.Path(name)); err != nil {
			return err
		}
	}
	return nil
}

// List returns the names in a folder. A folder that does not exist is empty. Names that
// begin with a dot belong to other programs, such as .DS_Store and .nfs0001.
func (d Dir) List(folder string) ([]string, error) {
	return d.list(folder, func(fs.DirEntry) bool { return true })
}

// ListFiles is List without links, folders and special files.
func (d Dir) ListFiles(folder string) ([]string, error) {
	return d.list(folder, func(e fs.DirEntry) bool { return e.Type().IsRegular() })
}

func (d Dir) list(folder string, want func(fs.DirEntry) bool) ([]string, error) {
	entries, err := d.FS.ReadDir(d.Path(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && want(e) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// IsGone reports whether an error says that a file does not exist, or no longer: a network
// file system may lose a file that another machine removes or replaces while it is read.
func IsGone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESTALE) }

// Exists reports whether a file or folder exists.
func (d Dir) Exists(name string) (bool, error) {
	_, err := d.FS.Stat(d.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Size returns the size of a file in bytes.
func (d Dir) Size(name string) (int64, error) {
	info, err := d.FS.Stat(d.Path(name))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Remove deletes a file. It is no error if the file does not exist.
func (d Dir) Remove(name string) error {
	if err := d.FS.Remove(d.Root, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncFolder makes the names in the folder of name survive a power cut.
func (d Dir) SyncFolder(name string) error { return d.FS.SyncDir(d.Path(path.Dir(name))) }
