package making

import (
	"errors"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

func TestUnfinishedDatasetIsRead(t *testing.T) {
	root := t.TempDir()
	stopIn(t, root, 20, 7, fakeOptions())
	ds := must.Get(datasets.Open(root))(t)
	i := must.Get(ds.Info())(t)
	if i.Complete || i.Target != 20 || i.Shards != 7 || i.ShardsDone != 2 || i.Games != 6 || len(i.Splits) != 2 || i.Splits[1].Split != plan.Validation {
		t.Errorf("%+v", i)
	}
	makeIn(t, root, fakePlan(), 20, fakeOptions())
	if i = must.Get(ds.Info())(t); !i.Complete || i.ShardsDone != 7 || i.Games != 20 {
		t.Errorf("%+v", i)
	}
}

// TestHeadReturnsTheFirstRows: shard by shard, and training rows first.
func TestHeadReturnsTheFirstRows(t *testing.T) {
	for _, f := range formats {
		root := t.TempDir()
		s := makeIn(t, root, f.plan(), 7, fakeOptions())
		ds, all := must.Get(datasets.Open(root))(t), encode.NewTable(fakeColumns)
		for _, part := range must.Get(ds.Parts())(t) {
			for rows, err := range ds.Positions(part) {
				must.Do(t, err)
				colfile.AppendRows(all, rows, 0, rows.Rows)
			}
		}
		for _, n := range []int{0, 1, 50, 200, all.Rows, all.Rows + 1} {
			head := must.Get((&query.Query{Dataset: ds}).Head(t.Context(), n))(t)
			want := min(n, int(s.Rows))
			if head.Rows != want || want > 0 && colfile.CompareRows(all, 0, head, 0, want) != nil {
				t.Errorf("%s: %d rows, want the first %d", f.name, head.Rows, want)
			}
		}
	}
}

func TestGamesAreReadBack(t *testing.T) {
	root := made(t, fakePlan(), 8)
	ds := must.Get(datasets.Open(root))(t)
	commits := must.Get(ds.Commits())(t)
	var want engine.Record
	game := uint64(0)
	for _, c := range commits {
		for got, err := range ds.Games(c.Parts()...) {
			must.Do(t, err)
			if playFake(&want, game, 20, 60); !equalRecords(got, &want) {
				t.Errorf("game %d: %+v, want %+v", game, got, want)
			}
			game++
		}
	}
	if game != 8 {
		t.Errorf("%d games", game)
	}
}

// TestDamagedFileIsNotParsed: its SHA-256 is compared first.
func TestDamagedFileIsNotParsed(t *testing.T) {
	for _, f := range formats {
		root := made(t, f.plan(), 3)
		name := "positions/train-00000." + f.format
		b := []byte(tree(t, root)[name])
		b[len(b)/2] ^= 1
		write(t, root, name, string(b))
		ds := must.Get(datasets.Open(root))(t)
		if _, err := (&query.Query{Dataset: ds}).Head(t.Context(), 1); !errors.Is(err, fault.ErrCorrupt) {
			t.Errorf("%s: %v, want ErrCorrupt", f.name, err)
		}
	}
}
