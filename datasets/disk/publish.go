package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"

	"selfplay/datasets/internal/fault"
)

// Publish gives a finished temporary file its final name. If the name is taken, the
// error is fs.ErrExist and both files stay.
func (d Dir) Publish(temp, name string) error {
	err := d.FS.Link(d.Path(temp), d.Path(name))
	switch {
	case err == nil:
		return d.FS.Remove(d.Root, temp)
	case errors.Is(err, fs.ErrExist), d.IsStore():
		return err
	}
	return d.publishByRename(temp, name)
}

// exclusiveRenamer is an FS that can rename a file to a free name in one step.
type exclusiveRenamer interface {
	// RenameNew is Rename, but the error is fs.ErrExist if name is taken. It is errors.ErrUnsupported if the
	// file system cannot do this in one step.
	RenameNew(old, name string) error
}

// publishByRename is Publish for file systems without hard links, such as exFAT and some network shares.
// Where they cannot rename in one step either, its test and its rename are two steps: the lock of the dataset
// keeps other runs away, and if two tasks make the same shard, both may rename. Their files are equal, unless
// the plan is approximate.
func (d Dir) publishByRename(temp, name string) error {
	if r, ok := d.FS.(exclusiveRenamer); ok {
		if err := r.RenameNew(d.Path(temp), d.Path(name)); !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	taken, err := d.Exists(name)
	if err != nil {
		return err
	}
	if taken {
		return fs.ErrExist
	}
	return d.FS.Rename(d.Path(temp), d.Path(name))
}

// Create writes a new file, whole or not at all. If the name is taken, the error is
// fs.ErrExist.
func (d Dir) Create(name string, data []byte) error {
	return d.write(name, text(data), d.Publish)
}

// Replace writes a derived file over an older one, whole or not at all.
func (d Dir) Replace(name string, data []byte) error {
	return d.write(name, text(data), d.rename)
}

// ReplaceBy is Replace for a file that fill writes piece by piece. Its writer keeps the first
// error, so fill need not check any.
func (d Dir) ReplaceBy(name string, fill func(w *bufio.Writer)) error {
	return d.write(name, func(f io.Writer) error {
		w := bufio.NewWriterSize(f, 64<<10)
		fill(w)
		return w.Flush()
	}, d.rename)
}

// text returns a function that writes data.
func text(data []byte) func(io.Writer) error {
	return func(f io.Writer) error {
		_, err := f.Write(data)
		return err
	}
}

func (d Dir) rename(temp, name string) error { return d.FS.Rename(d.Path(temp), d.Path(name)) }

func (d Dir) write(name string, fill func(io.Writer) error, move func(temp, name string) error) error {
	temp, err := d.writeTemp(name, fill)
	if err == nil {
		err = move(temp, name)
		if err != nil {
			_ = d.FS.Remove(d.Root, temp) // the next run sweeps temporary files
		}
	}
	if err != nil {
		return &fault.FileError{Op: "write", Path: name, Err: err}
	}
	return d.SyncFolder(name)
}

// writeTemp writes a file under a temporary name, synced, and returns that name.
func (d Dir) writeTemp(name string, fill func(io.Writer) error) (temp string, err error) {
	temp = d.TempName(path.Base(name))
	f, err := d.FS.Create(d.Path(temp))
	if err != nil {
		return "", err
	}
	err = fill(f)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		_ = d.FS.Remove(d.Root, temp) // the next run sweeps temporary files
	}
	return temp, err
}

// Pending is an output outside of datasets, a file or a folder, that is being written. It
// is written inside the folder TARGET.partial and gets its name when it is complete and
// synced. A target is therefore never incomplete, not even after a power cut. The process
// that locks the folder owns it; what a dead process left is removed by the next NewPending
// for the same target.
type Pending struct {
	target string
	dir    string
	folder fs.FileInfo // of dir
	lock   *flock.Flock
}

// pendingLock is the name of the lock file in a pending folder.
const pendingLock = ".lock"

// NewPending begins to write a target. The error is fs.ErrExist if the target exists, or
// if TARGET.partial exists and is no pending folder; it is ErrLocked if another process
// writes the same target.
func NewPending(target string) (*Pending, error) {
	target = filepath.Clean(target)
	p := &Pending{target: target, dir: target + ".partial"}
	if err := p.checkTarget(); err != nil {
		return nil, err
	}
	err := os.Mkdir(p.dir, 0o755)
	if err == nil || errors.Is(err, fs.ErrExist) {
		err = p.checkFolder()
	}
	if err == nil {
		err = p.acquire()
	}
	if err != nil {
		return nil, err
	}
	// The target may have been published before the other process released its lock.
	if err := errors.Join(p.checkTarget(), p.sweep()); err != nil {
		p.Discard()
		return nil, err
	}
	return p, nil
}

// checkTarget refuses a target that exists.
func (p *Pending) checkTarget() error {
	_, err := os.Lstat(p.target)
	switch {
	case err == nil:
		return &fs.PathError{Op: "write", Path: p.target, Err: fs.ErrExist}
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

// checkFolder refuses an existing TARGET.partial that another program made: a pending
// folder has a lock file, or is still empty.
func (p *Pending) checkFolder() error {
	var err error
	p.folder, err = os.Lstat(p.dir)
	if err != nil {
		return err
	}
	foreign := &fs.PathError{Op: "write", Path: p.dir, Err: fs.ErrExist}
	if !p.folder.IsDir() {
		return foreign
	}
	entries, err := os.ReadDir(p.dir)
	if err != nil || len(entries) == 0 {
		return err
	}
	if info, err := os.Lstat(p.Path(pendingLock)); err != nil || !info.Mode().IsRegular() {
		return foreign
	}
	return nil
}

// acquire locks the folder for this process.
func (p *Pending) acquire() error {
	p.lock = newCreatingFlock(p.Path(pendingLock))
	held, err := tryLock(p.lock, p.lock.TryLock)
	if err == nil && (!held || !isNamed(p.lock)) {
		err = fmt.Errorf("write %s: %w by another process: wait for its end, or stop it", p.target, ErrLocked)
	}
	if err != nil {
		p.lock.Close()
	}
	return err
}

// errReplaced: a link or another folder has taken the place of a pending folder.
var errReplaced = errors.New("replaced by another folder or a link")

// sweep removes everything in the folder but the lock. Where others may write, as in /tmp, the
// folder may have become a link to files of other people since it was checked.
func (p *Pending) sweep() error {
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if now, err := root.Stat("."); err != nil || !os.SameFile(now, p.folder) {
		return errors.Join(err, fmt.Errorf("write %s: %s: %w", p.target, p.dir, errReplaced))
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	for _, e := range entries {
		if e.Name() != pendingLock {
			err = errors.Join(err, root.RemoveAll(e.Name()))
		}
	}
	return err
}

// Dir returns the folder to write in.
func (p *Pending) Dir() string { return p.dir }

// Path returns the path of a file in the folder.
func (p *Pending) Path(name string) string { return filepath.Join(p.dir, name) }

// Publish renames the folder to the target. The caller has synced its files. After an
// error nothing is left.
func (p *Pending) Publish() error {
	if runtime.GOOS == "windows" {
		p.lock.Close() // Windows does not rename a folder with open files
	}
	err := errors.Join(syncDir(p.dir), p.checkTarget())
	if err == nil {
		err = os.Rename(p.dir, p.target)
	}
	if err != nil {
		p.Discard()
		return err
	}
	os.Remove(filepath.Join(p.target, pendingLock))
	p.lock.Close()
	return syncDir(filepath.Dir(p.target))
}

// PublishFile gives one file of the folder the name of the target and removes the rest.
func (p *Pending) PublishFile(name string) error {
	err := os.Link(p.Path(name), p.target)
	if err != nil && !errors.Is(err, fs.ErrExist) { // no hard links here
		err = p.checkTarget()
		if err == nil {
			err = os.Rename(p.Path(name), p.target)
		}
	}
	p.Discard()
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(p.target))
}

// Discard removes the folder. What cannot be removed is left to the next NewPending.
func (p *Pending) Discard() {
	if errors.Is(p.sweep(), errReplaced) {
		p.lock.Close()
		return
	}
	removeLocked(p.lock, p.dir, pendingLock)
	os.Remove(p.dir)
}
