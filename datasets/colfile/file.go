package colfile

import (
	"errors"
	"fmt"
	"io"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// Writer writes the rows of one file in order.
type Writer interface {
	// Write appends the rows of t, which the caller may change afterwards. An Arrow file
	// gets one record batch per call. After an error the file is useless.
	Write(t *encode.Table) error
	// Close writes the remaining rows and the footer. It does not close the sink. Write
	// and Close fail after Close.
	Close() error
}

// errClosed reports rows that would otherwise be lost behind the footer.
var errClosed = errors.New("write after close")

// NewWriter returns a Writer to w. It never closes w, because the file has to be synced
// first. Columns must have passed CheckColumns. An unknown format is ErrUnsupported.
func NewWriter(w io.Writer, s Spec) (Writer, error) {
	switch s.Format {
	case Parquet:
		return newParquetWriter(w, s)
	case Arrow:
		return newArrowWriter(w, s)
	}
	return nil, fmt.Errorf("write format %q: %w", s.Format, fault.ErrUnsupported)
}

// Reader reads a file back, group by group, in any order. A group is a Parquet row
// group or an Arrow record batch, numbered from 0. Decoding runs in the calling
// goroutine. Damage is ErrCorrupt.
type Reader interface {
	// Groups returns the number of groups.
	Groups() int
	// Rows returns the number of rows of a group. For Parquet it is the footer's claim.
	Rows(group int) (int, error)
	// Scan calls visit with consecutive runs of one column of a group. The cells are
	// valid until visit returns.
	Scan(group, col int, visit func(Cells)) error
	// ScanRows calls visit with runs of one column of a group that hold the given rows, which
	// ascend, and perhaps others. first is the number of the first cell in the group. Pages
	// without these rows are not decoded, where the format allows it.
	ScanRows(group, col int, rows []int, visit func(first int, v Cells)) error
	// Metadata returns the key/value metadata of the Spec.
	Metadata() []encode.KeyValue
}

// ReadSeekerAt is the input of a Reader, such as an *os.File or a *bytes.Reader.
type ReadSeekerAt interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// NewReader returns a Reader of r, which must hold a file of exactly the format and
// columns of s. Another schema is ErrCorrupt, an unknown format ErrUnsupported. The
// caller closes r after the last use of the Reader.
func NewReader(r ReadSeekerAt, s Spec) (Reader, error) {
	switch s.Format {
	case Parquet:
		return newParquetReader(r, s)
	case Arrow:
		return newArrowReader(r, s)
	}
	return nil, fmt.Errorf("read format %q: %w", s.Format, fault.ErrUnsupported)
}

// CountingWriter passes writes on to W and counts the bytes. After the first error it
// writes nothing and returns that error again.
type CountingWriter struct {
	W   io.Writer
	N   int64 // bytes written
	err error
}

// Write writes p to W.
func (s *CountingWriter) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.W.Write(p)
	s.N += int64(n)
	s.err = err
	return n, err
}

// Tell returns N. Arrow's page writer asks for its offset in the file by this method.
func (s *CountingWriter) Tell() int64 { return s.N }
