package export

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/rows"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/internal/typo"
)

// columnNames are the names that --columns takes, of any dataset.
func columnNames() []string {
	return slices.Concat(plan.ColumnNames(encode.AllColumns()), []string{tablefile.PositionColumn}, slices.DeleteFunc(query.TextNames(), func(name string) bool { return name == encode.MoveColumn }))
}

// columnFlags are the flags of commands that choose the columns of rows.
func columnFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "columns", Category: app.Output, DefaultText: "all", Usage: "write these `COLUMNS`, in this order: columns of DIR, position, " + strings.Join(query.TextNames(), ", ")},
		&cli.BoolFlag{Name: "text", Category: app.Output, Usage: "add texts beside numbers: " + strings.Join(query.TextNames(), ", ")},
	}
}

// queryFrom reads --where, --columns and --text. It sets what they say about the file in spec, whose
// other fields have been read. shape is nil for a game that this program does not know.
func queryFrom(c *cli.Context, ds *datasets.Dataset, shape *rows.Shape, spec *tablefile.Spec) (*query.Query, error) {
	q := &query.Query{Dataset: ds, Shape: shape, Text: c.Bool("text")}
	if c.IsSet("columns") {
		if spec.Fields != nil {
			return nil, app.Usage("flags --columns and --fields exclude each other")
		}
		spec.Fields = strings.Split(c.String("columns"), ",")
		if err := checkColumns(ds, spec.Fields); err != nil {
			return nil, err
		}
		q.Text = q.Text || slices.ContainsFunc(spec.Fields, func(name string) bool { return isText(ds, name) })
		spec.Text = spec.Text || slices.Contains(spec.Fields, tablefile.PositionColumn)
	}
	if shape == nil && (q.Text || c.IsSet("where")) {
		return nil, app.Usage("read games of %s: this program does not know the game in this version, which --where and --text need", ds.Plan().Game)
	}
	if q.Text {
		spec.Columns = q.Columns()
	}
	if shape == nil {
		return q, nil
	}
	var err error
	if q.Where, err = rowflags.ParseWhere(c, &shape.Game, dropsOf(shape)); err != nil {
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
		if meant := typo.DidYouMean(name, known, "%q"); meant != "" {
			return app.Usage("unknown column %q%s", name, meant)
		}
		return app.Usage("unknown column %q: want some of %s", name, strings.Join(known, ", "))
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
