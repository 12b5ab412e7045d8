package colfile

import "io"

// sink counts what is written. Its write error sticks.
type CountingWriter struct {
	W   io.Writer
	N   int64
	err error
}

func (s *CountingWriter) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.W.Write(p)
	s.N += int64(n)
	s.err = err
	return n, err
}

// Tell returns the offset in the file.
func (s *CountingWriter) Tell() int64 { return s.N }
