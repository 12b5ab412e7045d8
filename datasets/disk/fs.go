package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// FS is every file operation that a dataset needs. Names are paths of the operating
// system. Its methods may be called by several goroutines.
type FS interface {
	MkdirAll(name string) error
	Create(name string) (File, error) // fs.ErrExist if the file exists
	Open(name string) (File, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error) // of a link, not of its target
	Link(old, name string) error            // adds a second name; fs.ErrExist if it is taken
	Rename(old, name string) error          // replaces name
	Remove(root, name string) error         // of a file below root; follows no link out of it
	SyncDir(name string) error
	// Space returns the free and total bytes of the file system below name. It reports
	// false where the system does not say.
	Space(name string) (free, total uint64, ok bool)
}

// File is an open file of an FS.
type File interface {
	io.Reader
	io.ReaderAt
	io.Seeker
	io.Writer
	io.Closer
	Sync() error
}

// OS is the file system of the machine.
type OS struct{}

// The methods of FS, and RenameNew of exclusiveRenamer.

func (OS) MkdirAll(name string) error                 { return os.MkdirAll(name, 0o755) }
func (OS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (OS) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (OS) Lstat(name string) (fs.FileInfo, error)     { return os.Lstat(name) }
func (OS) Link(old, name string) error                { return os.Link(old, name) }
func (OS) Rename(old, name string) error              { return os.Rename(old, name) }
func (OS) RenameNew(old, name string) error           { return renameNew(old, name) }
func (OS) SyncDir(name string) error                  { return syncDir(name) }
func (OS) Space(name string) (uint64, uint64, bool)   { return Space(name) }

func (OS) Create(name string) (File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err // not a File that holds a nil *os.File
	}
	return f, nil
}

// Remove looks for the file below an open root. So it stays in the root also if another process
// puts a link in the place of a folder after CheckFolders.
func (OS) Remove(root, name string) error {
	r, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	return errors.Join(r.Remove(name), r.Close())
}

// Open refuses pipes and devices. It opens folders, and follows links.
func (OS) Open(name string) (File, error) {
	if err := checkOpen(name); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}
