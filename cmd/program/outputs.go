package program

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/movetext"
	"selfplay/datasets/output"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

// Values of --boards.
const (
	boardsArray = "array"
	boardsText  = "text"
)

// formFlags are the flags of commands that write rows in a form.
func formFlags(formUsage string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Category: groupOutput, Usage: formUsage},
		&cli.StringFlag{Name: "split", Category: groupOutput, DefaultText: "both", Usage: "write the rows of one `SPLIT`: train or validation"},
		&cli.StringFlag{Name: "boards", Category: groupOutput, Value: boardsArray, Usage: "`KIND` of boards: array, or text for the position in the game's notation"},
		&cli.StringFlag{Name: "board-type", Category: groupOutput, DefaultText: "as in DIR", Usage: "column `TYPE` of the array in parquet, arrow and arrow-stream: list or packed"},
		&cli.BoolFlag{Name: "compress", Category: groupOutput, Usage: "compress arrow-stream with zstd, npz with deflate"},
	}
}

// fieldFlags are the flags of commands that can write records.
func fieldFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "fields", Category: groupOutput, DefaultText: "all of fixed length", Usage: "`COLUMNS` of records in order, such as board,score,outcome"},
		&cli.IntFlag{Name: "policy", Category: groupOutput, DefaultText: "none", Usage: "number `K` of policy entries of records: the K moves of largest weight, and zeros after the last"},
	}
}

// rowForms describes the forms of rows, one line each.
func rowForms() string {
	return "Formats of rows:\n" + formTable(func(add func(name, ext, doc string)) {
		for _, f := range tablefile.Forms() {
			add(f.Name, f.Ext, f.Doc)
		}
	})
}

// fileForms describes the forms of rows that are one file.
func fileForms() string {
	return "Formats of rows:\n" + formTable(func(add func(name, ext, doc string)) {
		for _, f := range singleFiles() {
			add(f.Name, f.Ext, f.Doc)
		}
	})
}

// allForms describes the forms of rows and games, one line each.
func allForms() string {
	return rowForms() + "\n\nFormats of games:\n" + formTable(func(add func(name, ext, doc string)) {
		for _, f := range movetext.Forms() {
			add(f.Name, f.Ext, f.Doc)
		}
	})
}

func formTable(list func(add func(name, ext, doc string))) string {
	var lines []string
	list(func(name, ext, doc string) { lines = append(lines, fmt.Sprintf("  %-12s  *%-9s  %s", name, ext, doc)) })
	return strings.Join(lines, "\n")
}

// specFrom reads the flags of formFlags but --format and --split. Of a game that this
// program does not know, shape is nil.
func specFrom(c *cli.Context, ds *datasets.Dataset, shape *rows.Shape) (tablefile.Spec, error) {
	s := tablefile.Spec{Source: ds, Shape: shape, BoardType: c.String("board-type"), Compress: c.Bool("compress"), Policy: c.Int("policy")}
	if c.IsSet("fields") { // of records only
		s.Fields = strings.Split(c.String("fields"), ",")
	}
	if s.Policy < 0 || c.IsSet("policy") && s.Policy == 0 {
		return s, usagef("policy %d: want 1 or more", s.Policy)
	}
	switch boards := c.String("boards"); boards {
	case boardsArray:
	case boardsText:
		s.Text = true
	default:
		return s, usagef("unknown boards %q: want %s or %s", boards, boardsArray, boardsText)
	}
	return s, nil
}

// partsOf returns the parts of shards that are of the split that --split names.
func partsOf(c *cli.Context, dir string, all []*record.Commit) (list []*record.Part, err error) {
	split := c.String("split")
	if split != "" && split != plan.Train && split != plan.Validation {
		return nil, usagef("unknown split %q: want %s or %s", split, plan.Train, plan.Validation)
	}
	for _, p := range record.PartsOf(all) {
		if split == "" || p.Split == split {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil, usagef("read %s: the dataset has no %s games", dir, cmp.Or(split, "committed"))
	}
	return list, nil
}

// stdoutName is the value of --out that means stdout.
const stdoutName = "-"

// written is the JSON that convert and shuffle print.
type written struct {
	Form  string `json:"format"`
	Out   string `json:"out"`
	Files int    `json:"files"` // with rows or games
	Rows  uint64 `json:"rows,omitempty"`
	Games uint64 `json:"games,omitempty"` // of a form of games
	Bytes int64  `json:"bytes"`
}

// count adds the files to the totals.
func (w *written) count(files []*output.File, ofGames bool) {
	for _, f := range files {
		w.Bytes += f.Bytes
		switch {
		case f.Split == "": // describes others
			continue
		case ofGames:
			w.Games += f.Rows
		default:
			w.Rows += f.Rows
		}
		w.Files++
	}
}

func (w *written) print(c *cli.Context) error {
	if isQuiet(c) {
		return nil
	}
	if c.Bool("json") {
		return encode.NewJSON(c.App.Writer).Encode(w)
	}
	content := human.Count(w.Rows, "row")
	if w.Games > 0 {
		content = human.Count(w.Games, "game")
	}
	_, err := fmt.Fprintf(c.App.Writer, "%s in %s, %s: %s\n", content, human.Count(w.Files, w.Form+" file"), human.Count(w.Bytes, "byte"), w.Out)
	return err
}

// checkOut refuses an output that lies in one of the datasets or that already exists. With
// --force it accepts an existing output that may be replaced.
func checkOut(c *cli.Context, out string, dirs ...string) error {
	for _, dir := range dirs {
		if err := refuseInside(dir, out); err != nil {
			return err
		}
	}
	return checkOutput(c, out)
}

// newOutput begins the output of a command that reads the dataset in dir.
func newOutput(c *cli.Context, dir, out string) (*output.Output, error) {
	if err := checkOut(c, out, dir); err != nil {
		return nil, err
	}
	o, err := output.New(out, c.Bool("force"))
	return o, explainOutput(out, err)
}

// explainOutput adds to an error of an output what to do.
func explainOutput(out string, err error) error {
	path, taken := output.IsTaken(err)
	switch {
	case taken && path == filepath.Clean(out):
		return usagef("%s already exists (use --force to replace it)", path)
	case taken:
		return usagef("%s already exists: move it away", path)
	case errors.Is(err, fs.ErrNotExist):
		return usagef("write %s: no such folder: %s", out, filepath.Dir(out))
	case err != nil:
		return fmt.Errorf("write %s: %w", out, err)
	}
	return nil
}

// refuseInside refuses an output that lies in the dataset in dir. The output need not
// exist.
func refuseInside(dir, out string) error {
	inside, err := output.LiesIn(out, dir)
	if err != nil {
		return err
	}
	if inside {
		return usagef("write %s: it lies in the dataset %s", out, strings.TrimSuffix(dir, "/"))
	}
	return nil
}

// toStdout writes to stdout. If the reader closes the pipe, it ends without an error: a
// reader such as head has got what it wanted. SIGPIPE would kill the process instead.
func toStdout(c *cli.Context, write func(out *bufio.Writer) error) error {
	signal.Ignore(syscall.SIGPIPE)
	out := bufio.NewWriterSize(bytesWriter(c.App.Writer), 256<<10)
	err := write(out)
	if err == nil {
		err = out.Flush()
	}
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// publish publishes a folder and prints what is in it. If err is not nil it discards the folder
// instead.
func (w *written) publish(c *cli.Context, o *output.Output, files []*output.File, ofGames bool, err error) error {
	if err != nil {
		o.Discard()
		return err
	}
	if err := o.PublishFolder(); err != nil {
		return fmt.Errorf("write %s: %w", w.Out, err)
	}
	w.count(files, ofGames)
	return w.print(c)
}

// writeTables writes tables in a form.
func writeTables(form tablefile.Form, out io.Writer, spec tablefile.Spec, tables iter.Seq2[*encode.Table, error]) error {
	w, err := form.New(out, spec)
	if err != nil {
		return err
	}
	for t, err := range tables {
		if err == nil {
			err = w.Write(t)
		}
		if err != nil {
			return err
		}
	}
	return w.Close()
}

// singleFiles returns the forms that are one file.
func singleFiles() []tablefile.Form {
	return slices.DeleteFunc(tablefile.Forms(), func(f tablefile.Form) bool { return f.Fields })
}

func singleFileNames() (list []string) {
	for _, f := range singleFiles() {
		list = append(list, f.Name)
	}
	return list
}
