// Package disk holds the file operations that datasets are built from: create-only
// publishing, atomic replacement, locks and leases, and outputs that appear whole or
// not at all.
//
// # Publishing
//
// A file is written under a temporary name, synced, and only then linked to its final
// name. A file with a final name is therefore complete, and an existing name is never
// overwritten. Replace is for derived files only: it renames over the old file. Both
// hold after a kill or a power cut at any moment.
//
// # Locks and leases
//
// One process holds the lock of a dataset exclusively, or several tasks share it. Each
// writer also holds a lease: a locked file .selfplay/tmp/<owner>.lock. Its temporary
// files are named <owner>.<name>. A temporary file whose lease is not locked belongs to
// a dead process and may be removed. Neither clocks nor process tables are consulted,
// because both mislead across machines and containers. The operating system drops a lock
// when its process dies, so locks never go stale.
//
// # Testing
//
// All file operations of a dataset go through the interface FS, so that tests can make
// each of them fail, or drop what was never synced. Locks and Pending use the operating
// system directly.
package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"selfplay/datasets/internal/fault"
)

// Names that this package uses inside a dataset, with forward slashes. Programs that
// read a folder of data skip names that start with a dot.
const (
	Hidden     = ".selfplay"
	TempFolder = Hidden + "/tmp"
	LockName   = Hidden + "/lock"

	// RemovedFolder has the files that SetAside removed.
	RemovedFolder = Hidden + "/removed"
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

// ReadFileUpTo is ReadFile for files of at most limit bytes.
func (d Dir) ReadFileUpTo(name string, limit int64) ([]byte, error) {
	f, err := d.FS.Open(d.Path(name))
	if errors.Is(err, errNotRegular) {
		return nil, fault.Corrupt("%w", errNotRegular)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := readUpTo(f, limit)
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

// SetAside moves a file into RemovedFolder, under its path with dots for slashes and the first number
// that is free. It is no error if the file does not exist. Only one process at a time may call it.
func (d Dir) SetAside(name string) error {
	if err := d.MakeFolders(RemovedFolder); err != nil {
		return err
	}
	kept := path.Join(RemovedFolder, strings.ReplaceAll(strings.TrimPrefix(name, Hidden+"/"), "/", "."))
	to := kept
	for i := 1; ; i++ {
		if _, err := d.FS.Lstat(d.Path(to)); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return err
		}
		to = fmt.Sprintf("%s.%d", kept, i)
	}
	if err := d.FS.Rename(d.Path(name), d.Path(to)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return errors.Join(d.FS.SyncDir(d.Path(RemovedFolder)), d.SyncFolder(name))
}

// DropRemoved deletes the files of RemovedFolder. What cannot be deleted stays, and does no harm.
func (d Dir) DropRemoved() {
	names, _ := d.List(RemovedFolder)
	for _, name := range names {
		_ = d.Remove(path.Join(RemovedFolder, name))
	}
}

// SyncFolder makes the names in the folder of name survive a power cut.
func (d Dir) SyncFolder(name string) error { return d.FS.SyncDir(d.Path(path.Dir(name))) }

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

// openers open the directories of datasets in object stores, by the scheme of their URLs.
var openers sync.Map // of string to func(url string) (Dir, error)

// Register lets At open the URLs that begin with SCHEME://. The FS of such a directory does not
// link: its Link decides alone whether a name is taken, and its errors are final. It keeps the
// bookkeeping of this machine, see IsLocal, on a disk at Dir.Root.
func Register(scheme string, open func(url string) (Dir, error)) { openers.Store(scheme, open) }

// At returns the directory of a dataset: a directory of the machine, or one in an object store if
// root is a URL. An unknown scheme is fault.ErrUnsupported.
func At(root string) (Dir, error) {
	scheme, _, isURL := strings.Cut(root, "://")
	if !isURL {
		return Dir{Root: root, FS: OS{}}, nil
	}
	open, found := openers.Load(scheme)
	if !found {
		return Dir{}, fmt.Errorf("open %s: stores of %s://: %w", root, scheme, fault.ErrUnsupported)
	}
	return open.(func(url string) (Dir, error))(root)
}

// IsURL reports whether a dataset lies in an object store.
func IsURL(root string) bool { return strings.Contains(root, "://") }

// SameURL reports whether two URLs name the same dataset.
func SameURL(a, b string) (bool, error) {
	x, err := At(a)
	if err != nil {
		return false, err
	}
	y, err := At(b)
	return err == nil && x.URL == y.URL && x.URL != "", err
}

// IsStore reports whether the dataset lies in an object store. There no lock keeps other machines
// away, so every process is like a task that shares the dataset with others.
func (d Dir) IsStore() bool { return d.URL != "" }

// String returns how messages name the dataset.
func (d Dir) String() string {
	if d.IsStore() {
		return d.URL
	}
	return d.Root
}

// local lists the bookkeeping of a machine, which no other machine needs.
var local = []string{TempFolder, LockName, Hidden + "/journal", Hidden + "/runs", Hidden + "/failures.jsonl"}

// IsLocal reports whether a file or folder of a dataset in a store stays on the disk of the
// machine: locks, leases, heartbeats, journals, failures and files that are being written.
func IsLocal(name string) bool {
	if name == Hidden {
		return true
	}
	for _, l := range local {
		if name == l || strings.HasPrefix(name, l+"/") {
			return true
		}
	}
	return false
}

// ProbeName is an object with which an FS may test what its store can do. A copy of a dataset from a
// store has it too.
const ProbeName = Hidden + "/create-only"

// ErrChanged means that a file has not the content any more that its writer has seen.
var ErrChanged = errors.New("another process has changed it")

// A Swapper is an FS in which other machines may change a file that this process replaces.
type Swapper interface {
	// Swap is Rename if the file has the content before, or does not exist if before is nil. Else
	// the error is ErrChanged.
	Swap(old, name string, before []byte) error
}

// ReplaceIf is Replace for a file with the content before, nil if it does not exist. If another
// process has changed it, the error is ErrChanged. On a disk it is Replace: the lock of the dataset
// keeps other processes away.
func (d Dir) ReplaceIf(name string, before, data []byte) error {
	s, ok := d.FS.(Swapper)
	if !ok {
		return d.Replace(name, data)
	}
	return d.write(name, text(data), func(temp, name string) error { return s.Swap(d.Path(temp), d.Path(name), before) })
}

// A Voucher is an FS that may know the SHA-256 of a file without reading it, because the store
// computed it from the bytes that it received.
type Voucher interface {
	// Vouches reports whether the file is known to have a SHA-256, in hexadecimal. False says
	// nothing about the file.
	Vouches(name, sha256 string) bool
}

// Vouches reports whether the store of the dataset vouches for the SHA-256 of a file. A disk
// never does.
func (d Dir) Vouches(name, sha256 string) bool {
	v, ok := d.FS.(Voucher)
	return ok && v.Vouches(d.Path(name), sha256)
}

// errNotRegular: a link, folder, pipe or device is in the place of a file.
var errNotRegular = errors.New("not a regular file")

// ReadRegular returns the content of a file outside of datasets. It follows links. It
// refuses pipes and devices, which may never end, and files of more than limit bytes.
func ReadRegular(name string, limit int64) ([]byte, error) {
	f, err := OS{}.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readUpTo(f, limit)
}

// readUpTo reads a file of at most limit bytes. Where the size is known, it checks the size
// before it reads.
func readUpTo(f File, limit int64) ([]byte, error) {
	size := int64(0)
	if s, ok := f.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := s.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	var data bytes.Buffer
	var err error
	if size <= limit {
		data.Grow(int(size) + bytes.MinRead) // for one read, and one that finds the end
		_, err = data.ReadFrom(io.LimitReader(f, limit+1))
		size = int64(data.Len())
	}
	if size > limit {
		return nil, &tooLargeError{limit}
	}
	return data.Bytes(), err
}

// A tooLargeError refuses a file of more than limit bytes.
type tooLargeError struct{ limit int64 }

func (e *tooLargeError) Error() string { return fmt.Sprintf("more than %d bytes", e.limit) }

// checkOpen refuses to open a pipe, a device or a socket: opening a pipe waits for a
// writer. A folder may be opened, and so may a link to a file. Other errors are left to the
// open itself.
func checkOpen(name string) error {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return nil
}

// OpenAppend opens a file for appending and creates it if it does not exist. It does not
// follow a link.
func OpenAppend(name string) (*os.File, error) {
	if err := checkOwn(name); err != nil {
		return nil, err
	}
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND|noFollow, 0o644)
}

// checkOwn refuses to write to anything but a regular file, which need not exist.
func checkOwn(name string) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.Mode().IsRegular():
		return &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return err
}

// Scan passes the content of a file to read. Its errors are those of ReadFile, before those
// of read.
func (d Dir) Scan(name string, read func(io.Reader) error) error {
	f, err := d.FS.Open(d.Path(name))
	if errors.Is(err, errNotRegular) {
		return fault.Corrupt("%w", errNotRegular)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	r := &scanReader{r: f, left: MaxFile}
	err = read(r)
	if r.err != nil {
		err = r.err
	}
	if r.err != nil && d.isFolder(name) {
		err = fault.Corrupt("a folder instead of a file")
	}
	return err
}

// scanReader reads at most left bytes and keeps the error that ended it.
type scanReader struct {
	r    io.Reader
	left int64
	err  error // not io.EOF
}

func (s *scanReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.left -= int64(n)
	if s.left < 0 {
		err = fault.Corrupt("%w", &tooLargeError{MaxFile})
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// ErrOutside means that a file of a dataset is a link that leads out of the dataset.
var ErrOutside = errors.New("a link that leads out of the dataset")

// Rooted returns the directory with an Open that follows no link out of it. The error is then
// ErrOutside. An object store has no links.
func (d Dir) Rooted() Dir {
	if !d.IsStore() {
		d.FS = rooted{d.FS, d.Root}
	}
	return d
}

// rooted is an FS that opens files below root only.
type rooted struct {
	FS
	root string
}

// Open refuses pipes and devices. It opens folders.
func (r rooted) Open(name string) (File, error) {
	rel, err := filepath.Rel(r.root, name)
	if err != nil {
		return nil, err
	}
	f, err := OpenBelow(r.root, rel)
	if err != nil {
		return nil, err // not a File that holds a nil *os.File
	}
	return f, nil
}

// OpenBelow opens a file or a folder by its path below root. It follows links that stay there;
// others, and all links to absolute paths, are ErrOutside. It refuses pipes and devices.
func OpenBelow(root, name string) (*os.File, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	info, err := r.Stat(name)
	if err != nil {
		return nil, checkOutside(root, name, err)
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return r.Open(name)
}

// checkOutside returns the error of a file that was not found below root: ErrOutside if it is there
// for a program that follows links.
func checkOutside(root, name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, name)); err != nil {
		return err
	}
	return &fs.PathError{Op: "open", Path: name, Err: ErrOutside}
}
