package program

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/output"
	"selfplay/datasets/query"
	"selfplay/datasets/rows"
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
			"  selfplay sample --rows 1000 --out sample.csv data/demo\n" +
			"  selfplay sample --rows 10k --where 'reason=checkmate' --text --out mates.csv data/demo\n" +
			"  selfplay sample --rows 900 --by phase --boards text --format jsonl --out - data/demo",
		Flags: append(append(formFlags("write the file in this `FORMAT`; if not given, the extension of FILE decides"), columnFlags()...),
			whereFlag("all rows"),
			&cli.StringFlag{Name: "out", Category: groupOutput, Usage: "write to the new `FILE`; - means stdout"},
			forceFlag(),
			countFlag("rows", 0, groupRows, "draw `N` rows, such as 1000 or 10k"),
			&cli.Uint64Flag{Name: "seed", Category: groupRows, Value: 1, Usage: "draw rows by this `SEED`; the same seed draws the same rows"},
			&cli.StringFlag{Name: "by", Category: groupRows, Usage: "draw equally many rows of each class of `STRATA`: " + strings.Join(query.StrataNames(), ", ")},
			jsonFlag(),
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
	where := s.options.Query.Where
	switch {
	case drawn == 0 && where != nil:
		return usagef("sample %s: no row matches --where %s", s.dir, where)
	case drawn < s.options.Rows && where != nil:
		logOf(c).Warn("fewer rows match than wanted: all are taken", "rows", drawn, "wanted", s.options.Rows)
	case drawn < s.options.Rows:
		logOf(c).Warn("the dataset has fewer rows than wanted: all are taken", "rows", drawn, "wanted", s.options.Rows)
	}
	text := fmt.Sprintf("rows=%d seed=%d", drawn, s.options.Seed)
	by := s.options.By.Name
	if by != "" {
		text += " by=" + by
	}
	split := c.String("split")
	if split != "" {
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
	_, stop = followReading(c, "sampling", s.options.Parts, &s.counter, "game", s.options.Query.Dataset.Plan().Game, "from", s.dir, "out", s.out)
	return stop
}

// write writes the rows.
func (s *sampling) write(c *cli.Context, out io.Writer, temp string) error {
	s.spec.Temp = temp
	return writeTables(s.form, out, s.spec, s.sample.Tables(c.Context, &s.counter))
}

// samplingFrom reads the flags.
func samplingFrom(c *cli.Context, dir string) (s *sampling, err error) {
	if err := requireFlags(c, "rows", "out"); err != nil {
		return nil, err
	}
	s = &sampling{dir: dir, out: c.String("out"), options: query.SampleOptions{Seed: c.Uint64("seed"), Rows: c.Uint64("rows")}}
	if s.options.Rows == 0 {
		return nil, usagef("rows 0: want 1 or more")
	}
	if s.form, err = fileFormFrom(c, s.out); err != nil {
		return nil, err
	}
	if s.options.By, err = query.FindStrata(c.String("by")); err != nil {
		return nil, usagef("%v", err)
	}
	return s, s.open(c)
}

// open opens the dataset and checks the flags that depend on it.
func (s *sampling) open(c *cli.Context) error {
	ds, err := datasets.Open(s.dir)
	if err != nil {
		return err
	}
	shape, err := rows.OfKnown(catalogOf(c).Games, ds)
	if err != nil {
		return err
	}
	if s.spec, err = specFrom(c, ds, shape); err != nil {
		return err
	}
	if s.options.Query, err = queryFrom(c, ds, shape, &s.spec); err != nil {
		return err
	}
	if err := s.spec.Check(s.form); err != nil {
		return usagef("%v", err)
	}
	all, err := ds.Commits()
	if err != nil {
		return err
	}
	_, s.unfinished = ds.CheckFinished(all)
	s.options.Parts, err = partsOf(c, s.dir, all)
	return err
}

// fileFormFrom returns the form that --format or the extension of out names.
func fileFormFrom(c *cli.Context, out string) (f tablefile.Form, err error) {
	switch {
	case c.IsSet("format"):
		f, err = tablefile.Find(c.String("format"))
	case out == stdoutName:
		return f, usagef("flag --format is missing: stdout has no extension")
	default:
		if f, err = tablefile.FindExt(out); err != nil {
			return f, usagef("%s has no known extension: want --format, or one of *%s", filepath.Base(out), strings.Join(extensions(), ", *"))
		}
	}
	if err != nil {
		return f, usagef("%v", err)
	}
	if f.Fields {
		return f, usagef("%s needs %s beside its file: want convert or shuffle", f.Name, tablefile.RecordTypeName)
	}
	if out == stdoutName && !f.Stream {
		return f, usagef("%s cannot be a stream: name a file with --out", f.Name)
	}
	return f, nil
}

func extensions() (list []string) {
	for _, f := range singleFiles() {
		list = append(list, f.Ext)
	}
	return list
}

// sampled is the JSON that sample prints.
type sampled struct {
	Form   string               `json:"format"`
	Out    string               `json:"out"`
	Rows   uint64               `json:"rows"`
	Of     uint64               `json:"of"`
	Bytes  int64                `json:"bytes"`
	SHA256 string               `json:"sha256"`
	By     string               `json:"by,omitempty"`
	Strata []query.StratumCount `json:"strata,omitempty"`
}

// print prints what was drawn.
func (s *sampling) print(c *cli.Context, f *output.File) error {
	if isQuiet(c) {
		return nil
	}
	rows, of := s.sample.Drawn()
	done := sampled{
		Form: s.form.Name, Out: s.out, Rows: rows, Of: of, Bytes: f.Bytes,
		SHA256: fmt.Sprintf("%x", f.SHA256()), By: s.options.By.Name,
	}
	if done.By != "" {
		done.Strata = s.sample.Strata()
	}
	if c.Bool("json") {
		return encode.NewJSON(c.App.Writer).Encode(done)
	}
	text := fmt.Sprintf("%s of %s, %s, %s: %s", human.Number(done.Rows), human.Count(done.Of, "row"), done.Form, human.Count(done.Bytes, "byte"), done.Out)
	for i, n := range done.Strata {
		separator := ","
		if i == 0 {
			separator = "; by " + done.By + ":"
		}
		text += fmt.Sprintf("%s %s %s of %s", separator, s.stratumText(n.Stratum), human.Number(n.Rows), human.Number(n.Of))
	}
	_, err := fmt.Fprintln(c.App.Writer, text)
	return err
}

// stratumText names a class for people: a side by its name in the game, an outcome by
// what it means for the side to move.
func (s *sampling) stratumText(stratum string) string {
	sides := s.options.Query.Dataset.Description().Sides
	texts := map[string]map[string]string{
		"side":    {"0": sides[0], "1": sides[1]},
		"outcome": {"-1": "lost", "0": "drawn", "1": "won"},
	}
	text := texts[s.options.By.Name][stratum]
	if text != "" {
		return text
	}
	return stratum
}
