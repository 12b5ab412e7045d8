package program

import (
	"bufio"
	"cmp"
	"math"

	"github.com/urfave/cli/v2"

	"selfplay/datasets/convert"
	"selfplay/datasets/output"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/shuffle"
	"selfplay/datasets/tablefile"
)

func mixCommand() *cli.Command {
	return &cli.Command{
		Name:  "mix",
		Usage: "write rows of several datasets by weights: a stream or a folder of files",
		Description: rowForms() + "\n\n" +
			"Each row is the next one of a dataset that is drawn by weight. The mix ends where a dataset has\n" +
			"no more rows, or after --rows. Splits are never mixed: a stream has the rows of one, a folder\n" +
			"has files of each.\n\n" +
			"Examples:\n" +
			"  selfplay mix --weights data/a=0.7,data/b=0.3 --split train --format jsonl --out - | head\n" +
			"  selfplay mix --weights data/a=0.7,data/b=0.3 --out data/mixed",
		Flags: append(append(formFlags("write the rows in this `FORMAT`; parquet for a folder if not given"), fieldFlags()...),
			&cli.StringFlag{Name: "weights", Usage: "`DIR=WEIGHT,DIR=WEIGHT` and so on, weights in thousandths that add up to 1, such as 0.7"},
			&cli.StringFlag{Name: "out", Category: groupOutput, Usage: "write to the new folder `OUT`; - means stdout"},
			forceFlag(),
			&cli.Uint64Flag{Name: "seed", Category: groupRows, Value: 1, Usage: "draw by this `SEED`; the same seed gives the same rows in the same order"},
			countFlag("rows", 0, groupRows, "end each split after `N` rows"),
			&cli.BoolFlag{Name: "repeat", Category: groupRows, Usage: "begin a dataset again where it ends; needs --rows"},
			countFlag("buffer", 1<<16, groupRows, "shuffle rows within a buffer of `N` rows; 0 keeps the order of each dataset"),
			countFlag("file-rows", 1<<20, groupOutput, "write `N` rows to a file, such as 100k; the last file of a split may have fewer"),
			jsonFlag(),
		),
		Action: runMix,
	}
}

// mixture is one call of mix.
type mixture struct {
	parts    []mixPart
	out      string
	form     tablefile.Form
	spec     tablefile.Spec
	split    string // "" for both
	options  shuffle.MixOptions
	fileRows uint64
	counter  scan.Counter
}

func runMix(c *cli.Context) error {
	m, err := mixtureFrom(c)
	if err != nil {
		return err
	}
	if m.out == stdoutName {
		return m.stream(c)
	}
	return m.folder(c)
}

// mixtureFrom reads the flags.
func mixtureFrom(c *cli.Context) (m *mixture, err error) {
	if err := noArgs(c); err != nil {
		return nil, err
	}
	if err := requireFlags(c, "weights", "out"); err != nil {
		return nil, err
	}
	m = &mixture{out: c.String("out"), split: c.String("split"), fileRows: c.Uint64("file-rows")}
	if m.parts, err = partsFrom(c, c.String("weights")); err != nil {
		return nil, err
	}
	if err := checkParts(c, m.parts); err != nil {
		return nil, err
	}
	for _, read := range []func(*cli.Context) error{m.readOrder, m.readForm, m.readSplit} {
		if err := read(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// readOrder reads the flags that say which rows are drawn, in which order.
func (m *mixture) readOrder(c *cli.Context) error {
	buffer := c.Uint64("buffer")
	m.options = shuffle.MixOptions{Seed: c.Uint64("seed"), Rows: c.Uint64("rows"), Repeat: c.Bool("repeat"), Buffer: int(min(buffer, math.MaxInt32)), Cut: m.fileRows}
	switch {
	case m.fileRows == 0:
		return usagef("file-rows 0: want 1 or more")
	case buffer > math.MaxInt32:
		return usagef("buffer %d: want at most %d", buffer, math.MaxInt32)
	case m.options.Repeat && m.options.Rows == 0:
		return usagef("flag --repeat needs --rows: otherwise the mix has no end")
	case c.IsSet("rows") && m.options.Rows == 0:
		return usagef("rows 0: want 1 or more")
	}
	return nil
}

// readForm reads the form of the output.
func (m *mixture) readForm(c *cli.Context) (err error) {
	name := c.String("format")
	if name == "" && m.out == stdoutName {
		return usagef("flag --format is missing: a stream has no default")
	}
	if m.form, err = tablefile.Find(cmp.Or(name, plan.Parquet)); err != nil {
		return usagef("%v", err)
	}
	if m.out == stdoutName && !m.form.Stream {
		return usagef("%s cannot be a stream: name a folder with --out", m.form.Name)
	}
	shape, err := rows.OfKnown(catalogOf(c).Games, m.parts[0].set)
	if err != nil {
		return err
	}
	if m.spec, err = specFrom(c, m.parts[0].set, shape); err != nil {
		return err
	}
	if err := m.spec.Check(m.form); err != nil {
		return usagef("%v", err)
	}
	m.spec.Without, m.spec.RowKeys = withoutKeys(m.parts), true
	return nil
}

// readSplit reads which split is written.
func (m *mixture) readSplit(c *cli.Context) error {
	switch m.split {
	case plan.Train, plan.Validation:
	case "":
		if m.out == stdoutName {
			return usagef("flag --split is missing: a stream has the rows of one split, %s or %s", plan.Train, plan.Validation)
		}
	default:
		return usagef("unknown split %q: want %s or %s", m.split, plan.Train, plan.Validation)
	}
	return nil
}

// splits returns the splits that are written. Every dataset must have rows of each, because a mix ends where one has no more,
// and with --repeat begins it again.
func (m *mixture) splits() (list []string, err error) {
	if list, err = m.commonSplits(); err != nil {
		return nil, err
	}
	for _, split := range list {
		i := m.optionsOf(split).Empty()
		if i >= 0 {
			return nil, usagef("mix %s: it has no %s rows", m.parts[i].dir, split)
		}
	}
	return list, nil
}

// commonSplits returns the splits that are written, of which every dataset has shards.
func (m *mixture) commonSplits() (list []string, err error) {
	for _, split := range []string{plan.Train, plan.Validation} {
		if m.split != "" && m.split != split {
			continue
		}
		var with, without []string
		for i := range m.parts {
			if len(m.parts[i].parts[split]) > 0 {
				with = append(with, m.parts[i].dir)
			} else {
				without = append(without, m.parts[i].dir)
			}
		}
		switch {
		case len(without) == 0:
			list = append(list, split)
		case len(with) > 0 || m.split != "":
			return nil, usagef("mix %s: it has no %s shards: use --split to write another split, or make %s with more games or --validation", without[0], split, without[0])
		}
	}
	return list, nil
}

// optionsOf returns the options of a split.
func (m *mixture) optionsOf(split string) shuffle.MixOptions {
	o := m.options
	for i := range m.parts {
		o.Sources = append(o.Sources, shuffle.Source{Dataset: m.parts[i].set, Parts: m.parts[i].parts[split], Weight: m.parts[i].weight})
	}
	return o
}

// follow shows progress until stop is called.
func (m *mixture) follow(c *cli.Context) (stop func()) {
	p := newMeter("mixing", 0, logOf(c), c.App.ErrWriter, isQuiet(c), "format", m.form.Name, "out", m.out)
	p.Start()
	return p.Watch(&m.counter)
}

// stream writes one split to stdout.
func (m *mixture) stream(c *cli.Context) error {
	splits, err := m.splits()
	if err != nil {
		return err
	}
	o := m.optionsOf(splits[0])
	o.Cut = 0
	n, shares := o.Count()
	spec := m.spec
	spec.Rows, spec.More = n, mixMetadata(m.parts, m.options, splits[0], shares)
	defer m.follow(c)()
	return toStdout(c, func(out *bufio.Writer) error {
		return writeTables(m.form, out, spec, o.Tables(c.Context, &m.counter))
	})
}

// folder writes the splits into a folder.
func (m *mixture) folder(c *cli.Context) error {
	splits, err := m.splits()
	if err != nil {
		return err
	}
	for i := range m.parts {
		if err := refuseInside(m.parts[i].dir, m.out); err != nil {
			return err
		}
	}
	o, err := newOutput(c, m.parts[0].dir, m.out)
	if err != nil {
		return err
	}
	stop := m.follow(c)
	files, err := m.write(c, o, splits)
	stop()
	w := written{Form: m.form.Name, Out: m.out}
	return w.publish(c, o, files, false, err)
}

// write writes the files of all splits, and those that describe them.
func (m *mixture) write(c *cli.Context, o *output.Output, splits []string) (files []*output.File, err error) {
	for _, split := range splits {
		options := m.optionsOf(split)
		n, shares := options.Count()
		s := convert.SplitFiles{
			Out: o, Form: m.form, Spec: m.spec, Split: split, Rows: n, FileRows: m.fileRows, More: mixMetadata(m.parts, m.options, "", shares),
		}
		list, err := s.Write(options.Tables(c.Context, &m.counter))
		if err != nil {
			return nil, err
		}
		files = append(files, list...)
	}
	return convert.Describe(o, m.form, m.spec, files)
}
