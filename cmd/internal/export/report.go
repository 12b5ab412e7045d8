package export

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/report"
	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/disk"
	"selfplay/encode"
)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "show what a dataset is like on one HTML page, or two of a game side by side",
		ArgsUsage: "DIR [DIR2]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write the page to this new `FILE`; it loads nothing"},
			&cli.BoolFlag{Name: "exact", Usage: "compare the positions of all rows, where duplicates and leakage are estimated by plies otherwise"},
			memoryFlag(memoryForPositions),
			jsonFlag("print the same numbers as one line of JSON"),
		},
		Action: func(c *cli.Context) error {
			dirs, err := app.Dirs(c, 2)
			if err != nil {
				return err
			}
			out := c.String("out")
			if err := mayWrite(out, c.Bool("json"), dirs); err != nil {
				return err
			}
			memory, err := chosenMemory(c, dedup.MinMemory)
			if err != nil {
				return err
			}
			r, err := reportOf(c, dirs, memory)
			if err != nil {
				return err
			}
			if out != "" {
				if err := writeNew(out, r.HTML); err != nil {
					return err
				}
			}
			if c.Bool("json") {
				return encode.NewJSON(c.App.Writer).Encode(r)
			}
			if app.Quiet(c) {
				return nil
			}
			alarms, looks := r.Count(report.Alarm), r.Count(report.Look)
			_, err = fmt.Fprintf(c.App.Writer, "alarms: %d, worth a look: %d: %s\n", alarms, looks, out)
			return err
		},
	}
}

// mayWrite refuses what would fail after all the work.
func mayWrite(out string, json bool, dirs []string) error {
	if out == "" {
		if !json {
			return app.Usage("nothing to write: want --out FILE.html, --json or both")
		}
		return nil
	}
	if out == stdoutName {
		return app.Usage("a page needs a file; --json goes to stdout")
	}
	for _, dir := range dirs {
		if err := refuseInside(dir, out); err != nil {
			return err
		}
	}
	if _, err := os.Lstat(out); err == nil {
		return refuseTarget(out, &fs.PathError{Op: "write", Path: out, Err: fs.ErrExist})
	}
	if info, err := os.Stat(filepath.Dir(out)); err != nil || !info.IsDir() {
		return refuseTarget(out, fs.ErrNotExist)
	}
	return nil
}

// reportOf reads one or two datasets of a game.
func reportOf(c *cli.Context, dirs []string, memory int64) (*report.Report, error) {
	var game encode.Game
	var sources []report.Source
	for i, dir := range dirs {
		ds, k, err := openKnown(dir)
		if err != nil {
			return nil, err
		}
		if i > 0 && k.game.Name != game.Name {
			return nil, app.Usage("compare %s with %s: the games are %s and %s", dirs[0], dir, game.Name, k.game.Name)
		}
		game = k.game
		s, err := sourceOf(c, ds, k, memory)
		if err != nil {
			return nil, err
		}
		s.Name = name(dir)
		sources = append(sources, s)
	}
	return report.New(&game, sources...)
}

// sourceOf reads a dataset.
func sourceOf(c *cli.Context, ds *datasets.Dataset, k known, memory int64) (s report.Source, err error) {
	s.Dataset = ds
	if c.Bool("exact") {
		if err := refuseOverlap(ds, k); err != nil {
			return s, err
		}
	}
	if s.Info, err = ds.Info(); err != nil {
		return s, err
	}
	if s.Seen, err = collect(c, ds, k); err != nil {
		return s, err
	}
	if s.Shown, err = shown(ds, k); err != nil {
		return s, err
	}
	if c.Bool("exact") {
		s.Overlap, err = overlap(c.Context, ds, k, memory)
	}
	return s, err
}

// shown returns positions of the first game that there is.
func shown(ds *datasets.Dataset, k known) ([]report.Shown, error) {
	commits, err := ds.Commits()
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	for r, err := range ds.Games(commits[0]) {
		if err != nil {
			return nil, &datasets.ShardError{Op: "read", Shard: commits[0].Shard, Err: err}
		}
		return report.Show(&k.game, ds.Plan().Variant, r)
	}
	return nil, nil
}

// name returns how a directory is called, where it is not called ".".
func name(dir string) string {
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	return filepath.Base(dir)
}

// writeNew writes a file that is there whole or not at all, and never over another.
func writeNew(out string, write func(io.Writer) error) error {
	d, err := disk.NewPending(out)
	if err == nil {
		err = writeDraft(d, filepath.Base(out), write)
	}
	return refuseTarget(out, err)
}

// writeDraft writes the only file of a draft.
func writeDraft(d *disk.Pending, name string, write func(io.Writer) error) error {
	f, err := createOut(d, name, "", false)
	if err == nil {
		err = f.finish(write(f))
	}
	if err != nil {
		d.Discard()
		return err
	}
	return d.PublishFile(name)
}
