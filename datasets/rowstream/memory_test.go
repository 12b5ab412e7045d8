package rowstream

import (
	"context"
	"testing"

	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
)

// tableBytes returns the bytes that a table holds, used or not.
func tableBytes(t *encode.Table) (n int64) {
	for col := range t.Columns {
		n += int64(cap(t.Data[col]) + 4*cap(t.Ends[col]))
	}
	return n
}

// TestMemoryIsThatOfTwoTables: in order and shuffled, with lists and without.
func TestMemoryIsThatOfTwoTables(t *testing.T) {
	ds := makeDataset(t, t.TempDir(), 3*shardGames+100)
	commits := must.Get(ds.Commits())(t)
	for _, columns := range [][]string{nil, {"board", "side"}, {"move"}} {
		for _, window := range []int{0, 1, 20_000} {
			s := must.Get(New(ds, Options{Split: plan.Train, Columns: columns, Window: window}))(t)
			r, most := newReader(s), int64(0)
			reading := goroutine.New()
			reading.Go(func() error { r.run(t.Context()); return r.err })
			for table := range r.filled {
				most = max(most, tableBytes(table))
				r.free <- table
			}
			must.Do(t, reading.Wait())
			if held := s.Memory(commits); held < readAhead*most {
				t.Errorf("columns %q, window %d: %d bytes, but two tables take %d", columns, window, held, readAhead*most)
			}
		}
	}
}

// TestMemoryCountsFullGroups: without a window too, and those that will come if the stream follows
// the dataset.
func TestMemoryCountsFullGroups(t *testing.T) {
	ds := makeDataset(t, t.TempDir(), 10)
	shard := func(split string, rows uint64) *record.Commit {
		return &record.Commit{Files: []record.FileEntry{{Name: "positions/" + split + "-00000.arrow", Rows: rows}, {}}}
	}
	large := []*record.Commit{shard(plan.Train, 1<<20)}
	small := []*record.Commit{shard(plan.Train, 100), shard(plan.Validation, 1<<20)}
	wait := func(context.Context) error { return nil }
	for name, c := range map[string]struct {
		commits []*record.Commit
		o       Options
		rows    int64
	}{
		"in order":            {large, Options{}, colfile.BatchRows},
		"a window of one row": {large, Options{Window: 1}, colfile.BatchRows},
		"a larger window":     {large, Options{Window: 1 << 20}, 1 << 20},
		"a small split":       {small, Options{}, 100},
		"a split that grows":  {small, Options{Wait: wait}, colfile.BatchRows},
		"no shard":            {nil, Options{Wait: wait}, colfile.BatchRows},
	} {
		c.o.Split, c.o.Columns = plan.Train, []string{"board"}
		s := must.Get(New(ds, c.o))(t)
		row := int64(s.Columns()[0].Len * s.Columns()[0].Kind.Size())
		if got, want := s.Memory(c.commits), readAhead*c.rows*row; got < want {
			t.Errorf("%s: %d bytes, want %d or more", name, got, want)
		}
		if name == "a small split" && s.Memory(c.commits) > readAhead*colfile.BatchRows*row {
			t.Errorf("%s: %d bytes, as many as of full groups", name, s.Memory(c.commits))
		}
	}
}
