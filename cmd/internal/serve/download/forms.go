package download

import (
	"io"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/movetext"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

// format is a format of files: of tables, or of games as text.
type format struct {
	name, ext, mime string
	texts           bool
}

var formats = []format{
	{name: "csv", ext: ".csv", mime: "text/csv; charset=utf-8"},
	{name: plan.Parquet, ext: ".parquet", mime: "application/vnd.apache.parquet"},
	{name: "pgn", ext: ".pgn", mime: "application/x-chess-pgn; charset=utf-8", texts: true},
	{name: "moves", ext: ".jsonl", mime: "application/jsonl; charset=utf-8", texts: true},
}

// Formats returns the names of the formats that games of a shape can have.
func Formats(s *rows.Shape) (names []string) {
	for _, f := range formats {
		if t, ok := movetext.Find(f.name); !f.texts || ok && t.Check(s.Game, s.Variant) == nil {
			names = append(names, f.name)
		}
	}
	return names
}

// Most returns the largest number of games of a file of a format.
func Most(name string) int {
	if formatNamed(name).texts {
		return MaxTexts
	}
	return MaxGames
}

func formatNamed(name string) format {
	return formats[slices.IndexFunc(formats, func(f format) bool { return f.name == name })]
}

// writeTable writes a table.
func (f format) writeTable(out io.Writer, ds *datasets.Dataset, s tablefile.Spec, t *encode.Table) error {
	form, err := tablefile.Find(f.name)
	if err != nil {
		return err
	}
	s.Source, s.BoardType = ds, ""
	if form.Boards {
		s.BoardType = plan.List
	}
	w, err := form.New(out, s)
	if err == nil {
		err = w.Write(t)
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// newTexts returns a writer of games as text.
func (f format) newTexts(out io.Writer, s *rows.Shape, event string) (*movetext.Writer, error) {
	form, _ := movetext.Find(f.name)
	return form.New(out, movetext.Source{Game: s.Game, Variant: s.Variant, Event: event})
}
