package export

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/datasets/output"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

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
	if app.Quiet(c) {
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
	return app.CheckOutput(c, out)
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
	switch path, taken := output.IsTaken(err); {
	case taken && path == filepath.Clean(out):
		return app.Usage("%s already exists (use --force to replace it)", path)
	case taken:
		return app.Usage("%s already exists: move it away", path)
	case errors.Is(err, fs.ErrNotExist):
		return app.Usage("write %s: no such folder: %s", out, filepath.Dir(out))
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
		return app.Usage("write %s: it lies in the dataset %s", out, strings.TrimSuffix(dir, "/"))
	}
	return nil
}

// toStdout writes to stdout. If the reader closes the pipe, it ends without an error: a
// reader such as head has got what it wanted. SIGPIPE would kill the process instead.
func toStdout(c *cli.Context, write func(out *bufio.Writer) error) error {
	signal.Ignore(syscall.SIGPIPE)
	out := bufio.NewWriterSize(app.Bytes(c.App.Writer), 256<<10)
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
