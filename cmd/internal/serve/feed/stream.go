package feed

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"iter"
	"math"
	"net/http"
	"time"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
	"selfplay/datasets/rowstream"
	"selfplay/encode"
)

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
func (f *Feed) getStream(w http.ResponseWriter, r *http.Request) error {
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
		return web.BadRequest("%v", err)
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
func (f *Feed) streamOptions(r *http.Request) (d *catalog.Dataset, o rowstream.Options, err error) {
	p := web.ParamsOf(r)
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
	d, err = f.Catalog.Find(name)
	return d, o, err
}

// memory returns how many bytes a stream takes. One stream at a time reads lists for it: until then
// they do not count.
func (f *Feed) memory(d *catalog.Dataset, s *rowstream.Stream) (int64, error) {
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
func (f *Feed) send(w http.ResponseWriter, r *http.Request, ds *datasets.Dataset, s *rowstream.Stream) error {
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
		web.Abort(f.Log, r, err)
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
