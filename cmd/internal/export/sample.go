package export

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets/output"
	"selfplay/datasets/query"
	"selfplay/datasets/scan"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

func sampleCommand() *cli.Command {
	return &cli.Command{
		Name:      "sample",
		Usage:     "write rows drawn at random into one file",
		ArgsUsage: "DIR",
		Description: fileForms() + "\n\n" +
			"Each row is drawn at most once. Rows stay in the order of the dataset.\n\n" +
			"Examples:\n" +
			"  export sample --rows 1000 --out sample.csv data/demo\n" +
			"  export sample --rows 10k --where 'reason=checkmate' --text --out mates.csv data/demo\n" +
			"  export sample --rows 900 --by phase --boards text --format jsonl --out - data/demo",
		Flags: append(append(formFlags("write the file in this `FORMAT`; if not given, the extension of FILE decides"), columnFlags()...),
			rowflags.WhereFlag("all rows"),
			&cli.StringFlag{Name: "out", Category: app.Output, Usage: "write to the new `FILE`; - means stdout"},
			app.ForceFlag(),
			app.CountFlag("rows", 0, app.Rows, "draw `N` rows, such as 1000 or 10k"),
			&cli.Uint64Flag{Name: "seed", Category: app.Rows, Value: 1, Usage: "draw rows by this `SEED`; the same seed draws the same rows"},
			&cli.StringFlag{Name: "by", Category: app.Rows, Usage: "draw equally many rows of each class of `STRATA`: " + strings.Join(query.StrataNames(), ", ")},
			app.JSONFlag(),
		),
		Action: onDataset(runSample),
	}
}

// sampling is one call of sample.
type sampling struct {
	dir, out string
	form     tablefile.Form
	spec     tablefile.Spec
	options  query.SampleOptions
	sample   *query.Sample // set by draw
	counter  scan.Counter

	unfinished error // of an unfinished dataset
}

func runSample(c *cli.Context, dir string) error {
	s, err := samplingFrom(c, dir)
	if err != nil {
		return err
	}
	if s.out != stdoutName {
		return s.file(c)
	}
	if err := s.draw(c); err != nil {
		return err
	}
	defer s.follow(c)()
	return toStdout(c, func(out *bufio.Writer) error { return s.write(c, out, "") })
}

// draw decides which rows are drawn, and describes them in the metadata of the file.
func (s *sampling) draw(c *cli.Context) (err error) {
	warnUnfinished(c, s.unfinished, s.dir)
	if s.sample, err = query.NewSample(c.Context, s.options); err != nil {
		return err
	}
	drawn, _ := s.sample.Drawn()
	switch where := s.options.Query.Where; {
	case drawn == 0 && where != nil:
		return app.Usage("sample %s: no row matches --where %s", s.dir, where)
	case drawn < s.options.Rows && where != nil:
		app.Log(c).Warn("fewer rows match than wanted: all are taken", "rows", drawn, "wanted", s.options.Rows)
	case drawn < s.options.Rows:
		app.Log(c).Warn("the dataset has fewer rows than wanted: all are taken", "rows", drawn, "wanted", s.options.Rows)
	}
	text := fmt.Sprintf("rows=%d seed=%d", drawn, s.options.Seed)
	if by := s.options.By.Name; by != "" {
		text += " by=" + by
	}
	if split := c.String("split"); split != "" {
		text += " split=" + split
	}
	s.spec.Rows = drawn
	s.spec.More = []encode.KeyValue{{Key: "selfplay.sample", Value: text}}
	return nil
}

// file writes the rows to a file and prints what was drawn.
func (s *sampling) file(c *cli.Context) error {
	o, err := newOutput(c, s.dir, s.out)
	if err != nil {
		return err
	}
	f, err := s.writeFile(c, o)
	if err != nil {
		o.Discard()
		return err
	}
	if err := o.PublishFile(f.Name); err != nil {
		return fmt.Errorf("write %s: %w", s.out, err)
	}
	return s.print(c, f)
}

func (s *sampling) writeFile(c *cli.Context, o *output.Output) (*output.File, error) {
	if err := s.draw(c); err != nil {
		return nil, err
	}
	defer s.follow(c)()
	f, err := o.Create(filepath.Base(s.out), "", false)
	if err != nil {
		return nil, err
	}
	return f, f.Finish(s.write(c, f, o.Dir()))
}

// follow shows progress until stop is called.
func (s *sampling) follow(c *cli.Context) (stop func()) {
	_, stop = follow(c, "sampling", s.options.Parts, &s.counter, "game", s.options.Query.Dataset.Plan().Game, "from", s.dir, "out", s.out)
	return stop
}

// write writes the rows.
func (s *sampling) write(c *cli.Context, out io.Writer, temp string) error {
	s.spec.Temp = temp
	return writeTables(s.form, out, s.spec, s.sample.Tables(c.Context, &s.counter))
}
