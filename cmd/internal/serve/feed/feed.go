// Package feed sends the data of datasets: files, for programs that read Parquet and Arrow over
// HTTP, and rows as an Arrow stream, for training.
//
//	feed.go    Feed: its routes; files of datasets, with ranges; how many streams at once
//	stream.go  rows of a split as an Arrow stream
//
// A stream takes one processor or less: one goroutine decodes rows, and another, which mostly
// waits for the client, sends them.
package feed

import (
	"io"
	"log/slog"
	"net/http"
	"path"
	"sync"
	"time"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
)

// Feed sends the data of the datasets of a catalog.
type Feed struct {
	Catalog *catalog.Catalog
	Log     *slog.Logger

	limits    limits
	measuring sync.Mutex // see memory
}

// Routes returns the routes of the feed.
func (f *Feed) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /files/{dataset}/{name...}", Handle: f.getFile},
		{Pattern: "GET /stream", Handle: f.getStream},
	}
}

// contentTypes are the media types of files, by suffix. Browsers must not guess: the server
// forbids it.
var contentTypes = map[string]string{
	".parquet": "application/vnd.apache.parquet",
	".arrow":   "application/vnd.apache.arrow.file",
	".json":    "application/json; charset=utf-8",
	".md":      "text/markdown; charset=utf-8",
}

// Limits of the time that a file takes: a client that reads more slowly loses its connection.
const (
	fileTime    = time.Minute
	leastPerSec = 100_000 // bytes
)

// getFile answers with a file or ranges of it. The ETag is the SHA-256 of the file.
func (f *Feed) getFile(w http.ResponseWriter, r *http.Request) error {
	d, err := f.Catalog.Find(r.PathValue("dataset"))
	if err == nil {
		err = web.ParamsOf(r).Err()
	}
	if err != nil {
		return err
	}
	name := r.PathValue("name")
	file, err := d.OpenFile(r.Context(), name)
	if err != nil {
		return err
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	deadline := time.Now().Add(fileTime + time.Duration(size/leastPerSec)*time.Second)
	_ = http.NewResponseController(w).SetWriteDeadline(deadline) // tests have no connection
	h := w.Header()
	h.Set("ETag", `"`+file.SHA256+`"`)
	h.Set("Cache-Control", "no-cache") // ask whether the ETag is still right
	h.Set("Content-Type", "application/octet-stream")
	if t := contentTypes[path.Ext(name)]; t != "" {
		h.Set("Content-Type", t)
	}
	http.ServeContent(w, r, "", file.Written, file.ReadSeekCloser) // of an *os.File, which the system copies
	return nil
}

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
