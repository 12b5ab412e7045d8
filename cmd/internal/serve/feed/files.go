package feed

import (
	"io"
	"net/http"
	"path"
	"time"

	"selfplay/cmd/internal/serve/web"
)

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
