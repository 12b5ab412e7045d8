package output

import (
	"bufio"
	"crypto/md5"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"os"
)

// File is a file of an output. It computes its checksums while it is written. It belongs
// to one goroutine.
type File struct {
	Name  string // in the output
	Split string // of its rows; "" for a file that describes others
	Rows  uint64 // or games; set by the writer
	Bytes int64

	sha256 hash.Hash
	md5    hash.Hash // nil if not wanted
	f      *os.File
	w      *bufio.Writer
}

// Create creates a file in the output. The MD5 is computed only on request.
func (o *Output) Create(name, split string, withMD5 bool) (*File, error) {
	f, err := os.OpenFile(o.Path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	out := &File{Name: name, Split: split, f: f, sha256: sha256.New()}
	sinks := []io.Writer{f, out.sha256}
	if withMD5 {
		out.md5 = md5.New()
		sinks = append(sinks, out.md5)
	}
	out.w = bufio.NewWriterSize(io.MultiWriter(sinks...), 256<<10)
	return out, nil
}

// Write appends to the file.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	f.Bytes += int64(n)
	return n, err
}

// Finish closes the file. If err is nil, it first writes everything to disk. It returns err
// or its own error.
func (f *File) Finish(err error) error {
	if err == nil {
		err = f.w.Flush()
	}
	if err == nil {
		err = f.f.Sync()
	}
	err = errors.Join(err, f.f.Close())
	f.f, f.w = nil, nil // frees the buffer: an output may have many files
	return err
}

// SHA256 returns the checksum of what was written.
func (f *File) SHA256() []byte { return f.sha256.Sum(nil) }
