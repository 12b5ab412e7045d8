package convert

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"selfplay/datasets"
	"selfplay/datasets/output"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/record"
	"selfplay/datasets/scan"
	"selfplay/datasets/shuffle"
	"selfplay/encode"
)

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
