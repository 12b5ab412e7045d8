package program

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/internal/typo"
)

// onDataset returns the action of a command that reads one dataset. If the dataset is
// damaged, the error says what to do about it.
func onDataset(run func(c *cli.Context, dir string) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		dir, err := dirArg(c)
		if err != nil {
			return err
		}
		return explainDamage(c, dir, run(c, dir))
	}
}

// openKnown opens a dataset whose games this program can replay. The error is
// ErrUnsupported if it was made with other versions of the rules or the numbers.
func openKnown(c *cli.Context, dir string) (*datasets.Dataset, *rows.Shape, error) {
	ds, err := datasets.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	shape, err := rows.OfDataset(catalogOf(c).Games, ds)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", dir, err)
	}
	return ds, shape, nil
}

// explainUnfinished adds to ErrUnfinished what to do. It returns other errors unchanged.
func explainUnfinished(err error) error {
	if errors.Is(err, datasets.ErrUnfinished) {
		return usagef("%v: run selfplay run to finish it, or with fewer --games to end it", err)
	}
	return err
}

// replayOf returns a function that makes the rows of the dataset in dir again. It returns
// nil if the plan is damaged, or if the rows depend on damaged games: verify reports the
// damage.
func replayOf(c *cli.Context, dir string) (func() datasets.RowFunc, error) {
	ds, err := datasets.OpenAnew(dir)
	var shape *rows.Shape
	if err == nil {
		if shape, err = rows.OfDataset(catalogOf(c).Games, ds); err != nil {
			return nil, fmt.Errorf("verify %s --deep: %w", dir, err)
		}
	}
	var rowFuncs func() datasets.RowFunc
	if err == nil {
		rowFuncs, err = rowFuncsOf(c, shape, ds)
	}
	switch {
	case errors.Is(err, datasets.ErrCorrupt), errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, datasets.ErrUnfinished):
		return nil, usagef("verify %s --deep: its rows depend on all games: %v", dir, err)
	}
	return rowFuncs, err
}

// rowFuncsOf returns a function that makes the rows of a shape from the games of a
// dataset. It reads the games first if the shape is Unique, in the default memory.
func rowFuncsOf(c *cli.Context, s *rows.Shape, ds *datasets.Dataset) (func() datasets.RowFunc, error) {
	if !s.Unique {
		return s.Rows(), nil
	}
	src, err := ds.Source(c.Context)
	if err != nil {
		return nil, err
	}
	return compareGames(c, s, src, defaultMemory)
}

// compareGames returns a function that makes the rows of a shape from the games of a source.
// If the shape is Unique, it first compares the positions of all games and shows progress.
func compareGames(c *cli.Context, s *rows.Shape, src *datasets.Source, memory int64) (func() datasets.RowFunc, error) {
	if !s.Unique {
		return s.Rows(), nil
	}
	n := new(scan.Counter)
	defer newMeter(comparingWord, src.Games(), logOf(c), c.App.ErrWriter, isQuiet(c)).Watch(n)()
	return dedup.RowFuncs(c.Context, s, src, memory, n)
}

// comparingWord is what progress says while equal positions are found.
const comparingWord = "comparing"

// scanGames adds the games of parts of shards to total, and shows progress.
func scanGames[T scan.Collector[T]](c *cli.Context, ds *datasets.Dataset, parts []*record.Part, total T) error {
	n := new(scan.Counter)
	defer readMeter(c, "reading", parts).Watch(n)()
	return scan.Games(c.Context, ds, parts, total, n)
}

// followReading shows the progress of reading parts of shards, which n counts, until stop is called. The
// pairs of keys and values are logged at the start.
func followReading(c *cli.Context, doing string, parts []*record.Part, n *scan.Counter, pairs ...any) (p *meter, stop func()) {
	p = readMeter(c, doing, parts, pairs...)
	p.Start()
	return p, p.Watch(n)
}

func readMeter(c *cli.Context, doing string, parts []*record.Part, pairs ...any) *meter {
	games := uint64(0)
	for _, p := range parts {
		games += p.Games
	}
	return newMeter(doing, games, logOf(c), c.App.ErrWriter, isQuiet(c), pairs...)
}

// columnNames are the names that --columns takes, of any dataset.
func columnNames() []string {
	return slices.Concat(plan.ColumnNames(encode.AllColumns()), []string{tablefile.PositionColumn}, slices.DeleteFunc(query.TextNames(), func(name string) bool { return name == encode.MoveColumn }))
}

// columnFlags are the flags of commands that choose the columns of rows.
func columnFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "columns", Category: groupOutput, DefaultText: "all", Usage: "write these `COLUMNS`, in this order: columns of DIR, position, " + strings.Join(query.TextNames(), ", ")},
		&cli.BoolFlag{Name: "text", Category: groupOutput, Usage: "add texts beside numbers, with --columns those of its columns: " + strings.Join(query.TextNames(), ", ")},
	}
}

// queryFrom reads --where, --columns and --text. It sets what they say about the file in spec, whose
// other fields have been read. shape is nil for a game that this program does not know.
func queryFrom(c *cli.Context, ds *datasets.Dataset, shape *rows.Shape, spec *tablefile.Spec) (*query.Query, error) {
	q := &query.Query{Dataset: ds, Shape: shape, Text: c.Bool("text")}
	if c.IsSet("columns") {
		if spec.Fields != nil {
			return nil, usagef("flags --columns and --fields exclude each other")
		}
		spec.Fields = strings.Split(c.String("columns"), ",")
		if err := checkColumns(ds, spec.Fields); err != nil {
			return nil, err
		}
		if q.Text {
			spec.Fields = query.WithTextNames(spec.Fields)
			if !slices.ContainsFunc(spec.Fields, func(name string) bool { return slices.Contains(query.TextNames(), name) }) {
				return nil, usagef("flag --text: none of the columns %s has a text beside it", c.String("columns"))
			}
		}
		q.Text = slices.ContainsFunc(spec.Fields, func(name string) bool { return isText(ds, name) })
		spec.Text = spec.Text || slices.Contains(spec.Fields, tablefile.PositionColumn)
	}
	if shape == nil && (q.Text || c.IsSet("where")) {
		return nil, usagef("read games of %s: this program does not know the game in this version, which --where and --text need", ds.Plan().Game)
	}
	if q.Text {
		spec.Columns = q.Columns()
	}
	if shape == nil {
		return q, nil
	}
	var err error
	if q.Where, err = parseWhere(c, &shape.Game, dropsOf(shape)); err != nil {
		return nil, err
	}
	if q.Where != nil {
		spec.Where = q.Where.String()
	}
	return q, nil
}

// checkColumns refuses names that no column has, texts and the position included.
func checkColumns(ds *datasets.Dataset, names []string) error {
	known := slices.Concat(plan.ColumnNames(ds.Description().Columns), []string{tablefile.PositionColumn}, query.TextNames())
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		meant := typo.DidYouMean(name, known, "%q")
		if meant != "" {
			return usagef("unknown column %q%s", name, meant)
		}
		return usagef("unknown column %q: want some of %s", name, strings.Join(known, ", "))
	}
	return nil
}

// isText reports whether a name is that of a column of texts that the dataset does not have.
func isText(ds *datasets.Dataset, name string) bool {
	return slices.Contains(query.TextNames(), name) && encode.ColumnNamed(ds.Description().Columns, name) < 0
}

// dropsOf returns the model of the word drop of --where, nil if the files have none.
func dropsOf(shape *rows.Shape) *encode.Deblunder {
	if shape.WDL == nil {
		return nil
	}
	return &encode.Deblunder{A: shape.WDL.A, B: shape.WDL.B}
}

// defaultMemory is the memory for comparing positions unless --memory is given.
const defaultMemory = 1 << 30

// comparingMemory is the usage of --memory where positions are compared.
const comparingMemory = "compare positions in about `SIZE` of memory, such as 64MiB or 2GB, and in files in $TMPDIR"

func memoryFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "memory", Value: "1GiB", Usage: usage}
}

// memoryFrom reads --memory, which must be at least least bytes, in whole MiB. The
// results of a command do not depend on it.
func memoryFrom(c *cli.Context, least int64) (int64, error) {
	text := c.String("memory")
	n, ok := human.ParseSize(text)
	if !ok || n < least {
		return 0, usagef("memory %q: want %dMiB or more, such as 64MiB or 2GB", text, least>>20)
	}
	return n, nil
}
