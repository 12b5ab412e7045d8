package colfile

import "io"

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
