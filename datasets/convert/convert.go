// Package convert writes the rows or the games of a dataset as files of another form, or
// as a stream. The bytes depend on the dataset and the form only, not on the number of
// processors.
//
//	convert.go  Conversion: what is written
//	files.go    one file for each shard
//	stream.go   one stream, and games as text
//	rows.go     the rows of a shard, with another filter on request
//	shuffle.go  all rows of each split in random order; splitfiles.go the files of one split
package convert

import (
	"fmt"

	"selfplay/datasets"
	"selfplay/datasets/movetext"
	"selfplay/datasets/output"
	"selfplay/datasets/query"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/tablefile"
)

// Conversion describes what is written. Its methods may run once, one at a time.
type Conversion struct {
	Dataset *datasets.Dataset
	Shape   *rows.Shape // of the dataset; nil if this program does not know the game
	Parts   []*record.Part
	// Replay is Shape with another filter: it makes the rows from the games. If it is nil, the rows
	// are those of the dataset.
	Replay *rows.Shape

	// Query chooses rows and adds texts; with Replay it adds texts only. A game is written if one of its rows
	// is chosen.
	Query *query.Query

	Form tablefile.Form // if Games is set, only Name, Ext and Stream
	Spec tablefile.Spec // of all files; Rows, Temp and More are set for each file
	// Games writes games as text instead of rows.
	Games *movetext.Form

	// Counter counts the games and rows that have been read.
	Counter scan.Counter
	// Done is called when the file of a part is complete, by several goroutines. It may be nil.
	Done func(shard int)
}

// SetForm sets the form of a name, of rows or of games.
func (v *Conversion) SetForm(name string) (err error) {
	if f, ok := movetext.Find(name); ok {
		v.Games, v.Form = &f, tablefile.Form{Name: f.Name, Ext: f.Ext, Stream: true}
		return nil
	}
	v.Form, err = tablefile.Find(name)
	return err
}

// describe adds the files that describe the others.
func (v *Conversion) describe(o *output.Output, files []*output.File) ([]*output.File, error) {
	return Describe(o, v.Form, v.Spec, files)
}

// Describe adds the files that describe files of rows of a form.
func Describe(o *output.Output, form tablefile.Form, spec tablefile.Spec, files []*output.File) ([]*output.File, error) {
	var more []output.Document
	if form.Fields {
		list := []tablefile.RecordFile{}
		for _, f := range files {
			list = append(list, tablefile.RecordFile{Name: f.Name, Split: f.Split, Records: f.Rows})
		}
		data, err := form.RecordType(spec, list)
		if err != nil {
			return nil, err
		}
		more = append(more, output.Document{Name: tablefile.RecordTypeName, Data: data})
	}
	return o.Describe(files, form.Metadata(spec), form.Index, more...)
}

// Check returns an error if the dataset cannot be written in the form.
func (v *Conversion) Check() error {
	if v.Games == nil {
		return v.Spec.Check(v.Form)
	}
	if v.Shape == nil {
		return fmt.Errorf("write %s: this program does not know the game %s in this version", v.Form.Name, v.Dataset.Plan().Game)
	}
	return v.Games.Check(v.Shape.Game, v.Shape.Variant)
}
