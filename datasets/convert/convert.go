// Package convert writes the rows or the games of a dataset as files of another form, or
// as a stream. The bytes depend on the dataset and the form only, not on the number of
// processors.
package convert

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"selfplay/datasets"
	"selfplay/datasets/movetext"
	"selfplay/datasets/output"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/shuffle"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
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

// replayRows is the number of rows after which rows that are made again are written.
const replayRows = 8192

// readOnce is tables for callers that need no number of rows.
func (v *Conversion) readOnce(p *record.Part) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		r, err := v.Query.Rows(p)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		v.tables(r)(yield)
	}
}

// tables yields the rows of a part: those of the dataset, or those that Replay makes of its
// games. A table is valid until the next one.
func (v *Conversion) tables(r *query.Rows) iter.Seq2[*encode.Table, error] {
	if v.Replay == nil {
		return r.Tables()
	}
	return r.WithTexts(v.replayed(r))
}

// replayed yields the rows that Replay makes of the games of a part.
func (v *Conversion) replayed(games *query.Rows) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		t := encode.NewTable(v.Replay.Columns())
		rows := encode.NewReplayer(v.Replay.Game, v.Replay.Variant, v.Replay.View)
		dropped := make([]uint64, len(v.Replay.Filter.Texts()))
		for r, err := range games.Games() {
			if err == nil {
				err = rows.Append(r, t, dropped)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if t.Rows >= replayRows {
				if !yield(t, nil) {
					return
				}
				t.Reset()
			}
		}
		if t.Rows > 0 {
			yield(t, nil)
		}
	}
}

// count returns the number of rows of a part that tables yields.
func (v *Conversion) count(ctx context.Context, of *query.Rows) (n uint64, err error) {
	if v.Replay == nil {
		return of.Count(), nil
	}
	counter := encode.NewReplayer(v.Replay.Game, v.Replay.Variant, v.Replay.View)
	for r, err := range of.Games() {
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		rows := 0
		if err == nil {
			rows, err = counter.Count(r)
		}
		if err != nil {
			return 0, err
		}
		n += uint64(rows)
	}
	return n, nil
}

// Order describes shuffled files.
type Order struct {
	Seed     uint64
	FileRows uint64 // rows of a file; the last file of a split may have fewer
	Memory   int64  // bytes for rows, about; at least shuffle.MinMemory
}

// ErrNoRows means that the conversion chooses rows and no row is left.
var ErrNoRows = errors.New("no rows are left")

// Shuffled writes the rows of each split in random order, and the files that describe
// them. The error is spill.ErrMemory if the order has too little memory, or ErrNoRows.
func (v *Conversion) Shuffled(ctx context.Context, o *output.Output, order Order) (files []*output.File, err error) {
	for _, split := range []string{plan.Train, plan.Validation} {
		s := splitShuffle{v: v, out: o, Order: order, split: split}
		for _, p := range v.Parts {
			if p.Split != split {
				continue
			}
			err := s.add(ctx, p)
			if err != nil {
				return nil, &datasets.ShardError{Op: "read", Shard: p.Shard, Err: err}
			}
		}
		if s.rows == 0 {
			continue
		}
		if err := s.write(ctx); err != nil {
			return nil, err
		}
		files = append(files, s.files...)
	}
	if len(files) == 0 && (v.Query.Where != nil || v.Replay != nil) {
		return nil, ErrNoRows
	}
	return v.describe(o, files)
}

// splitShuffle shuffles one split.
type splitShuffle struct {
	Order
	v     *Conversion
	out   *output.Output
	split string
	parts []*record.Part
	read  []*query.Rows // of the parts
	rows  uint64
	files []*output.File
}

// add counts the rows of a part. Its files are opened again when the rows are read, but not hashed.
func (s *splitShuffle) add(ctx context.Context, p *record.Part) error {
	r, err := s.v.Query.Rows(p)
	if err != nil {
		return err
	}
	defer r.Close()
	n, err := s.v.count(ctx, r)
	s.parts, s.read, s.rows = append(s.parts, p), append(s.read, r), s.rows+n
	return err
}

// tables yields the rows of the next part.
func (s *splitShuffle) tables(*record.Part) iter.Seq2[*encode.Table, error] {
	r := s.read[0]
	s.read = s.read[1:]
	return func(yield func(*encode.Table, error) bool) {
		defer r.Close()
		s.v.tables(r)(yield)
	}
}

// write writes the files of the split.
func (s *splitShuffle) write(ctx context.Context) (err error) {
	shuffled, err := s.collect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shuffled.Close()) }()
	files := SplitFiles{
		Out: s.out, Form: s.v.Form, Spec: s.v.Spec, Split: s.split, Rows: s.rows, FileRows: s.FileRows,
		More: []encode.KeyValue{{Key: "selfplay.shuffle", Value: fmt.Sprintf("seed=%d", s.Seed)}},
	}
	s.files, err = files.Write(shuffled.All(ctx))
	return err
}

// collect reads the rows of the split.
func (s *splitShuffle) collect(ctx context.Context) (*shuffle.Shuffle, error) {
	var shuffled *shuffle.Shuffle
	for t, err := range scan.TablesOf(ctx, s.parts, s.tables, &s.v.Counter) {
		if err == nil && shuffled == nil {
			shuffled, err = shuffle.New(shuffle.Options{
				Columns: t.Columns, Rows: s.rows, RowSize: shuffle.Size(t),
				Seed: s.Seed, Cut: s.FileRows, Memory: s.Memory, Temp: s.out.Dir(),
			})
		}
		if err == nil {
			err = shuffled.Add(t)
		}
		if err != nil {
			if shuffled != nil {
				err = errors.Join(err, shuffled.Close())
			}
			return nil, err
		}
	}
	return shuffled, nil
}

// SplitFiles are the files of one split with rows in another order than that of a dataset.
type SplitFiles struct {
	Out      *output.Output
	Form     tablefile.Form
	Spec     tablefile.Spec // of all files; Rows, Temp and More are set for each file
	Split    string
	Rows     uint64            // of all files
	FileRows uint64            // of a file; the last one may have fewer
	More     []encode.KeyValue // how the rows were chosen and ordered
}

// Write writes the rows of tables, none of which has rows of two files. It returns the files.
func (s *SplitFiles) Write(tables iter.Seq2[*encode.Table, error]) (files []*output.File, err error) {
	var f *output.File
	var w tablefile.Writer
	done := uint64(0)
	for t, err := range tables {
		if err != nil {
			return nil, err
		}
		if done%s.FileRows == 0 {
			f, w, err = s.begin(len(files), done)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
		if err := w.Write(t); err != nil {
			return nil, f.Finish(err)
		}
		done += uint64(t.Rows)
		if done%s.FileRows == 0 || done == s.Rows {
			if err := f.Finish(w.Close()); err != nil {
				return nil, err
			}
		}
	}
	if done != s.Rows {
		return nil, fmt.Errorf("write %s: %d rows came, want %d", s.Split, done, s.Rows)
	}
	return files, nil
}

// begin creates the file with an index, which begins after done rows.
func (s *SplitFiles) begin(index int, done uint64) (*output.File, tablefile.Writer, error) {
	f, err := s.Out.Create(fmt.Sprintf("%s-%05d%s", s.Split, index, s.Form.Ext), s.Split, s.Form.Index)
	if err != nil {
		return nil, nil, err
	}
	f.Rows = min(s.FileRows, s.Rows-done)
	spec := s.Spec
	spec.Rows, spec.Temp, spec.First = f.Rows, s.Out.Dir(), done
	spec.More = append([]encode.KeyValue{{Key: "selfplay.split", Value: s.Split}}, s.More...)
	w, err := s.Form.New(f, spec)
	if err != nil {
		return nil, nil, f.Finish(err)
	}
	return f, w, nil
}
