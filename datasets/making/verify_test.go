package making

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// problems verifies a dataset and returns the paths of its problems.
func problems(t testing.TB, root string, level checking.VerifyLevel) string {
	t.Helper()
	return problemsOn(t, disk.Dir{Root: root, FS: disk.OS{}}, level)
}

func problemsOn(t testing.TB, d disk.Dir, level checking.VerifyLevel) string {
	t.Helper()
	r := must.Get(checking.VerifyIn(context.Background(), d, checking.VerifyOptions{Level: level, Rows: fakeRows}))(t)
	var paths []string
	for _, p := range r.Problems {
		if !errors.Is(p, fault.ErrCorrupt) && !errors.Is(p, fault.ErrUnsupported) && p.Err == nil {
			t.Errorf("%v has no cause", p)
		}
		paths = append(paths, p.Path)
	}
	return strings.Join(paths, " ")
}

func TestIntactDatasetHasNoProblems(t *testing.T) {
	for _, f := range formats {
		root := made(t, f.plan(), 11)
		for _, level := range []checking.VerifyLevel{checking.VerifyQuick, checking.VerifySums, checking.VerifyDeep} {
			r, err := checking.Verify(context.Background(), root, checking.VerifyOptions{Level: level, Rows: fakeRows})
			if err != nil || !r.OK() || !r.Complete || r.Games != 11 || r.Shards != 4 {
				t.Errorf("%s, level %d: %+v, %v", f.name, level, r, err)
			}
		}
	}
}

// TestFilesOfALiveProcessAreNotLeftOver: while its lease is held; those of others are.
func TestFilesOfALiveProcessAreNotLeftOver(t *testing.T) {
	root := made(t, fakePlan(), 8)
	l := must.Get(disk.Acquire(disk.Dir{Root: root, FS: disk.OS{}}, true))(t)
	own, dead := disk.TempFolder+"/"+l.Owner()+".positions", disk.TempFolder+"/1-ab.positions"
	write(t, root, own, "half a file")
	write(t, root, dead, "half a file")
	leftovers := func() []string {
		return must.Get(checking.Verify(t.Context(), root, checking.VerifyOptions{Level: checking.VerifyQuick}))(t).Leftovers
	}
	if got := leftovers(); !slices.Equal(got, []string{dead}) {
		t.Errorf("left over %q beside a live process", got)
	}
	l.Release()
	if got := leftovers(); !slices.Contains(got, own) || len(got) != 2 {
		t.Errorf("left over %q after its end", got)
	}
}

func TestDamageIsNamed(t *testing.T) {
	const pos0, pos1 = "positions/train-00000.parquet", "positions/train-00001.parquet"
	const games0 = "games/train-00000.parquet"
	tests := []struct {
		name   string
		level  checking.VerifyLevel
		damage func(root string, files map[string]string)
		want   string
	}{
		{"missing file", checking.VerifyQuick, func(root string, _ map[string]string) { remove(t, root, pos1) }, pos1},
		{"truncated file", checking.VerifyQuick, func(root string, f map[string]string) { write(t, root, pos0, f[pos0][:100]) }, pos0},
		{"empty file", checking.VerifyDeep, func(root string, f map[string]string) { write(t, root, pos0, "") }, pos0},
		{"longer file", checking.VerifyQuick, func(root string, f map[string]string) { write(t, root, pos0, f[pos0]+"x") }, pos0},
		{"swapped files", checking.VerifySums, func(root string, f map[string]string) {
			write(t, root, pos0, f[pos1])
			write(t, root, pos1, f[pos0])
		}, pos0 + " " + pos1},
		{"games file in place of a positions file", checking.VerifySums, func(root string, f map[string]string) { write(t, root, pos0, f[games0]) }, pos0},
		{"file of no shard", checking.VerifyQuick, func(root string, f map[string]string) { write(t, root, "positions/train-00009.parquet", f[pos0]) }, "positions/train-00009.parquet"},
		{"file of the other split", checking.VerifyQuick, func(root string, f map[string]string) { write(t, root, "games/validation-00000.parquet", f[games0]) }, "games/validation-00000.parquet"},
		{"missing record", checking.VerifyQuick, func(root string, _ map[string]string) { remove(t, root, plan.CommitName(0)) }, plan.ManifestName},
		{"damaged record", checking.VerifyQuick, func(root string, _ map[string]string) { write(t, root, plan.CommitName(0), "{") }, plan.ManifestName + " " + plan.CommitName(0)},
		{"record of another shard", checking.VerifyQuick, func(root string, f map[string]string) { write(t, root, plan.CommitName(0), f[plan.CommitName(1)]) }, plan.ManifestName + " " + plan.CommitName(0)},
		{"foreign name among records", checking.VerifyQuick, func(root string, f map[string]string) { write(t, root, plan.CommitsFolder+"/x", "") }, plan.CommitsFolder + "/x"},
		{"missing plan", checking.VerifyQuick, func(root string, _ map[string]string) { remove(t, root, plan.FileName) }, plan.FileName},
		{"names that start with a dot", checking.VerifyDeep, func(root string, _ map[string]string) {
			write(t, root, plan.CommitsFolder+"/.DS_Store", "")
			write(t, root, "positions/.nfs01", "")
		}, ""},
		{"damaged plan", checking.VerifyQuick, func(root string, _ map[string]string) { write(t, root, plan.FileName, "{}") }, plan.FileName},
		{"changed manifest", checking.VerifyQuick, func(root string, f map[string]string) {
			write(t, root, plan.ManifestName, strings.Replace(f[plan.ManifestName], `"games": 6`, `"games": 7`, 1))
		}, plan.ManifestName},
		{"damaged manifest", checking.VerifyQuick, func(root string, _ map[string]string) { write(t, root, plan.ManifestName, "[]") }, plan.ManifestName},
		{"missing card", checking.VerifyQuick, func(root string, _ map[string]string) { remove(t, root, plan.CardName) }, plan.CardName},
		{"changed card", checking.VerifyQuick, func(root string, f map[string]string) { write(t, root, plan.CardName, f[plan.CardName]+"!") }, plan.CardName},
		{"missing croissant", checking.VerifyQuick, func(root string, _ map[string]string) { remove(t, root, plan.CroissantName) }, plan.CroissantName},
		{"changed croissant", checking.VerifyQuick, func(root string, f map[string]string) {
			write(t, root, plan.CroissantName, strings.Replace(f[plan.CroissantName], "1.6.0", "1.7.0", 1))
		}, plan.CroissantName},
		{"damaged target", checking.VerifyQuick, func(root string, _ map[string]string) { write(t, root, plan.TargetName, "{") }, plan.TargetName},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := made(t, fakePlan(), 6)
			tt.damage(root, tree(t, root))
			if got := problems(t, root, tt.level); got != tt.want {
				t.Errorf("problems of %q, want %q", got, tt.want)
			}
		})
	}
}

// TestDeepFindsRowsThatDoNotFollowFromTheGames: their sums are right, because the run
// that made the shard computed wrong rows.
func TestDeepFindsRowsThatDoNotFollowFromTheGames(t *testing.T) {
	tests := []struct {
		name   string
		change func(r *engine.Record, t *encode.Table, from int)
		want   string
	}{
		{"score", func(r *engine.Record, t *encode.Table, from int) {
			if r.Game == 4 {
				t.Data[8][2*(from+17)]++
			}
		}, "game 4: corrupt: row 17: column score: 1, replay gives 0"},
		{"outcome", func(r *engine.Record, t *encode.Table, from int) {
			if r.Game == 5 {
				t.Data[9][from+3] = 0xff
			}
		}, "game 5: corrupt: row 3: column outcome: -1, replay gives 0"},
		{"board", func(r *engine.Record, t *encode.Table, from int) {
			if r.Game == 3 {
				t.Data[3][2*(138*(from+1)+137)] = 9
			}
		}, "game 3: corrupt: row 1: column board: [1 0 "},
		{"missing row", func(r *engine.Record, t *encode.Table, _ int) {
			if r.Game == 5 {
				for col, c := range t.Columns {
					t.Data[col] = t.Data[col][:len(t.Data[col])-max(c.Len, 1)*c.Kind.Size()]
				}
				t.Rows--
			}
		}, "game 5: corrupt: rows are missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			o := fakeOptions()
			o.Rows = func() datasets.RowFunc {
				rows := fakeRows()
				return func(r *engine.Record, t *encode.Table, dropped []uint64) error {
					from := t.Rows
					err := rows(r, t, dropped)
					tt.change(r, t, from)
					return err
				}
			}
			makeIn(t, root, fakePlan(), 6, o)
			if got := problems(t, root, checking.VerifySums); got != "" {
				t.Errorf("sums: %s", got)
			}
			r, err := checking.Verify(context.Background(), root, checking.VerifyOptions{Level: checking.VerifyDeep, Rows: fakeRows})
			if err != nil || len(r.Problems) != 1 {
				t.Fatalf("%+v, %v", r, err)
			}
			if p := r.Problems[0]; p.Shard != 1 || !strings.Contains(p.Message, tt.want) {
				t.Errorf("%+v, want %s", p, tt.want)
			}
		})
	}
}

// TestVerifyCountsAllGames at every level, also those that a sample leaves out.
func TestVerifyCountsAllGames(t *testing.T) {
	root := t.TempDir()
	s := makeIn(t, root, fakePlan(), 20, fakeOptions())
	for _, o := range []checking.VerifyOptions{{Level: checking.VerifyQuick}, {Level: checking.VerifySums}, {Level: checking.VerifyDeep, Rows: fakeRows}, {Level: checking.VerifyDeep, Rows: fakeRows, Sample: engine.One / 10}} {
		var begun, games, plies atomic.Uint64
		o.Begin = func(n uint64) { begun.Add(n) }
		o.Checked = func(g, p uint64) { games.Add(g); plies.Add(p) }
		if r, err := checking.Verify(context.Background(), root, o); err != nil || !r.OK() {
			t.Fatal(r, err)
		}
		if begun.Load() != 20 || games.Load() != 20 || plies.Load() < s.Rows {
			t.Errorf("level %d: begun %d, checked %d games with %d plies", o.Level, begun.Load(), games.Load(), plies.Load())
		}
	}
}

// TestVerifyReportsUnexpectedFilesInAllFolders: what a killed run leaves is not among them, and repair
// removes none of them.
func TestVerifyReportsUnexpectedFilesInAllFolders(t *testing.T) {
	root := t.TempDir()
	makeIn(t, root, fakePlan(), 8, fakeOptions())
	for _, name := range []string{
		".selfplay/tmp/77-ab12cd34.plan.json", ".selfplay/tmp/77-ab12cd34.lock", ".selfplay/journal/00000.0123456789abcdef.log",
		".selfplay/runs/77-ab12cd34.json", plan.FailuresName, disk.ProbeName, ".DS_Store", ".selfplay/.nfs0001",
	} {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		write(t, root, name, "")
	}
	if got := problems(t, root, checking.VerifySums); got != "" {
		t.Errorf("problems of %q before", got)
	}
	foreign := []string{
		"LICENSE", "train-00000.parquet", "nets/notes.txt", "nets/train-00000.parquet", "positions/notes.txt", "games/notes.txt", ".selfplay/notes.txt",
		".selfplay/train-00000.parquet", ".selfplay/journal/notes.txt", ".selfplay/journal/00000.log", ".selfplay/runs/notes.txt",
	}
	for _, name := range foreign {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		write(t, root, name, "mine")
	}
	r := must.Get(checking.Verify(t.Context(), root, checking.VerifyOptions{Level: checking.VerifySums}))(t)
	var found []string
	for _, p := range r.Problems {
		found = append(found, p.Path)
		if p.Kind != checking.ProblemForeign {
			t.Errorf("%s: %v", p.Kind, p)
		}
	}
	slices.Sort(foreign)
	if !slices.Equal(found, foreign) {
		t.Errorf("unexpected files\n%q\nwant\n%q", found, foreign)
	}
	if r := repairIn(t, root, false); len(r.Actions) != 0 || len(r.Left) != len(foreign) {
		t.Errorf("repair: %+v", r)
	}
}
