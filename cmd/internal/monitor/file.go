package monitor

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a small file that is replaced whole: a reader sees the old content or the new one,
// never a part. It belongs to one goroutine at a time.
type File struct {
	path string
	temp string // in the same folder, so that it can be renamed
}

// NewFile returns the file with the given path. It changes nothing there. It refuses a path
// that cannot be written to, and an existing file whose content does not begin with prefix:
// another program wrote it.
func NewFile(path string, prefix []byte) (*File, error) {
	path = filepath.Clean(path)
	f := &File{path, filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".selfplay.tmp")}
	if err := f.checkExisting(prefix); err != nil {
		return nil, err
	}
	err := f.writeTemp(nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("write %s: no such folder: %s", path, filepath.Dir(path))
	}
	if err == nil {
		err = os.Remove(f.temp)
	}
	return f, err
}

// checkExisting refuses a file of another program.
func (f *File) checkExisting(prefix []byte) error {
	info, err := os.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("write %s: it exists and is not a regular file", f.path)
	}
	if err != nil {
		return err
	}
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	begin, err := io.ReadAll(io.LimitReader(file, int64(len(prefix))))
	if err != nil || len(begin) > 0 && !bytes.Equal(begin, prefix) {
		return fmt.Errorf("write %s: it exists and has other content; move it away", f.path)
	}
	return nil
}

// Replace gives the file new content.
func (f *File) Replace(data []byte) error {
	err := f.writeTemp(data)
	if err == nil {
		err = os.Rename(f.temp, f.path)
	}
	if err != nil {
		_ = os.Remove(f.temp) // the next Replace tries again
	}
	return err
}

// writeTemp writes the temporary file. It never writes through a link.
func (f *File) writeTemp(data []byte) error {
	if err := os.Remove(f.temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(f.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}
