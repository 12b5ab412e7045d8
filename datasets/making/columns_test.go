package making

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestColumnsAreThoseOfTheTable: several readers of some columns of a part, equal and other ones, at once,
// return the cells that the whole table has, group by group and in any order.
func TestColumnsAreThoseOfTheTable(t *testing.T) {
	for _, f := range formats {
		root := made(t, f.plan(), 8)
		ds, c := firstPart(t, root)
		var groups []*encode.Table
		d := disk.Dir{Root: root, FS: disk.OS{}}
		file := must.Get(d.FS.Open(d.Path(c.Files[plan.GamesFile].Name)))(t)
		defer file.Close()
		whole := must.Get(colfile.NewReader(file, c.Spec(readPlan(t, d), plan.GamesFile)))(t)
		for g := range whole.Groups() {
			own := encode.NewTable(gamerow.Columns())
			must.Do(t, colfile.ReadGroup(whole, g, own))
			groups = append(groups, own)
		}
		part := ds.Part(c)
		r := must.Get(part.Columns(plan.GamesFile, "result", "action"))(t)
		same := must.Get(part.Columns(plan.GamesFile, "result", "action"))(t)
		other := must.Get(part.Columns(plan.GamesFile, "game", "player_second"))(t)
		if got := plan.ColumnNames(r.Columns()); !slices.Equal(got, []string{"action", "result"}) || r.Groups() != len(groups) {
			t.Fatalf("%s: columns %q of %d groups, want those of the file in its order, of %d", f.name, got, r.Groups(), len(groups))
		}
		var readers sync.WaitGroup
		for _, reader := range []*datasets.ColumnReader{r, same, other} {
			readers.Add(1)
			go func() {
				defer readers.Done()
				for g := len(groups) - 1; g >= 0; g-- {
					got, err := reader.Read(g)
					if err != nil {
						t.Error(err)
						return
					}
					checkColumns(t, got, groups[g])
				}
			}()
		}
		readers.Wait()
		must.Do(t, part.Close())
	}
}

// checkColumns compares all cells of a table with those of the columns of the same names.
func checkColumns(t *testing.T, got, want *encode.Table) {
	t.Helper()
	for col, c := range got.Columns {
		from := encode.ColumnNamed(want.Columns, c.Name)
		for row := range want.Rows {
			if got.Rows != want.Rows || !slices.Equal(got.Cell(col, row), want.Cell(from, row)) {
				t.Fatalf("row %d of %d: column %s differs", row, got.Rows, c.Name)
			}
		}
	}
}

// firstPart opens a dataset and returns the first part of its first shard.
func firstPart(t *testing.T, root string) (*datasets.Dataset, *record.Part) {
	t.Helper()
	ds := must.Get(datasets.Open(root))(t)
	return ds, must.Get(ds.Parts())(t)[0]
}

// TestGameReadsOneGame: each game of a shard by its number, and no other.
func TestGameReadsOneGame(t *testing.T) {
	for _, f := range formats {
		root := made(t, f.plan(), 8)
		ds := must.Get(datasets.Open(root))(t)
		c := must.Get(ds.Commits())(t)[1]
		var got engine.Record
		next := c.FirstGame
		for want, err := range ds.Games(c.Parts()...) {
			must.Do(t, err)
			if err := ds.Game(c, next, &got); err != nil || want.Game != next || !equalRecords(&got, want) {
				t.Errorf("%s: game %d: game %d, %v", f.name, next, got.Game, err)
			}
			next++
		}
		for _, outside := range []uint64{c.FirstGame - 1, next} {
			if ds.Game(c, outside, &got) == nil {
				t.Errorf("%s: game %d is read", f.name, outside)
			}
		}
	}
}

// TestDamagedFilesHaveNoColumns: the SHA-256 is compared first.
func TestDamagedFilesHaveNoColumns(t *testing.T) {
	root := made(t, fakePlan(), 8)
	ds, c := firstPart(t, root)
	name := filepath.Join(root, c.Files[plan.GamesFile].Name)
	data := must.Get(os.ReadFile(name))(t)
	data[len(data)/2] ^= 4
	must.Do(t, os.WriteFile(name, data, 0o644))
	if _, err := ds.Part(c).Columns(plan.GamesFile, "game"); !errors.Is(err, fault.ErrCorrupt) {
		t.Errorf("%v, want %v", err, fault.ErrCorrupt)
	}
	if err := ds.Game(must.Get(ds.Commits())(t)[0], 0, new(engine.Record)); !errors.Is(err, fault.ErrCorrupt) {
		t.Errorf("%v, want %v", err, fault.ErrCorrupt)
	}
}
