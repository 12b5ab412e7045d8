package export

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/query"
	"selfplay/datasets/rows"
	"selfplay/datasets/tablefile"
)

// samplingFrom reads the flags.
func samplingFrom(c *cli.Context, dir string) (s *sampling, err error) {
	if err := app.RequireFlags(c, "rows", "out"); err != nil {
		return nil, err
	}
	s = &sampling{dir: dir, out: c.String("out"), options: query.SampleOptions{Seed: c.Uint64("seed"), Rows: c.Uint64("rows")}}
	if s.options.Rows == 0 {
		return nil, app.Usage("rows 0: want 1 or more")
	}
	if s.form, err = fileFormFrom(c, s.out); err != nil {
		return nil, err
	}
	if s.options.By, err = query.FindStrata(c.String("by")); err != nil {
		return nil, app.Usage("%v", err)
	}
	return s, s.open(c)
}

// open opens the dataset and checks the flags that depend on it.
func (s *sampling) open(c *cli.Context) error {
	ds, err := datasets.Open(s.dir)
	if err != nil {
		return err
	}
	shape, err := rows.OfKnown(app.Catalog(c).Games, ds)
	if err != nil {
		return err
	}
	if s.spec, err = specFrom(c, ds, shape); err != nil {
		return err
	}
	if s.options.Query, err = queryFrom(c, ds, shape, &s.spec); err != nil {
		return err
	}
	if err := s.spec.Check(s.form); err != nil {
		return app.Usage("%v", err)
	}
	all, err := ds.Commits()
	if err != nil {
		return err
	}
	_, s.unfinished = ds.CheckFinished(all)
	s.options.Parts, err = partsOf(c, s.dir, all)
	return err
}

// fileFormFrom returns the form that --format or the extension of out names.
func fileFormFrom(c *cli.Context, out string) (f tablefile.Form, err error) {
	switch {
	case c.IsSet("format"):
		f, err = tablefile.Find(c.String("format"))
	case out == stdoutName:
		return f, app.Usage("flag --format is missing: stdout has no extension")
	default:
		if f, err = tablefile.FindExt(out); err != nil {
			return f, app.Usage("%s has no known extension: want --format, or one of *%s", filepath.Base(out), strings.Join(extensions(), ", *"))
		}
	}
	if err != nil {
		return f, app.Usage("%v", err)
	}
	if f.Fields {
		return f, app.Usage("%s needs %s beside its file: want convert or shuffle", f.Name, tablefile.RecordTypeName)
	}
	if out == stdoutName && !f.Stream {
		return f, app.Usage("%s cannot be a stream: name a file with --out", f.Name)
	}
	return f, nil
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

func extensions() (list []string) {
	for _, f := range singleFiles() {
		list = append(list, f.Ext)
	}
	return list
}
