package export

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets/convert"
	"selfplay/datasets/plan"
	"selfplay/datasets/shuffle"
	"selfplay/datasets/spill"
	"selfplay/datasets/tablefile"
)

func shuffleCommand() *cli.Command {
	return &cli.Command{
		Name:      "shuffle",
		Usage:     "write all rows in random order, each split by itself, as a folder of files",
		ArgsUsage: "DIR",
		Description: rowForms() + "\n\n" +
			"The order is a permutation of all rows of a split. It depends on the seed and on the dataset,\n" +
			"not on --memory.\n\n" +
			"Examples:\n" +
			"  export shuffle --out data/shuffled data/demo\n" +
			"  export shuffle --format records --fields board,score --out data/records data/demo",
		Flags: slices.Concat(formFlags("write the files in this `FORMAT`; parquet if not given"), columnFlags(), fieldFlags(), rowflags.FilterFlags(asInDir), []cli.Flag{
			&cli.StringFlag{Name: "out", Category: app.Output, Usage: "write to the new folder `OUT`"},
			app.ForceFlag(),
			&cli.Uint64Flag{Name: "seed", Category: app.Rows, Value: 1, Usage: "order rows by this `SEED`; the same seed gives the same order"},
			app.CountFlag("file-rows", 1<<20, app.Output, "write `N` rows to a file, such as 100k; the last file of a split may have fewer"),
			memoryFlag("shuffle rows in about `SIZE` of memory, such as 64MiB or 2GB, and in files beside OUT"),
			app.JSONFlag(),
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
		return app.Usage("shuffle rows: %v", err)
	case errors.Is(err, convert.ErrNoRows) && v.Replay != nil:
		return app.Usage("shuffle %s: no row passes the filter %s", v.dir, strings.Join(v.Spec.Filter, " "))
	case errors.Is(err, convert.ErrNoRows):
		return app.Usage("shuffle %s: no row matches --where %s", v.dir, v.Query.Where)
	}
	return err
}

// orderFrom reads the flags that only shuffle has, and refuses what only convert can do.
func orderFrom(c *cli.Context) (order convert.Order, err error) {
	order = convert.Order{Seed: c.Uint64("seed"), FileRows: c.Uint64("file-rows")}
	if order.FileRows == 0 {
		return order, app.Usage("file-rows 0: want 1 or more")
	}
	if order.Memory, err = memoryFrom(c, shuffle.MinMemory); err != nil {
		return order, err
	}
	if c.String("out") == stdoutName {
		return order, app.Usage("shuffled rows cannot be a stream: name a folder with --out")
	}
	if name := c.String("format"); name != "" {
		if _, err := tablefile.Find(name); err != nil {
			return order, app.Usage("%v", err)
		}
	}
	return order, nil
}
