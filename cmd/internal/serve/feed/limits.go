package feed

import (
	"net/http"
	"sync"

	"selfplay/cmd/internal/serve/web"
)

// limits bounds the streams that are sent at once, and the memory of their tables.
type limits struct {
	mu      sync.Mutex
	streams int
	memory  int64
}

// enter admits a stream until done is called. Memory is in bytes.
func (l *limits) enter(memory int64) (done func(), err error) {
	if memory > maxMemory {
		return nil, web.BadRequest("parameters shuffle and columns: a window of %d MiB: want %d MiB or less", memory>>20, int64(maxMemory)>>20)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams >= maxStreams || l.memory+memory > maxMemory {
		return nil, web.Errorf(http.StatusServiceUnavailable, "%d streams use the server: try again later", l.streams)
	}
	l.streams++
	l.memory += memory
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.streams--
		l.memory -= memory
	}), nil
}
