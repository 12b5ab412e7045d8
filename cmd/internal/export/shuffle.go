package export

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/shuffle"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

func shuffleCommand() *cli.Command {
	return &cli.Command{
		Name:      "shuffle",
		Usage:     "write all rows of a dataset in a random order, each split by itself, as a folder of files",
		ArgsUsage: "DIR",
		Flags: append(formFlags(tablefile.Names()),
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "order by seed `S`: the same order of the same dataset"},
			&cli.Uint64Flag{Name: "file-rows", Value: 1 << 20, Usage: "`N` rows in a file, the last one may have fewer"},
			memoryFlag("about how much memory rows take; the rest goes to files beside OUT"),
			&cli.StringFlag{Name: "out", Usage: "`OUT`, the folder that is made"},
			jsonFlag("print one line of JSON"),
		),
		Action: runShuffle,
	}
}

// shuffling is one call of shuffle.
type shuffling struct {
	*conversion
	seed, fileRows uint64
	memory         int64
}

func runShuffle(c *cli.Context) error {
	v, err := chosenShuffling(c)
	if err != nil {
		return err
	}
	d, err := draftOf(v.dir, v.out)
	if err != nil {
		return err
	}
	_, stop := v.source.follow(c, "shuffling", v.shards, "game", v.ds.Plan().Game, "from", v.dir, "format", v.form.Name, "out", v.out)
	files, err := v.files(c.Context, d)
	stop()
	return v.publish(c, d, files, err)
}

func chosenShuffling(c *cli.Context) (*shuffling, error) {
	v := &shuffling{seed: c.Uint64("seed"), fileRows: c.Uint64("file-rows")}
	if v.fileRows == 0 {
		return nil, app.Usage("file-rows 0: want 1 or more")
	}
	var err error
	if v.memory, err = chosenMemory(c, shuffle.MinMemory); err != nil {
		return nil, err
	}
	name := c.String("format")
	if name == "" {
		name = datasets.Parquet
	}
	if c.String("out") == stdoutName {
		return nil, app.Usage("rows in a random order are no stream: they need a folder")
	}
	if _, err := tablefile.Find(name); err != nil {
		return nil, app.Usage("%v", err)
	}
	v.conversion, err = chosenConversion(c, name)
	return v, err
}

// files writes all files of the folder, split by split, their sums last.
func (v *shuffling) files(ctx context.Context, d *disk.Pending) (files []*outFile, err error) {
	for _, split := range []string{datasets.Train, datasets.Validation} {
		var shards []*datasets.Commit
		rows := uint64(0)
		for _, c := range v.shards {
			if c.Split == split {
				shards = append(shards, c)
				rows += c.Rows
			}
		}
		if rows == 0 {
			continue
		}
		made, err := v.split(ctx, d, split, shards, rows)
		if err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	return v.finishFolder(d, files)
}

// split shuffles the rows of one split.
func (v *shuffling) split(ctx context.Context, d *disk.Pending, split string, shards []*datasets.Commit, rows uint64) (files []*outFile, err error) {
	s, err := v.collect(ctx, d, shards, rows)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var w tablefile.Writer
	done := uint64(0)
	for t, err := range s.All(ctx) {
		if err != nil {
			return nil, err
		}
		if done%v.fileRows == 0 {
			f, err := createOut(d, fmt.Sprintf("%s-%05d%s", split, len(files), v.form.Ext), split, v.form.Index)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
			f.rows = min(v.fileRows, rows-done)
			if w, err = v.form.New(f, v.fileSpec(f, split, d.Dir())); err != nil {
				return nil, f.finish(err)
			}
		}
		f := files[len(files)-1]
		if err := w.Write(t); err != nil {
			return nil, f.finish(err)
		}
		if done += uint64(t.Rows); done%v.fileRows == 0 || done == rows {
			if err := f.finish(w.Close()); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// fileSpec returns what a file is to hold.
func (v *shuffling) fileSpec(f *outFile, split, temp string) tablefile.Spec {
	s := v.spec
	s.Rows, s.Temp = f.rows, temp
	s.More = []encode.KeyValue{
		{Key: "selfplay.split", Value: split},
		{Key: "selfplay.shuffle", Value: fmt.Sprintf("seed=%d", v.seed)},
	}
	return s
}

// collect reads the rows of a split.
func (v *shuffling) collect(ctx context.Context, d *disk.Pending, shards []*datasets.Commit, rows uint64) (*shuffle.Shuffle, error) {
	var s *shuffle.Shuffle
	for t, err := range v.tables(ctx, shards) {
		if err == nil && s == nil {
			s, err = shuffle.New(shuffle.Options{
				Columns: t.Columns, Rows: rows, RowSize: shuffle.Size(t), Seed: v.seed, Cut: v.fileRows, Memory: v.memory, Temp: d.Dir(),
			})
			if errors.Is(err, shuffle.ErrMemory) {
				err = app.Usage("shuffle rows: %v", err)
			}
		}
		if err == nil {
			err = s.Add(t)
		}
		if err != nil {
			if s != nil {
				err = errors.Join(err, s.Close())
			}
			return nil, err
		}
	}
	return s, nil
}
