package convert

import (
	"fmt"
	"iter"

	"selfplay/datasets/output"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

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
			if f, w, err = s.begin(len(files), done); err != nil {
				return nil, err
			}
			files = append(files, f)
		}
		if err := w.Write(t); err != nil {
			return nil, f.Finish(err)
		}
		if done += uint64(t.Rows); done%s.FileRows == 0 || done == s.Rows {
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
