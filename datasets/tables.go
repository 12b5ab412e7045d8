package datasets

import (
	"fmt"
	"iter"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
)

// Positions yields the positions of a committed shard in game order, one row group at a
// time. The table is valid until the next iteration. An error ends the sequence; the table
// is then nil.
func (ds *Dataset) Positions(c *record.Commit) iter.Seq2[*encode.Table, error] {
	return ds.groups(c, record.PositionsFile)
}

// Games yields the records of a committed shard in game order. The record is valid until
// the next iteration. An error ends the sequence; the record is then nil.
func (ds *Dataset) Games(c *record.Commit) iter.Seq2[*engine.Record, error] {
	return func(yield func(*engine.Record, error) bool) {
		var r engine.Record
		for t, err := range ds.groups(c, record.GamesFile) {
			if err != nil {
				yield(nil, err)
				return
			}
			for row := range t.Rows {
				if gamerow.Read(t, row, &r); !yield(&r, nil) {
					return
				}
			}
		}
	}
}

// Game sets r to a game of a committed shard, given its row in the games table, from 0. It decodes
// one row group at most.
func (ds *Dataset) Game(c *record.Commit, row int, r *engine.Record) error {
	t, err := ds.openTable(c, record.GamesFile)
	if err != nil {
		return err
	}
	defer t.Close()
	one := encode.NewTable(t.spec.Columns)
	for g, first := 0, 0; g < t.Groups() && one.Rows == 0; g++ {
		n, err := t.Rows(g)
		if err == nil && row >= first && row < first+n {
			err = colfile.ReadRows(t, g, []int{row - first}, one)
		}
		if err != nil {
			return &fault.FileError{Op: "read", Path: c.Files[record.GamesFile].Name, Err: err}
		}
		first += n
	}
	if one.Rows == 0 {
		return fmt.Errorf("read game %d of shard %05d, which has %d games", row, c.Shard, c.Games)
	}
	gamerow.Read(one, 0, r)
	return nil
}

// Head returns the first n positions, or all if there are fewer.
func (ds *Dataset) Head(n int) (*encode.Table, error) {
	head := encode.NewTable(ds.h.Description.Columns)
	commits, err := ds.Commits()
	if err != nil {
		return nil, err
	}
	for _, c := range commits {
		for t, err := range ds.Positions(c) {
			if err != nil {
				return nil, &fault.ShardError{Op: "read", Shard: c.Shard, Err: err}
			}
			colfile.AppendRows(head, t, 0, min(t.Rows, n-head.Rows))
			if head.Rows == n {
				return head, nil
			}
		}
	}
	return head, nil
}

// groups yields the row groups of file f of a shard, each in the same table.
func (ds *Dataset) groups(c *record.Commit, f int) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		r, err := ds.openTable(c, f)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		t := encode.NewTable(r.spec.Columns)
		for g := range r.Groups() {
			t.Reset()
			if err := colfile.ReadGroup(r, g, t); err != nil {
				yield(nil, &fault.FileError{Op: "read", Path: c.Files[f].Name, Err: err})
				return
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}

// table is an open data file.
type table struct {
	colfile.Reader
	f    disk.File
	spec colfile.Spec
}

// Close closes the file.
func (t *table) Close() error { return t.f.Close() }

// openTable opens file f of a shard after its SHA-256 is checked, here or by the store. It parses
// the file that it has checked, also if another one takes its name meanwhile.
func (ds *Dataset) openTable(c *record.Commit, f int) (*table, error) {
	want := c.Files[f]
	t := &table{spec: c.Spec(ds.h, f)}
	var err error
	if t.f, err = ds.d.FS.Open(ds.d.Path(want.Name)); err != nil {
		return nil, &fault.FileError{Op: "read", Path: want.Name, Err: err}
	}
	if !ds.d.Vouches(want.Name, want.SHA256) {
		err = record.CheckOpened(t.f, want)
	}
	if err == nil {
		t.Reader, err = colfile.NewReader(t.f, t.spec)
	}
	if err != nil {
		t.f.Close()
		return nil, &fault.FileError{Op: "read", Path: want.Name, Err: err}
	}
	return t, nil
}
