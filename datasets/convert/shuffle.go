package convert

import (
	"context"
	"errors"
	"fmt"

	"selfplay/datasets"
	"selfplay/datasets/output"
	"selfplay/datasets/scan"
	"selfplay/datasets/shuffle"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

// Order describes shuffled files.
type Order struct {
	Seed     uint64
	FileRows uint64 // rows of a file; the last file of a split may have fewer
	Memory   int64  // bytes for rows, about; at least shuffle.MinMemory
}

// Shuffled writes the rows of each split in random order, and the files that describe
// them. The error is spill.ErrMemory if the order has too little memory.
func (v *Conversion) Shuffled(ctx context.Context, o *output.Output, order Order) (files []*output.File, err error) {
	for _, split := range []string{datasets.Train, datasets.Validation} {
		s := splitShuffle{v: v, out: o, Order: order, split: split}
		for _, c := range v.Shards {
			if c.Split != split {
				continue
			}
			n, err := v.rows(ctx, c)
			if err != nil {
				return nil, &datasets.ShardError{Op: "read", Shard: c.Shard, Err: err}
			}
			s.shards, s.rows = append(s.shards, c), s.rows+n
		}
		if s.rows == 0 {
			continue
		}
		if err := s.write(ctx); err != nil {
			return nil, err
		}
		files = append(files, s.files...)
	}
	return v.describe(o, files)
}

// splitShuffle shuffles one split.
type splitShuffle struct {
	Order
	v      *Conversion
	out    *output.Output
	split  string
	shards []*datasets.Commit
	rows   uint64
	files  []*output.File
}

// write writes the files of the split.
func (s *splitShuffle) write(ctx context.Context) (err error) {
	shuffled, err := s.collect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shuffled.Close()) }()
	var f *output.File
	var w tablefile.Writer
	done := uint64(0)
	for t, err := range shuffled.All(ctx) {
		if err != nil {
			return err
		}
		if done%s.FileRows == 0 {
			if f, w, err = s.begin(done); err != nil {
				return err
			}
		}
		if err := w.Write(t); err != nil {
			return f.Finish(err)
		}
		if done += uint64(t.Rows); done%s.FileRows == 0 || done == s.rows {
			if err := f.Finish(w.Close()); err != nil {
				return err
			}
		}
	}
	return nil
}

// begin creates the file that begins after done rows.
func (s *splitShuffle) begin(done uint64) (*output.File, tablefile.Writer, error) {
	f, err := s.out.Create(fmt.Sprintf("%s-%05d%s", s.split, len(s.files), s.v.Form.Ext), s.split, s.v.Form.Index)
	if err != nil {
		return nil, nil, err
	}
	s.files = append(s.files, f)
	f.Rows = min(s.FileRows, s.rows-done)
	spec := s.v.Spec
	spec.Rows, spec.Temp = f.Rows, s.out.Dir()
	spec.More = []encode.KeyValue{
		{Key: "selfplay.split", Value: s.split},
		{Key: "selfplay.shuffle", Value: fmt.Sprintf("seed=%d", s.Seed)},
	}
	w, err := s.v.Form.New(f, spec)
	if err != nil {
		return nil, nil, f.Finish(err)
	}
	return f, w, nil
}

// collect reads the rows of the split.
func (s *splitShuffle) collect(ctx context.Context) (*shuffle.Shuffle, error) {
	var shuffled *shuffle.Shuffle
	for t, err := range scan.TablesOf(ctx, s.shards, s.v.tables, &s.v.Counter) {
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
