package disk

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"path"

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
		if err = move(temp, name); err != nil {
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
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = d.FS.Remove(d.Root, temp) // the next run sweeps temporary files
	}
	return temp, err
}
