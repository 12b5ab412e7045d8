package making

import (
	"errors"
	"os"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/must"
)

// TestPickYieldsThePickedRows: those whose numbers the function returns.
func TestPickYieldsThePickedRows(t *testing.T) {
	for _, format := range []string{plan.Parquet, plan.Arrow} {
		root, p := t.TempDir(), fakePlan()
		p.Format = format
		makeIn(t, root, p, 11, fakeOptions())
		ds := must.Get(datasets.Open(root))(t)
		for _, part := range must.Get(ds.Parts())(t) {
			want, got := encode.NewTable(ds.Description().Columns), encode.NewTable(ds.Description().Columns)
			all := 0
			for t0, err := range ds.Positions(part) {
				must.Do(t, err)
				for row := range t0.Rows {
					if picked(all + row) {
						colfile.AppendRows(want, t0, row, row+1)
					}
				}
				all += t0.Rows
			}
			pick := func(first, end int) (rows []int) {
				for row := first; row < end; row++ {
					if picked(row) {
						rows = append(rows, row-first)
					}
				}
				return rows
			}
			reader := ds.Part(part)
			for t0, err := range reader.Rows(pick) {
				must.Do(t, err)
				colfile.AppendRows(got, t0, 0, t0.Rows)
			}
			if want.Rows == 0 || digestOf(got) != digestOf(want) {
				t.Errorf("%s: %d rows, want %d", format, got.Rows, want.Rows)
			}
			for range reader.Rows(func(int, int) []int { return nil }) {
				t.Error("a table without picked rows")
			}
			must.Do(t, reader.Close())
		}
	}
}

func picked(row int) bool { return row%7 < 3 || row%11 == 5 }

func TestPickDoesNotParseADamagedShard(t *testing.T) {
	root := made(t, fakePlan(), 3)
	name := root + "/positions/train-00000.parquet"
	data := must.Get(os.ReadFile(name))(t)
	data[len(data)/2] ^= 1
	write(t, root, "positions/train-00000.parquet", string(data))
	ds := must.Get(datasets.Open(root))(t)
	seen := 0
	part := ds.Part(must.Get(ds.Parts())(t)[0])
	for _, err := range part.Rows(func(int, int) []int { t.Error("the file was parsed"); return nil }) {
		if seen++; !errors.Is(err, fault.ErrCorrupt) {
			t.Errorf("%v", err)
		}
	}
	if seen != 1 {
		t.Errorf("%d errors", seen)
	}
}

// digestOf returns the row digest of a table.
func digestOf(t *encode.Table) string {
	d := colfile.NewRowDigest(t.Columns)
	d.Add(t)
	return d.Sum()
}
