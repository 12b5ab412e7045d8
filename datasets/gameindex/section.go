package gameindex

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// sectionReader reads sections one after the other.
type sectionReader struct {
	f        io.ReaderAt
	at, size int64
}

// section returns the next section, which has n bytes.
func (r *sectionReader) section(n int64) (*section, error) {
	var length [8]byte
	if n < 0 || n > r.size-r.at-12 {
		return nil, fmt.Errorf("%w: section of %d bytes at %d of %d", errFile, n, r.at, r.size)
	}
	if _, err := r.f.ReadAt(length[:], r.at); err != nil || binary.LittleEndian.Uint64(length[:]) != uint64(n) {
		return nil, fmt.Errorf("%w: the section at %d does not have %d bytes", errFile, r.at, n)
	}
	s := &section{f: r.f, at: r.at + 8, end: r.at + 8 + n}
	r.at = s.end + 4
	return s, nil
}

// whole returns the content of the next section, which has n bytes.
func (r *sectionReader) whole(n int64) ([]byte, error) {
	s, err := r.section(n)
	if err != nil {
		return nil, err
	}
	data := make([]byte, n)
	if err = s.read(data); err == nil {
		err = s.check()
	}
	return data, err
}

// length returns the length that the next section states.
func (r *sectionReader) length() int64 {
	var length [8]byte
	if _, err := r.f.ReadAt(length[:], r.at); err != nil {
		return -1
	}
	return int64(binary.LittleEndian.Uint64(length[:]))
}

// section is a section that is being read.
type section struct {
	f       io.ReaderAt
	at, end int64
	sum     uint32
}

// read reads the next bytes.
func (s *section) read(data []byte) error {
	if _, err := s.f.ReadAt(data, s.at); err != nil {
		return fmt.Errorf("%w: %w", errFile, err)
	}
	s.at += int64(len(data))
	s.sum = crc32.Update(s.sum, castagnoli, data)
	return nil
}

// check compares the checksum, after all bytes are read.
func (s *section) check() error {
	var sum [4]byte
	if _, err := s.f.ReadAt(sum[:], s.end); err != nil || s.at != s.end || binary.LittleEndian.Uint32(sum[:]) != s.sum {
		return fmt.Errorf("%w: wrong checksum of a section that ends at %d", errFile, s.end)
	}
	return nil
}
