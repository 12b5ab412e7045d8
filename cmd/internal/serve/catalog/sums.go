package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"sync"
	"time"
)

// sums remembers the SHA-256 of files. A file is read again if its size or time has changed.
type sums struct {
	mu    sync.Mutex
	known map[string]knownSum // by name

	reading sync.Mutex // one file at a time: a run beside the server needs the processor
}

// knownSum is the sum of a file that had this size and time.
type knownSum struct {
	size    int64
	written time.Time
	sum     string
}

// of returns the SHA-256 of an open file in hexadecimal, and leaves the file at its beginning.
func (s *sums) of(ctx context.Context, name string, f io.ReadSeeker, info fs.FileInfo) (string, error) {
	if sum := s.find(name, info); sum != "" {
		return sum, nil
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	if sum := s.find(name, info); sum != "" { // another request was faster
		return sum, nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, &cancellable{f, ctx}); err != nil {
		return "", err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	sum := hex.EncodeToString(hash.Sum(nil))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]knownSum{}
	}
	s.known[name] = knownSum{info.Size(), info.ModTime(), sum}
	return sum, nil
}

func (s *sums) find(name string, info fs.FileInfo) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.known[name]; k.size == info.Size() && k.written.Equal(info.ModTime()) {
		return k.sum
	}
	return ""
}

// cancellable is a reader that fails when a context ends.
type cancellable struct {
	r   io.Reader
	ctx context.Context
}

func (c *cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
