package datasets

import (
	"context"
	"errors"
	"strings"
	"testing"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/encode"
	"selfplay/engine"
)

// problems verifies a dataset and returns the paths of its problems.
func problems(t testing.TB, root string, level VerifyLevel) string {
	t.Helper()
	return problemsOn(t, disk.Dir{Root: root, FS: disk.OS{}}, level)
}

func problemsOn(t testing.TB, d disk.Dir, level VerifyLevel) string {
	t.Helper()
	r, err := verify(context.Background(), d, VerifyOptions{Level: level, Rows: fakeRows})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, p := range r.Problems {
		if !errors.Is(p, ErrCorrupt) && !errors.Is(p, ErrUnsupported) && p.Err == nil {
			t.Errorf("%v has no cause", p)
		}
		paths = append(paths, p.Path)
	}
	return strings.Join(paths, " ")
}

func TestIntactDatasetHasNoProblems(t *testing.T) {
	for _, f := range formats {
		root := t.TempDir()
		makeIn(t, root, f.plan(), 11, fakeOptions())
		for _, level := range []VerifyLevel{VerifyQuick, VerifySums, VerifyDeep} {
			r, err := Verify(context.Background(), root, VerifyOptions{Level: level, Rows: fakeRows})
			if err != nil || !r.OK() || !r.Complete || r.Games != 11 || r.Shards != 4 {
				t.Errorf("%s, level %d: %+v, %v", f.name, level, r, err)
			}
		}
	}
}

func TestEveryFlippedByteIsFound(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			root := t.TempDir()
			makeIn(t, root, f.plan(), 1, fakeOptions())
			ds := openOn(t, loadDisk(t, root, root), root)
			commits, err := ds.Commits()
			if err != nil {
				t.Fatal(err)
			}
			for i, file := range commits[0].Files {
				v := newVerifier(ds, VerifyOptions{Level: VerifySums})
				flipBytes(t, ds.d, file.Name, 1, func() bool {
					_, err := v.checkFile(commits[0], i)
					return errors.Is(err, ErrCorrupt)
				})
				flipBytes(t, ds.d, file.Name, 97, func() bool {
					return problemsOn(t, ds.d, VerifyDeep) == file.Name
				})
			}
		})
	}
}

// TestFlippedTextIsFound flips bits of the small files. One sum covers a document as a
// whole, so a few of its bytes stand for all; the other files are checked field by field.
func TestFlippedTextIsFound(t *testing.T) {
	root := t.TempDir()
	makeIn(t, root, fakePlan(), 1, fakeOptions())
	d := disk.Dir{Root: root, FS: loadDisk(t, root, root)}
	for name, step := range map[string]int{planName: 3, manifestName: 3, commitName(0): 3, cardName: 31, croissantName: 31} {
		if *torture {
			step = 1
		}
		flipBytes(t, d, name, step, func() bool {
			r, err := verify(context.Background(), d, VerifyOptions{Level: VerifyQuick})
			return errors.Is(err, ErrUnsupported) || err == nil && !r.OK()
		})
	}
}

// openOn opens a dataset on a memory disk.
func openOn(t *testing.T, memory *memoryDisk, root string) *Dataset {
	t.Helper()
	d := disk.Dir{Root: root, FS: memory}
	h, err := readHeader(d)
	if err != nil {
		t.Fatal(err)
	}
	return &Dataset{d, h}
}

// flipBytes flips one bit in every step-th byte of a file on a memory disk, one at a time.
func flipBytes(t *testing.T, d disk.Dir, name string, step int, found func() bool) {
	t.Helper()
	data := d.FS.(*memoryDisk).get(d.Path(name)).data
	for i := 0; i < len(data); i += step {
		bit := byte(1) << (i % 8)
		data[i] ^= bit
		if !found() {
			t.Fatalf("%s: flipped bit %#x of byte %d is not found", name, bit, i)
		}
		data[i] ^= bit
	}
}

func TestDamageIsNamed(t *testing.T) {
	const pos0, pos1 = "positions/train-00000.parquet", "positions/train-00001.parquet"
	const games0 = "games/train-00000.parquet"
	tests := []struct {
		name   string
		level  VerifyLevel
		damage func(root string, files map[string]string)
		want   string
	}{
		{"missing file", VerifyQuick, func(root string, _ map[string]string) { remove(t, root, pos1) }, pos1},
		{"truncated file", VerifyQuick, func(root string, f map[string]string) { write(t, root, pos0, f[pos0][:100]) }, pos0},
		{"empty file", VerifyDeep, func(root string, f map[string]string) { write(t, root, pos0, "") }, pos0},
		{"longer file", VerifyQuick, func(root string, f map[string]string) { write(t, root, pos0, f[pos0]+"x") }, pos0},
		{"swapped files", VerifySums, func(root string, f map[string]string) {
			write(t, root, pos0, f[pos1])
			write(t, root, pos1, f[pos0])
		}, pos0 + " " + pos1},
		{"games file in place of a positions file", VerifySums, func(root string, f map[string]string) { write(t, root, pos0, f[games0]) }, pos0},
		{"file of no shard", VerifyQuick, func(root string, f map[string]string) { write(t, root, "positions/train-00009.parquet", f[pos0]) }, "positions/train-00009.parquet"},
		{"file of the other split", VerifyQuick, func(root string, f map[string]string) { write(t, root, "games/validation-00000.parquet", f[games0]) }, "games/validation-00000.parquet"},
		{"missing record", VerifyQuick, func(root string, _ map[string]string) { remove(t, root, commitName(0)) }, manifestName},
		{"damaged record", VerifyQuick, func(root string, _ map[string]string) { write(t, root, commitName(0), "{") }, manifestName + " " + commitName(0)},
		{"record of another shard", VerifyQuick, func(root string, f map[string]string) { write(t, root, commitName(0), f[commitName(1)]) }, manifestName + " " + commitName(0)},
		{"foreign name among records", VerifyQuick, func(root string, f map[string]string) { write(t, root, commitsName+"/x", "") }, commitsName + "/x"},
		{"missing plan", VerifyQuick, func(root string, _ map[string]string) { remove(t, root, planName) }, planName},
		{"names that start with a dot", VerifyDeep, func(root string, _ map[string]string) {
			write(t, root, commitsName+"/.DS_Store", "")
			write(t, root, "positions/.nfs01", "")
		}, ""},
		{"damaged plan", VerifyQuick, func(root string, _ map[string]string) { write(t, root, planName, "{}") }, planName},
		{"changed manifest", VerifyQuick, func(root string, f map[string]string) {
			write(t, root, manifestName, strings.Replace(f[manifestName], `"games": 6`, `"games": 7`, 1))
		}, manifestName},
		{"damaged manifest", VerifyQuick, func(root string, _ map[string]string) { write(t, root, manifestName, "[]") }, manifestName},
		{"missing card", VerifyQuick, func(root string, _ map[string]string) { remove(t, root, cardName) }, cardName},
		{"changed card", VerifyQuick, func(root string, f map[string]string) { write(t, root, cardName, f[cardName]+"!") }, cardName},
		{"missing croissant", VerifyQuick, func(root string, _ map[string]string) { remove(t, root, croissantName) }, croissantName},
		{"changed croissant", VerifyQuick, func(root string, f map[string]string) {
			write(t, root, croissantName, strings.Replace(f[croissantName], "1.6.0", "1.7.0", 1))
		}, croissantName},
		{"damaged target", VerifyQuick, func(root string, _ map[string]string) { write(t, root, targetName, "{") }, targetName},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			makeIn(t, root, fakePlan(), 6, fakeOptions())
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
			o.Rows = func() RowFunc {
				rows := fakeRows()
				return func(r *engine.Record, t *encode.Table, dropped []uint64) error {
					from := t.Rows
					err := rows(r, t, dropped)
					tt.change(r, t, from)
					return err
				}
			}
			makeIn(t, root, fakePlan(), 6, o)
			if got := problems(t, root, VerifySums); got != "" {
				t.Errorf("sums: %s", got)
			}
			r, err := Verify(context.Background(), root, VerifyOptions{Level: VerifyDeep, Rows: fakeRows})
			if err != nil || len(r.Problems) != 1 {
				t.Fatalf("%+v, %v", r, err)
			}
			if p := r.Problems[0]; p.Shard != 1 || !strings.Contains(p.Message, tt.want) {
				t.Errorf("%+v, want %s", p, tt.want)
			}
		})
	}
}

func TestUnfinishedDatasetIsRead(t *testing.T) {
	root := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	o := fakeOptions()
	o.Open, o.Play = 1, stopAfter(7, cancel)
	if _, err := Make(ctx, root, fakePlan(), 20, o); !errors.Is(err, ErrIncomplete) {
		t.Fatal(err)
	}
	ds, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	i, err := ds.Info()
	if err != nil {
		t.Fatal(err)
	}
	if i.Complete || i.Target != 20 || i.Shards != 7 || i.ShardsDone != 2 || i.Games != 6 || len(i.Splits) != 1 || i.Splits[0].Split != Train {
		t.Errorf("%+v", i)
	}
	makeIn(t, root, fakePlan(), 20, fakeOptions())
	if i, err = ds.Info(); err != nil || !i.Complete || i.ShardsDone != 7 || i.Games != 20 {
		t.Errorf("%+v, %v", i, err)
	}
}

func TestHeadReturnsTheFirstRows(t *testing.T) {
	for _, f := range formats {
		root := t.TempDir()
		s := makeIn(t, root, f.plan(), 7, fakeOptions())
		all := encode.NewTable(fakeColumns)
		rows := fakeRows()
		fakePlay(context.Background(), gameNumbers(0, 7), nil, func(r *engine.Record) error { return rows(r, all, nil) })
		ds, err := Open(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 50, 200, all.Rows, all.Rows + 1} {
			head, err := ds.Head(n)
			if err != nil {
				t.Fatal(err)
			}
			want := min(n, int(s.Rows))
			if head.Rows != want || want > 0 && colfile.CompareRows(all, 0, head, 0, want) != nil {
				t.Errorf("%s: %d rows, want the first %d", f.name, head.Rows, want)
			}
		}
	}
}

func TestGamesAreReadBack(t *testing.T) {
	root := t.TempDir()
	makeIn(t, root, fakePlan(), 8, fakeOptions())
	ds, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	commits, err := ds.Commits()
	if err != nil {
		t.Fatal(err)
	}
	var want engine.Record
	game := uint64(0)
	for _, c := range commits {
		for got, err := range ds.Games(c) {
			if err != nil {
				t.Fatal(err)
			}
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
		root := t.TempDir()
		makeIn(t, root, f.plan(), 3, fakeOptions())
		name := "positions/train-00000." + f.format
		b := []byte(tree(t, root)[name])
		b[len(b)/2] ^= 1
		write(t, root, name, string(b))
		ds, err := Open(root)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ds.Head(1); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v, want ErrCorrupt", f.name, err)
		}
	}
}
