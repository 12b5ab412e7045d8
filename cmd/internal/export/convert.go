package export

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/movetext"
	"selfplay/datasets/tablefile"
)

func convertCommand() *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Usage:     "write a whole dataset in another form: as a dataset where it is parquet or arrow, as a folder of files, or to stdout",
		ArgsUsage: "DIR",

		Description: formTable(),
		Flags: append(formFlags(append(tablefile.Names(), movetext.Names()...)),
			&cli.StringFlag{Name: "out", Usage: "`OUT`, the folder that is made; - for stdout"},
			rowflags.CheckFlag(),
			jsonFlag("print one line of JSON"),
		),
		Action: runConvert,
	}
}

// formTable says what forms there are.
func formTable() string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range tablefile.Forms() {
		fmt.Fprintf(t, "%s\t*%s\t%s\n", f.Name, f.Ext, f.Doc)
	}
	for _, f := range movetext.Forms() {
		fmt.Fprintf(t, "%s\t*%s\t%s\n", f.Name, f.Ext, f.Doc)
	}
	t.Flush()
	return strings.TrimSpace(b.String())
}

// formFlags are those of every command that writes rows in a form.
func formFlags(names []string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Usage: "`FORM` of what is written: " + strings.Join(names, ", ")},
		&cli.StringFlag{Name: "split", DefaultText: "both", Usage: "only rows of this split: train or validation"},
		&cli.StringFlag{Name: "boards", Value: boardsArray, Usage: "array, or text: the position as a text in place of the array"},
		&cli.StringFlag{Name: "board-type", DefaultText: "as in DIR", Usage: "how parquet, arrow and arrow-stream hold the array: list or packed"},
		&cli.BoolFlag{Name: "compress", Usage: "compress arrow-stream with zstd, npz with deflate"},
	}
}

// Values of --boards.
const (
	boardsArray = "array"
	boardsText  = "text"
)

// chosenSpec reads these flags but --format and --split.
func chosenSpec(c *cli.Context, f tablefile.Form, ds *datasets.Dataset) (tablefile.Spec, error) {
	k, _ := find(ds.Plan()) // rows of an unknown game are columns all the same
	s := tablefile.Spec{Source: ds, Shape: k.shape, BoardType: c.String("board-type"), Compress: c.Bool("compress")}
	switch boards := c.String("boards"); boards {
	case boardsArray:
	case boardsText:
		s.Text = true
	default:
		return s, app.Usage("unknown boards %q: want array or text", boards)
	}
	if err := s.Check(f); err != nil {
		return s, app.Usage("%v", err)
	}
	return s, nil
}

// chosenShards returns the shards of the split that is asked for.
func chosenShards(c *cli.Context, dir string, all []*datasets.Commit) (list []*datasets.Commit, err error) {
	split := c.String("split")
	if split != "" && split != datasets.Train && split != datasets.Validation {
		return nil, app.Usage("unknown split %q: want train or validation", split)
	}
	for _, commit := range all {
		if split == "" || commit.Split == split {
			list = append(list, commit)
		}
	}
	if len(list) == 0 {
		return nil, app.Usage("read %s: it has no %s shards", dir, cmp.Or(split, "committed"))
	}
	return list, nil
}

func runConvert(c *cli.Context) error {
	name, err := app.Required(c, "format")
	if err != nil {
		return err
	}
	if name == datasets.Parquet || name == datasets.Arrow {
		return convertDataset(c)
	}
	v, err := chosenConversion(c, name)
	if err != nil {
		return err
	}
	if v.out == stdoutName {
		return v.stream(c)
	}
	return v.make(c)
}

// convertDataset makes a dataset in another format. That is what rows does.
func convertDataset(c *cli.Context) error {
	for _, flag := range []string{"split", "boards", "compress"} {
		if c.IsSet(flag) {
			return app.Usage("flag --%s: %s makes a dataset, which has all rows as they are", flag, c.String("format"))
		}
	}
	if c.String("out") == stdoutName {
		return app.Usage("%s makes a dataset, which is no stream: want one of arrow-stream, csv, jsonl, webdataset, pgn, moves", c.String("format"))
	}
	dir, err := app.Dir(c)
	if err != nil {
		return err
	}
	if err := refuseInside(dir, c.String("out")); err != nil {
		return err
	}
	return runRows(c)
}

// conversion is one call of convert to files or to stdout.
type conversion struct {
	dir, out string
	ds       *datasets.Dataset
	form     tablefile.Form
	games    *movetext.Form // that form, where it is made of games and not of rows
	spec     tablefile.Spec
	shards   []*datasets.Commit
	source   counter // how far it is
}

// stdoutName is the file that is stdout.
const stdoutName = "-"

// chosenConversion reads the flags. What is written to a folder is a function of the
// dataset, so that has to be finished; a stream may be of what is there by now.
func chosenConversion(c *cli.Context, name string) (v *conversion, err error) {
	v = new(conversion)
	if err = v.choose(name); err != nil {
		return nil, app.Usage("%v", err)
	}
	if v.dir, err = app.Dir(c); err != nil {
		return nil, err
	}
	if v.out, err = app.Required(c, "out"); err != nil {
		return nil, err
	}
	if c.IsSet("check") {
		return nil, app.Usage("flag --check: only a dataset is read back, %s is none", name)
	}
	if v.out == stdoutName && !v.form.Stream {
		return nil, app.Usage("%s is no stream: it needs a folder", name)
	}
	if v.ds, err = datasets.Open(v.dir); err != nil {
		return nil, err
	}
	if v.spec, err = chosenSpec(c, v.form, v.ds); err != nil {
		return nil, err
	}
	if v.games != nil {
		if err := v.checkGames(); err != nil {
			return nil, err
		}
	}
	var all []*datasets.Commit
	if v.out == stdoutName {
		all, err = v.ds.Commits()
	} else {
		all, _, err = v.ds.Finished()
	}
	if err != nil {
		return nil, refuseUnfinished(err)
	}
	v.shards, err = chosenShards(c, v.dir, all)
	return v, err
}

// choose finds the form of a name.
func (v *conversion) choose(name string) (err error) {
	if f, ok := movetext.Find(name); ok {
		v.games, v.form = &f, tablefile.Form{Name: f.Name, Ext: f.Ext, Stream: true}
		return nil
	}
	v.form, err = tablefile.Find(name)
	if err != nil {
		err = fmt.Errorf("%w, %s", err, strings.Join(movetext.Names(), ", "))
	}
	return err
}

// refuseUnfinished words that a dataset has to be finished.
func refuseUnfinished(err error) error {
	if errors.Is(err, datasets.ErrUnfinished) {
		return app.Usage("%v: let selfplay run finish it first", err)
	}
	return err
}

// draftOf begins the output of a dataset in dir, outside of it.
func draftOf(dir, out string) (*disk.Pending, error) {
	if err := refuseInside(dir, out); err != nil {
		return nil, err
	}
	d, err := disk.NewPending(out)
	return d, refuseTarget(out, err)
}

// refuseTarget words why an output cannot be where it is wanted.
func refuseTarget(out string, err error) error {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrExist) && errors.As(err, &path):
		return app.Usage("write %s: there is something of that name", path.Path)
	case errors.Is(err, fs.ErrNotExist):
		return app.Usage("write %s: there is no folder for it", out)
	case err != nil:
		return fmt.Errorf("write %s: %w", out, err)
	}
	return nil
}

// refuseInside refuses an output, which need not be there yet, that lies in a dataset.
func refuseInside(dir, out string) error {
	dataset, err := os.Stat(dir)
	if err != nil {
		return err
	}
	at, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if parent, err := filepath.EvalSymlinks(filepath.Dir(at)); err == nil {
		at = filepath.Join(parent, filepath.Base(at))
	}
	for parent := filepath.Dir(at); at != parent; at, parent = parent, filepath.Dir(parent) {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, dataset) {
			return app.Usage("write %s: it lies in the dataset", out)
		}
	}
	return nil
}
