package disk

import (
	"errors"
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
		return d.FS.Remove(d.Path(temp))
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return d.publishByRename(temp, name)
}

// publishByRename is Publish for file systems without hard links, such as exFAT and some
// network shares. Its test and its rename are two steps; the lock of the dataset keeps
// other runs away. Two tasks may both rename: their files are equal.
func (d Dir) publishByRename(temp, name string) error {
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
	return d.write(name, data, d.Publish)
}

// Replace writes a derived file over an older one, whole or not at all.
func (d Dir) Replace(name string, data []byte) error {
	return d.write(name, data, func(temp, name string) error {
		return d.FS.Rename(d.Path(temp), d.Path(name))
	})
}

func (d Dir) write(name string, data []byte, move func(temp, name string) error) error {
	temp, err := d.writeTemp(name, data)
	if err == nil {
		if err = move(temp, name); err != nil {
			_ = d.FS.Remove(d.Path(temp)) // the next run sweeps temporary files
		}
	}
	if err != nil {
		return &fault.FileError{Op: "write", Path: name, Err: err}
	}
	return d.SyncFolder(name)
}

// writeTemp writes a small file under a temporary name, synced, and returns that name.
func (d Dir) writeTemp(name string, data []byte) (temp string, err error) {
	temp = d.TempName(path.Base(name))
	f, err := d.FS.Create(d.Path(temp))
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = d.FS.Remove(d.Path(temp)) // the next run sweeps temporary files
	}
	return temp, err
}
