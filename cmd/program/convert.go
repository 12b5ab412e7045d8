package program

import (
	"bufio"
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/convert"

	"selfplay/datasets/movetext"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/shuffle"
	"selfplay/datasets/spill"
	"selfplay/datasets/status"
	"selfplay/datasets/tablefile"
)

func convertCommand() *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Usage:     "write all rows or games in another format: files, a stream or a dataset",
		ArgsUsage: "DIR",
		Description: allForms() + "\n\n" +
			"parquet and arrow make a dataset, as rows does. Every other format makes a folder with one file\n" +
			"per shard, metadata.json and SHA256SUMS, or a stream to stdout if --out is -.\n\n" +
			"Examples:\n" +
			"  selfplay convert --format npz --out data/npz data/demo\n" +
			"  selfplay convert --format jsonl --out - data/demo | head\n" +
			"  selfplay convert --format csv --where 'result=draw,plies>100' --text --out drawn data/demo",
		Flags: slices.Concat(formFlags("write the output in this `FORMAT`"), columnFlags(), fieldFlags(), filterFlags(asInDir), []cli.Flag{
			&cli.StringFlag{Name: "out", Category: groupOutput, Usage: "write to the new folder `OUT`; - means stdout"},
			forceFlag(),
			checkFlag(),
			jsonFlag(),
		}),
		Action: onDataset(runConvert),
	}
}

func runConvert(c *cli.Context, dir string) error {
	if err := requireFlags(c, "format", "out"); err != nil {
		return err
	}
	name := c.String("format")
	if name == plan.Parquet || name == plan.Arrow {
		return convertDataset(c, dir)
	}
	v, err := conversionFrom(c, dir, name)
	if err != nil {
		return err
	}
	if v.out == stdoutName {
		return v.stream(c)
	}
	return v.folder(c)
}

// convertDataset makes a dataset in another file format, as rows does.
func convertDataset(c *cli.Context, dir string) error {
	for _, flag := range []string{"split", "boards", "compress", "columns", "text", "fields", "policy", "force"} {
		if c.IsSet(flag) {
			return usagef("flag --%s: %s makes a dataset, and the flag is for other formats", flag, c.String("format"))
		}
	}
	if c.String("out") == stdoutName {
		return usagef("%s makes a dataset, which cannot be a stream: want one of %s", c.String("format"), strings.Join(streams(), ", "))
	}
	if err := refuseInside(dir, c.String("out")); err != nil {
		return err
	}
	return runRows(c, dir)
}

// streams returns the names of the forms that can be written to stdout.
func streams() (names []string) {
	for _, f := range tablefile.Forms() {
		if f.Stream {
			names = append(names, f.Name)
		}
	}
	return append(names, movetext.Names()...)
}

// conversion is one call of convert or shuffle.
type conversion struct {
	*convert.Conversion
	dir, out   string
	unfinished error // of a stream of an unfinished dataset
}

// conversionFrom reads the flags. A folder is a function of the dataset, so the dataset
// must be finished. A stream may have the shards that are committed by now.
func conversionFrom(c *cli.Context, dir, name string) (v *conversion, err error) {
	v = &conversion{Conversion: new(convert.Conversion), dir: dir}
	if err = v.SetForm(name); err != nil {
		return nil, usagef("%v, %s", err, strings.Join(movetext.Names(), ", "))
	}
	if v.out, err = required(c, "out"); err != nil {
		return nil, err
	}
	if c.IsSet("check") {
		return nil, usagef("flag --check: only a dataset is read back, and %s makes none", name)
	}
	if v.out == stdoutName && !v.Form.Stream {
		return nil, usagef("%s cannot be a stream: name a folder with --out", name)
	}
	if v.Dataset, err = datasets.Open(dir); err != nil {
		return nil, err
	}
	if v.Shape, err = rows.OfKnown(catalogOf(c).Games, v.Dataset); err != nil {
		return nil, err
	}
	if err := v.chooseContent(c); err != nil {
		return nil, err
	}
	return v, nil
}

// chooseContent reads the flags that say what is written.
func (v *conversion) chooseContent(c *cli.Context) (err error) {
	if v.Spec, err = specFrom(c, v.Dataset, v.Shape); err != nil {
		return err
	}
	if c.IsSet("fields") && v.Games == nil && !v.Form.Fields {
		return usagef("flag --fields: it is for records: choose columns of %s with --columns", v.Form.Name)
	}
	if v.Query, err = queryFrom(c, v.Dataset, v.Shape, &v.Spec); err != nil {
		return err
	}
	flag := rowFlagOf(c, v.Spec)
	if v.Games != nil && flag != "" {
		return usagef("flag --%s: %s has games, not rows", flag, v.Form.Name)
	}
	if err := v.chooseRows(c); err != nil {
		return err
	}
	if v.Games != nil {
		err = v.Spec.Check(v.Form)
	}
	if err == nil {
		err = v.Check()
	}
	if err != nil {
		return usagef("%v", err)
	}
	var all []*record.Commit
	if v.out == stdoutName {
		all, err = v.Dataset.Commits()
		_, v.unfinished = v.Dataset.CheckFinished(all)
	} else {
		all, _, err = v.Dataset.FinishedCommits()
	}
	if err != nil {
		return explainUnfinished(err)
	}
	v.Parts, err = partsOf(c, v.dir, all)
	return err
}

// chooseRows reads the flags that filter rows.
func (v *conversion) chooseRows(c *cli.Context) error {
	unfiltered := c.IsSet("where") && c.String("where") == "" && len(v.Dataset.Plan().Filter) > 0
	if !unfiltered && !c.IsSet("keep") && !c.IsSet("max-rows-per-game") {
		return nil
	}
	switch {
	case v.Shape == nil:
		return usagef("filter rows of %s: this program does not know the game %s in this version", v.dir, v.Dataset.Plan().Game)
	case v.Shape.Unique:
		return usagef("filter rows of %s: it has the rows of dedup, which cannot be filtered again: filter with rows, then dedup", v.dir)
	}
	shape := *v.Shape
	if err := applyFilter(c, &shape, dropsOf(&shape)); err != nil {
		return err
	}
	v.Replay, v.Spec.Filter = &shape, append([]string{}, shape.Filter.Texts()...)
	v.Query.Where, v.Spec.Where = nil, "" // now a part of the filter
	return nil
}

// rowFlagOf returns a flag that says which rows are written or how, "" if none is given.
func rowFlagOf(c *cli.Context, s tablefile.Spec) string {
	for _, flag := range []string{"columns", "text", "fields", "policy", "keep", "max-rows-per-game"} {
		if c.IsSet(flag) {
			return flag
		}
	}
	if s.Text {
		return "boards"
	}
	return ""
}

// follow shows progress until stop is called.
func (v *conversion) follow(c *cli.Context, doing string) (stop func()) {
	p, stop := followReading(c, doing, v.Parts, &v.Counter, "game", v.Dataset.Plan().Game, "from", v.dir, "format", v.Form.Name, "out", v.out)
	v.Done = func(shard int) { p.Notify(status.Event{Kind: status.EventCommitted, Shard: shard}) }
	return stop
}

// folder writes a folder with one file per shard.
func (v *conversion) folder(c *cli.Context) error {
	o, err := newOutput(c, v.dir, v.out)
	if err != nil {
		return err
	}
	stop := v.follow(c, "converting")
	files, err := v.Files(c.Context, o)
	stop()
	return v.written().publish(c, o, files, v.Games != nil, err)
}

// written returns what is printed at the end.
func (v *conversion) written() *written { return &written{Form: v.Form.Name, Out: v.out} }

// stream writes to stdout.
func (v *conversion) stream(c *cli.Context) error {
	warnUnfinished(c, v.unfinished, v.dir)
	defer v.follow(c, "converting")()
	return toStdout(c, func(out *bufio.Writer) error { return v.Stream(c.Context, out) })
}

// warnUnfinished warns that a dataset is unfinished, if the error says so.
func warnUnfinished(c *cli.Context, err error, dir string) {
	if errors.Is(err, datasets.ErrUnfinished) {
		logOf(c).Warn("the dataset is unfinished: only committed shards are read", "dir", dir)
	}
}

func shuffleCommand() *cli.Command {
	return &cli.Command{
		Name:      "shuffle",
		Usage:     "write all rows in random order, each split by itself, as a folder of files",
		ArgsUsage: "DIR",
		Description: rowForms() + "\n\n" +
			"The order is a permutation of all rows of a split. It depends on the seed and on the dataset,\n" +
			"not on --memory.\n\n" +
			"Examples:\n" +
			"  selfplay shuffle --out data/shuffled data/demo\n" +
			"  selfplay shuffle --format records --fields board,score --out data/records data/demo",
		Flags: slices.Concat(formFlags("write the files in this `FORMAT`; parquet if not given"), columnFlags(), fieldFlags(), filterFlags(asInDir), []cli.Flag{
			&cli.StringFlag{Name: "out", Category: groupOutput, Usage: "write to the new folder `OUT`"},
			forceFlag(),
			&cli.Uint64Flag{Name: "seed", Category: groupRows, Value: 1, Usage: "order rows by this `SEED`; the same seed gives the same order"},
			countFlag("file-rows", 1<<20, groupOutput, "write `N` rows to a file, such as 100k; the last file of a split may have fewer"),
			memoryFlag("shuffle rows in about `SIZE` of memory, such as 64MiB or 2GB, and in files beside OUT"),
			jsonFlag(),
		}),
		Action: onDataset(runShuffle),
	}
}

func runShuffle(c *cli.Context, dir string) error {
	order, err := orderFrom(c)
	if err != nil {
		return err
	}
	v, err := conversionFrom(c, dir, cmp.Or(c.String("format"), plan.Parquet))
	if err != nil {
		return err
	}
	o, err := newOutput(c, dir, v.out)
	if err != nil {
		return err
	}
	stop := v.follow(c, "shuffling")
	files, err := v.Shuffled(c.Context, o, order)
	stop()
	return v.written().publish(c, o, files, v.Games != nil, v.explainShuffle(err))
}

// explainShuffle turns errors of the flags into usage errors.
func (v *conversion) explainShuffle(err error) error {
	switch {
	case errors.Is(err, spill.ErrMemory):
		return usagef("shuffle rows: %v", err)
	case errors.Is(err, convert.ErrNoRows) && v.Replay != nil:
		return usagef("shuffle %s: no row passes the filter %s", v.dir, strings.Join(v.Spec.Filter, " "))
	case errors.Is(err, convert.ErrNoRows):
		return usagef("shuffle %s: no row matches --where %s", v.dir, v.Query.Where)
	}
	return err
}

// orderFrom reads the flags that only shuffle has, and refuses what only convert can do.
func orderFrom(c *cli.Context) (order convert.Order, err error) {
	order = convert.Order{Seed: c.Uint64("seed"), FileRows: c.Uint64("file-rows")}
	if order.FileRows == 0 {
		return order, usagef("file-rows 0: want 1 or more")
	}
	if order.Memory, err = memoryFrom(c, shuffle.MinMemory); err != nil {
		return order, err
	}
	if c.String("out") == stdoutName {
		return order, usagef("shuffled rows cannot be a stream: name a folder with --out")
	}
	name := c.String("format")
	if name != "" {
		if _, err := tablefile.Find(name); err != nil {
			return order, usagef("%v", err)
		}
	}
	return order, nil
}
