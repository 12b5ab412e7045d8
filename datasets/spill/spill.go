// Package spill keeps in temporary files what does not fit into memory.
package spill

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
)

// File is a temporary file that is written and then read once. It has no name any more
// where the system allows that: nothing is left of it after a kill.
type File struct {
	f *os.File
	w *bufio.Writer
}

// New returns an empty file in a folder, "" for $TMPDIR, named by a pattern as that of
// os.CreateTemp. Close it.
func New(dir, pattern string, buffer int) (*File, error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // where it is refused Close does it
	return &File{f, bufio.NewWriterSize(f, buffer)}, nil
}

// Write appends to the file.
func (s *File) Write(p []byte) (int, error) { return s.w.Write(p) }

// Reader ends the writing, and returns all that was written.
func (s *File) Reader() (*io.SectionReader, error) {
	if err := s.w.Flush(); err != nil {
		return nil, err
	}
	s.w = nil // its memory is for those who read
	size, err := s.f.Seek(0, io.SeekEnd)
	return io.NewSectionReader(s.f, 0, size), err
}

// Close removes the file.
func (s *File) Close() error {
	err := s.f.Close()
	if gone := os.Remove(s.f.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
