package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

func sampleCommand() *cli.Command {
	return &cli.Command{
		Name:      "sample",
		Usage:     "write rows that are drawn at random into one file",
		ArgsUsage: "DIR",

		Description: formTable(),
		Flags: append(formFlags(tablefile.Names()),
			&cli.Uint64Flag{Name: "rows", Usage: "`N`, how many"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "draw by seed `S`: the same rows of the same dataset"},
			&cli.StringFlag{Name: "by", Usage: "draw equally many of each `STRATUM`, as far as there are so many: " + strings.Join(strataNames(), ", ")},
			&cli.StringFlag{Name: "out", Usage: "`FILE`, whose extension tells the form unless --format does; - for stdout"},
			jsonFlag("print one line of JSON"),
		),
		Action: runSample,
	}
}

// sample is one call of the command.
type sample struct {
	dir, out string
	ds       *datasets.Dataset
	form     tablefile.Form
	spec     tablefile.Spec
	shards   []*datasets.Commit
	seed     uint64
	by       *strata
	draw     *draw
	source   counter // how far it is
}

// sampled is what sample prints.
type sampled struct {
	Form   string         `json:"format"`
	Out    string         `json:"out"`
	Rows   uint64         `json:"rows"`
	Of     uint64         `json:"of"`
	Bytes  int64          `json:"bytes"`
	SHA256 string         `json:"sha256"`
	By     string         `json:"by,omitempty"`
	Strata []stratumCount `json:"strata,omitempty"`
}

func runSample(c *cli.Context) error {
	s, err := chosenSample(c)
	if err != nil {
		return err
	}
	if s.out == stdoutName {
		if err := s.quotas(c); err != nil {
			return err
		}
		defer s.follow(c)()
		return toStdout(c, func(out *bufio.Writer) error { return s.write(c.Context, out, "") })
	}
	d, err := draftOf(s.dir, s.out)
	if err != nil {
		return err
	}
	f, err := s.file(c, d)
	if err != nil {
		d.Discard()
		return err
	}
	if err := d.PublishFile(f.name); err != nil {
		return fmt.Errorf("write %s: %w", s.out, err)
	}
	if app.Quiet(c) {
		return nil
	}
	return s.tell(c, f)
}

// chosenSample reads the flags.
func chosenSample(c *cli.Context) (s *sample, err error) {
	s = &sample{seed: c.Uint64("seed")}
	if s.dir, err = app.Dir(c); err != nil {
		return nil, err
	}
	if s.out, err = app.Required(c, "out"); err != nil {
		return nil, err
	}
	if !c.IsSet("rows") {
		return nil, app.Usage("flag --rows is missing")
	}
	if c.Uint64("rows") == 0 {
		return nil, app.Usage("rows 0: want 1 or more")
	}
	if s.form, err = chosenForm(c, s.out); err != nil {
		return nil, err
	}
	if s.by, err = strataNamed(c.String("by")); err != nil {
		return nil, app.Usage("%v", err)
	}
	if s.ds, err = datasets.Open(s.dir); err != nil {
		return nil, err
	}
	if s.spec, err = chosenSpec(c, s.form, s.ds); err != nil {
		return nil, err
	}
	all, err := s.ds.Commits()
	if err != nil {
		return nil, err
	}
	s.shards, err = chosenShards(c, s.dir, all)
	return s, err
}

// chosenForm returns the form that --format or the name of the file tells.
func chosenForm(c *cli.Context, out string) (f tablefile.Form, err error) {
	switch {
	case c.IsSet("format"):
		f, err = tablefile.Find(c.String("format"))
	case out == stdoutName:
		return f, app.Usage("flag --format is missing: stdout has no name that tells it")
	default:
		if f, err = tablefile.FindExt(out); err != nil {
			return f, app.Usage("%s tells no format: want --format, or one of these names: *%s", filepath.Base(out), strings.Join(extensions(), ", *"))
		}
	}
	if err != nil {
		return f, app.Usage("%v", err)
	}
	if out == stdoutName && !f.Stream {
		return f, app.Usage("%s is no stream: it needs a file", f.Name)
	}
	return f, nil
}

func extensions() (list []string) {
	for _, f := range tablefile.Forms() {
		list = append(list, f.Ext)
	}
	return list
}

// quotas counts rows and decides how many of each stratum are drawn. Commit records
// tell how many there are in all; of strata the columns have to be read.
func (s *sample) quotas(c *cli.Context) error {
	if _, _, err := s.ds.Finished(); errors.Is(err, datasets.ErrUnfinished) {
		app.Log(c).Warn("the dataset is not finished: this is of what is there by now", "dir", s.dir)
	}
	counts, err := s.count(c.Context)
	if err != nil {
		return err
	}
	s.draw = newDraw(s.seed, counts, c.Uint64("rows"))
	s.spec.Rows = s.draw.rows
	if s.draw.rows < c.Uint64("rows") {
		app.Log(c).Warn("there are not so many rows: all of them are taken", slog.Uint64("rows", s.draw.rows), slog.Uint64("wanted", c.Uint64("rows")))
	}
	by := ""
	if s.by.name != "" {
		by = " by=" + s.by.name
	}
	if split := c.String("split"); split != "" {
		by += " split=" + split
	}
	s.spec.More = []encode.KeyValue{{Key: "selfplay.sample", Value: fmt.Sprintf("rows=%d seed=%d%s", s.draw.rows, s.seed, by)}}
	return nil
}

// count returns how many rows each stratum has.
func (s *sample) count(ctx context.Context) ([]uint64, error) {
	counts := make([]uint64, len(s.by.names))
	if len(s.by.columns) == 0 {
		for _, c := range s.shards {
			counts[0] += c.Rows
		}
		return counts, nil
	}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, c := range s.shards {
		g.Go(func() error {
			mine := make([]uint64, len(counts))
			none := func(t *encode.Table) []int {
				s.by.each(t, func(_, stratum int) { mine[stratum]++ })
				return nil
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for _, err := range s.ds.Pick(c, s.by.columns, none) {
				return &datasets.ShardError{Op: "read", Shard: c.Shard, Err: err}
			}
			mu.Lock()
			defer mu.Unlock()
			for i, n := range mine {
				counts[i] += n
			}
			return nil
		})
	}
	return counts, g.Wait()
}

// file writes the sample into a draft.
func (s *sample) file(c *cli.Context, d *disk.Pending) (*outFile, error) {
	if err := s.quotas(c); err != nil {
		return nil, err
	}
	defer s.follow(c)()
	f, err := createOut(d, filepath.Base(s.out), "", false)
	if err != nil {
		return nil, err
	}
	return f, f.finish(s.write(c.Context, f, d.Dir()))
}

// follow shows how far the drawing is until stop is called.
func (s *sample) follow(c *cli.Context) (stop func()) {
	_, stop = s.source.follow(c, "sampling", s.shards, "game", s.ds.Plan().Game, "from", s.dir, "out", s.out)
	return stop
}

// write draws and writes the rows, in the order of the dataset.
func (s *sample) write(ctx context.Context, out io.Writer, temp string) error {
	s.spec.Temp = temp
	w, err := s.form.New(out, s.spec)
	if err != nil {
		return err
	}
	var picked []int
	pick := func(t *encode.Table) []int {
		picked = picked[:0]
		s.by.each(t, func(row, stratum int) {
			if s.draw.take(stratum) {
				picked = append(picked, row)
			}
		})
		return picked
	}
	for _, c := range s.shards {
		if ctx.Err() != nil { // a shard of which nothing is drawn yields nothing
			return context.Cause(ctx)
		}
		for t, err := range s.ds.Pick(c, s.by.columns, pick) {
			if err == nil {
				err = w.Write(t)
			}
			if err != nil {
				return &datasets.ShardError{Op: "sample", Shard: c.Shard, Err: err}
			}
		}
		s.source.games.Add(c.Games)
		s.source.plies.Add(c.Rows)
	}
	if err := s.draw.end(); err != nil {
		return err
	}
	return w.Close()
}

// tell prints what was drawn.
func (s *sample) tell(c *cli.Context, f *outFile) error {
	done := sampled{
		Form: s.form.Name, Out: s.out, Rows: s.draw.rows, Of: s.draw.of, Bytes: f.bytes,
		SHA256: fmt.Sprintf("%x", f.sha256.Sum(nil)), By: s.by.name,
	}
	if s.by.name != "" {
		done.Strata = s.by.counts(s.draw)
	}
	if c.Bool("json") {
		return encode.NewJSON(c.App.Writer).Encode(done)
	}
	text := fmt.Sprintf("%d of %d rows, %s, %d bytes: %s", done.Rows, done.Of, done.Form, done.Bytes, done.Out)
	for i, n := range done.Strata {
		if i == 0 {
			text += "; by " + done.By
		} else {
			text += ","
		}
		text += fmt.Sprintf(" %s %d of %d", n.Stratum, n.Rows, n.Of)
	}
	_, err := fmt.Fprintln(c.App.Writer, text)
	return err
}
