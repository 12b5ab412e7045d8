package export

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/movetext"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/tablefile"
)

// Values of --boards.
const (
	boardsArray = "array"
	boardsText  = "text"
)

// formFlags are the flags of commands that write rows in a form.
func formFlags(formUsage string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Category: app.Output, Usage: formUsage},
		&cli.StringFlag{Name: "split", Category: app.Output, DefaultText: "both", Usage: "write the rows of one `SPLIT`: train or validation"},
		&cli.StringFlag{Name: "boards", Category: app.Output, Value: boardsArray, Usage: "`KIND` of boards: array, or text for the position in the game's notation"},
		&cli.StringFlag{Name: "board-type", Category: app.Output, DefaultText: "as in DIR", Usage: "column `TYPE` of the array in parquet, arrow and arrow-stream: list or packed"},
		&cli.BoolFlag{Name: "compress", Category: app.Output, Usage: "compress arrow-stream with zstd, npz with deflate"},
	}
}

// fieldFlags are the flags of commands that can write records.
func fieldFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "fields", Category: app.Output, DefaultText: "all of fixed length", Usage: "`COLUMNS` of records in order, such as board,score,outcome"},
		&cli.IntFlag{Name: "policy", Category: app.Output, DefaultText: "none", Usage: "number `K` of policy entries of records: the K moves of largest weight, and zeros after the last"},
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
		return s, app.Usage("policy %d: want 1 or more", s.Policy)
	}
	switch boards := c.String("boards"); boards {
	case boardsArray:
	case boardsText:
		s.Text = true
	default:
		return s, app.Usage("unknown boards %q: want %s or %s", boards, boardsArray, boardsText)
	}
	return s, nil
}

// partsOf returns the parts of shards that are of the split that --split names.
func partsOf(c *cli.Context, dir string, all []*record.Commit) (list []*record.Part, err error) {
	split := c.String("split")
	if split != "" && split != plan.Train && split != plan.Validation {
		return nil, app.Usage("unknown split %q: want %s or %s", split, plan.Train, plan.Validation)
	}
	for _, p := range record.PartsOf(all) {
		if split == "" || p.Split == split {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil, app.Usage("read %s: the dataset has no %s games", dir, cmp.Or(split, "committed"))
	}
	return list, nil
}
