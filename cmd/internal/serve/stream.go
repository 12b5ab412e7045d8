package serve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"math"
	"net/http"
	"path"
	"sync"
	"time"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
	"selfplay/datasets/rowstream"
	"selfplay/encode"
)

// feed sends the data of datasets: files, for programs that read Parquet and Arrow over HTTP, and
// rows as an Arrow stream, for training. A stream takes one processor or less: one goroutine decodes
// rows, and another, which mostly waits for the client, sends them.
type feed struct {
	catalog *catalog.Catalog
	log     *slog.Logger

	limits    streamLimits
	measuring sync.Mutex // see memory
}

// routes returns the routes of the feed.
func (f *feed) routes() []route {
	return []route{
		{pattern: "GET /files/{dataset}/{name...}", handle: f.getFile},
		{pattern: "GET /stream", handle: f.getStream},
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
func (f *feed) getFile(w http.ResponseWriter, r *http.Request) error {
	d, err := f.catalog.Find(r.PathValue("dataset"))
	if err == nil {
		err = catalog.ParamsOf(r).Err()
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

// streamLimits bounds the streams that are sent at once, and the memory of their tables.
type streamLimits struct {
	mu      sync.Mutex
	streams int
	memory  int64
}

// enter admits a stream until done is called. Memory is in bytes.
func (l *streamLimits) enter(memory int64) (done func(), err error) {
	if memory > maxMemory {
		return nil, catalog.BadRequest("parameters shuffle and columns: a window of %d MiB: want %d MiB or less", memory>>20, int64(maxMemory)>>20)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams >= maxStreams || l.memory+memory > maxMemory {
		return nil, catalog.Errorf(http.StatusServiceUnavailable, "%d streams use the server: try again later", l.streams)
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

// Limits of streams.
const (
	maxStreams = 16
	maxWorld   = 100_000
	maxWindow  = 10_000_000 // rows
	maxMemory  = 2 << 30    // bytes of the windows and row groups of all streams

	// stallTime is how long a client may read nothing, for example while it validates.
	stallTime = time.Hour
	// pollTime is how long a stream that waits for the next shard sleeps.
	pollTime = time.Second
)

// getStream answers with the rows of a split as an Arrow IPC stream.
func (f *feed) getStream(w http.ResponseWriter, r *http.Request) error {
	d, o, err := f.streamOptions(r)
	if err != nil {
		return err
	}
	ds, err := d.Data()
	if err != nil {
		return err
	}
	s, err := rowstream.New(ds, o)
	if errors.Is(err, rowstream.ErrOptions) {
		return catalog.BadRequest("%v", err)
	}
	if err != nil {
		return err
	}
	memory, err := f.memory(d, s)
	if err != nil {
		return err
	}
	done, err := f.limits.enter(memory)
	if err != nil {
		w.Header().Set("Retry-After", "10")
		return err
	}
	defer done()
	w.Header().Set("Content-Type", "application/vnd.apache.arrow.stream")
	w.Header().Set("Cache-Control", "no-store")
	if r.Method == http.MethodHead {
		return nil
	}
	err = f.send(w, r, ds, s)
	if errors.Is(err, datasets.ErrCorrupt) || errors.Is(err, fs.ErrNotExist) {
		err = f.send(w, r, ds, s) // a run that extends the dataset may have replaced a shard
	}
	return err
}

// streamOptions reads the parameters of a stream.
func (f *feed) streamOptions(r *http.Request) (d *catalog.Dataset, o rowstream.Options, err error) {
	p := catalog.ParamsOf(r)
	name := p.String("dataset")
	o = rowstream.Options{
		Split:   p.OneOf("split", plan.Train, plan.Validation),
		Columns: p.List("columns"),
		Window:  p.Int("shuffle", 0, 0, maxWindow),
		Seed:    p.Uint("seed", 0, 0, math.MaxUint64),
		World:   p.Int("world", 1, 1, maxWorld),
		Rank:    p.Int("rank", 0, 0, maxWorld-1),
	}
	if p.Bool("follow") {
		o.Wait = func(ctx context.Context) error {
			select {
			case <-time.After(pollTime):
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	if name == "" {
		p.Fail("parameter dataset is missing: /api/datasets lists the names")
	}
	if err := p.Err(); err != nil {
		return nil, o, err
	}
	d, err = f.catalog.Find(name)
	return d, o, err
}

// memory returns how many bytes a stream takes. One stream at a time reads lists for it: until then
// they do not count.
func (f *feed) memory(d *catalog.Dataset, s *rowstream.Stream) (int64, error) {
	commits, err := d.Commits()
	if err != nil {
		return 0, err
	}
	f.measuring.Lock()
	defer f.measuring.Unlock()
	return s.Memory(commits), nil
}

// send sends the rows. If that fails after the first ones it breaks the answer off, and the client
// gets an error of the connection. It returns an error only if nothing was sent.
func (f *feed) send(w http.ResponseWriter, r *http.Request, ds *datasets.Dataset, s *rowstream.Stream) error {
	out := &patient{w: w, control: http.NewResponseController(w)}
	buffer := bufio.NewWriterSize(out, 256<<10)
	err := writeStream(s.Rows(r.Context()), buffer, colfile.RowFile{
		Format: colfile.ArrowStream, BoardType: ds.Plan().BoardType, Columns: s.Columns(),
		Metadata: ds.RowMetadata(s.Columns(), ds.Plan().BoardType),
	}, out.control.Flush)
	if err == nil {
		err = buffer.Flush()
	}
	if err != nil && out.begun() {
		abort(f.log, r, err)
	}
	return err
}

// writeStream writes tables as an Arrow stream. At an empty table it passes on what it has.
func writeStream(tables iter.Seq2[*encode.Table, error], to *bufio.Writer, file colfile.RowFile, flush func() error) error {
	w, err := colfile.NewRowWriter(to, file)
	if err != nil {
		return err
	}
	for t, err := range tables {
		switch {
		case err != nil:
			return err
		case t.Rows > 0:
			err = w.Write(t)
		default:
			err = errors.Join(w.Flush(), to.Flush(), flush())
		}
		if err != nil {
			return err
		}
	}
	return w.Close()
}

// patient is a connection whose client may pause. A write waits for the client; rows are read
// only as fast as it takes them.
type patient struct {
	w       http.ResponseWriter
	control *http.ResponseController
	set     time.Time // when the deadline was set
}

// begun reports whether something was written.
func (p *patient) begun() bool { return !p.set.IsZero() }

func (p *patient) Write(data []byte) (int, error) {
	if now := time.Now(); now.Sub(p.set) > time.Minute {
		p.set = now
		_ = p.control.SetWriteDeadline(now.Add(stallTime)) // tests have no connection
	}
	return p.w.Write(data)
}
