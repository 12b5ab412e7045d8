// Package spill keeps data that does not fit into memory in temporary files.
package spill

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
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

// ErrMemory means that the data needs more memory than it was given.
var ErrMemory = errors.New("too little memory")

// maxParts bounds the number of open files.
const maxParts = 512

// Options size the parts. Memory and sizes are in bytes and approximate.
type Options struct {
	Memory  int64  // for everything together
	Minimum int64  // New refuses a smaller Memory
	Data    uint64 // memory that all records take when they are processed at once
	Reserve uint64 // bytes of all records as they are written
	Share   int    // processing one part may take 1/Share of Memory
	Buffer  int    // largest write buffer of a part
	Dir     string // folder of the temporary files; "" means $TMPDIR
	Pattern string // names of the temporary files, as for os.CreateTemp
}

// Parts holds records in 2^k parts, selected by the k highest bits of a record's key. If
// the records fit into half of the memory, there is one part and it has no file. Parts
// belongs to one goroutine at a time.
type Parts struct {
	shift int    // a key shifted right by this is the number of its part
	held  []byte // the only part, if files is nil
	files []*File
}

// New returns empty parts. The error is ErrMemory if Memory is below Minimum or if the
// data would need more than maxParts parts. The caller calls Close.
func New(o Options) (*Parts, error) {
	if o.Memory < o.Minimum {
		return nil, fmt.Errorf("%w: %d bytes, want %d or more", ErrMemory, o.Memory, o.Minimum)
	}
	if o.Data <= uint64(o.Memory)/2 {
		return &Parts{held: make([]byte, 0, o.Reserve)}, nil
	}
	n := 1 << bits.Len64(o.Data/(uint64(o.Memory)/uint64(o.Share)))
	if n > maxParts {
		want := uint64(o.Share) * (o.Data/maxParts + 1)
		return nil, fmt.Errorf("%w: %d bytes to process %d bytes, want %d or more", ErrMemory, o.Memory, o.Data, want)
	}
	return newFiles(o, n)
}

func newFiles(o Options, n int) (*Parts, error) {
	p := &Parts{shift: 64 - bits.Len(uint(n-1))}
	for range n {
		f, err := NewFile(o.Dir, o.Pattern, min(o.Buffer, int(o.Memory)/4/n))
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		p.files = append(p.files, f)
	}
	return p, nil
}

// Len returns the number of parts.
func (p *Parts) Len() int { return max(1, len(p.files)) }

// InFiles reports whether the parts are temporary files.
func (p *Parts) InFiles() bool { return p.files != nil }

// Write appends a record to the part of its key.
func (p *Parts) Write(key uint64, record []byte) error {
	if p.files == nil {
		p.held = append(p.held, record...)
		return nil
	}
	_, err := p.files[key>>p.shift].Write(record)
	return err
}

// Reader returns the records of part i in the order in which they were written. No Write
// may follow.
func (p *Parts) Reader(i int) (io.Reader, error) {
	if p.files == nil {
		return bytes.NewReader(p.held), nil
	}
	return p.files[i].Reader()
}

// Load returns the records of part i and gives them to the caller: it removes the file
// of the part. No Write may follow, and the part cannot be read again.
func (p *Parts) Load(i int) ([]byte, error) {
	if p.files == nil {
		data := p.held
		p.held = nil
		return data, nil
	}
	f := p.files[i]
	p.files[i] = nil
	r, err := f.Reader()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	data := make([]byte, r.Size())
	_, err = io.ReadFull(r, data)
	return data, errors.Join(err, f.Close())
}

// Close removes the temporary files.
func (p *Parts) Close() error {
	var all error
	for i, f := range p.files {
		if f != nil {
			all = errors.Join(all, f.Close())
		}
		p.files[i] = nil
	}
	return all
}
