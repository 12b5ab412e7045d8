package making

import (
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/must"
)

// TestPickYieldsThePickedRows, and passes only the named columns to its function.
func TestPickYieldsThePickedRows(t *testing.T) {
	for _, format := range []string{plan.Parquet, plan.Arrow} {
		root, p := t.TempDir(), fakePlan()
		p.Format = format
		makeIn(t, root, p, 11, fakeOptions())
		ds := must.Get(datasets.Open(root))(t)
		splits := ds.Plan().Splits()
		for _, part := range must.Get(ds.Parts())(t) {
			want, got := encode.NewTable(ds.Description().Columns), encode.NewTable(ds.Description().Columns)
			for t0, err := range ds.Positions(part) {
				must.Do(t, err)
				for row := range t0.Rows {
					if picked(row) {
						colfile.AppendRows(want, t0, row, row+1)
					}
				}
			}
			pick := func(t0 *encode.Table) (rows []int) {
				if names := plan.ColumnNames(t0.Columns); !slices.Equal(names, []string{"game"}) {
					t.Fatalf("columns %q", names)
				}
				for row := range t0.Rows {
					if game := binary.LittleEndian.Uint64(t0.Data[0][8*row:]); game/uint64(p.ShardGames) != uint64(part.Shard) || splits.Of(game) != part.Split {
						t.Errorf("game %d", game)
					}
					if picked(row) {
						rows = append(rows, row)
					}
				}
				return rows
			}
			for t0, err := range ds.Pick(part, []string{"game"}, pick) {
				must.Do(t, err)
				colfile.AppendRows(got, t0, 0, t0.Rows)
			}
			if want.Rows == 0 || digestOf(got) != digestOf(want) {
				t.Errorf("%s: %d rows, want %d", format, got.Rows, want.Rows)
			}
			for range ds.Pick(part, nil, func(*encode.Table) []int { return nil }) {
				t.Error("a table without picked rows")
			}
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
	for _, err := range ds.Pick(must.Get(ds.Parts())(t)[0], nil, func(*encode.Table) []int { t.Error("the file was parsed"); return nil }) {
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
