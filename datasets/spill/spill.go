// Package spill keeps data that does not fit into memory in temporary files.
//
//	spill.go  File, a temporary file
//	parts.go  Parts, records divided by the high bits of their keys, in memory or in files
package spill

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
)

// File is a temporary file that is written first and read afterwards. It belongs to one
// goroutine. Where the system allows it, the file has no name: nothing remains after a
// kill.
type File struct {
	f *os.File
	w *bufio.Writer
}

// NewFile creates an empty file in a folder; "" means $TMPDIR. The pattern is that of
// os.CreateTemp, and buffer is the size of the write buffer in bytes. The caller calls
// Close.
func NewFile(dir, pattern string, buffer int) (*File, error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // if the system refuses, Close removes it
	return &File{f, bufio.NewWriterSize(f, buffer)}, nil
}

// Write appends to the file.
func (s *File) Write(p []byte) (int, error) { return s.w.Write(p) }

// Reader returns everything that was written. No Write may follow.
func (s *File) Reader() (*io.SectionReader, error) {
	if s.w != nil {
		if err := s.w.Flush(); err != nil {
			return nil, err
		}
		s.w = nil // frees the buffer before the data is read
	}
	size, err := s.f.Seek(0, io.SeekEnd)
	return io.NewSectionReader(s.f, 0, size), err
}

// Close removes the file.
func (s *File) Close() error {
	err := s.f.Close()
	if rm := os.Remove(s.f.Name()); rm != nil && !errors.Is(rm, fs.ErrNotExist) {
		err = errors.Join(err, rm)
	}
	return err
}
