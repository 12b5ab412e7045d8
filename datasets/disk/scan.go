package disk

import (
	"errors"
	"io"

	"selfplay/datasets/internal/fault"
)

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
