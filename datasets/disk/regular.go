package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"selfplay/datasets/internal/fault"
)

// errNotRegular: a link, folder, pipe or device is in the place of a file.
var errNotRegular = errors.New("not a regular file")

// ReadRegular returns the content of a file outside of datasets. It follows links. It
// refuses pipes and devices, which may never end, and files of more than most bytes.
func ReadRegular(name string, most int64) ([]byte, error) {
	f, err := OS{}.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readUpTo(f, most)
}

// readUpTo reads a file of at most most bytes. Where the size is known, it checks the size
// before it reads.
func readUpTo(f File, most int64) ([]byte, error) {
	size := int64(0)
	if s, ok := f.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := s.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	var data bytes.Buffer
	var err error
	if size <= most {
		data.Grow(int(size) + bytes.MinRead) // for one read, and one that finds the end
		_, err = data.ReadFrom(io.LimitReader(f, most+1))
		size = int64(data.Len())
	}
	if size > most {
		return nil, &tooLargeError{most}
	}
	return data.Bytes(), err
}

// A tooLargeError refuses a file of more than most bytes.
type tooLargeError struct{ most int64 }

func (e *tooLargeError) Error() string { return fmt.Sprintf("more than %d bytes", e.most) }

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
	if s.left -= int64(n); s.left < 0 {
		err = fault.Corrupt("%w", &tooLargeError{MaxFile})
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
