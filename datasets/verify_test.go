package datasets

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets/colfile"
	"selfplay/encode"
	"selfplay/engine"
)

// problems verifies and returns the paths that are reported.
func problems(t testing.TB, root string, level VerifyLevel) string {
	t.Helper()
	r, err := Verify(context.Background(), root, VerifyOptions{Level: level, Rows: fakeRows})
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

func TestGoodDatasetHasNoProblems(t *testing.T) {
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
			ds, err := Open(root)
			if err != nil {
				t.Fatal(err)
			}
			commits, err := ds.Commits()
			if err != nil {
				t.Fatal(err)
			}
			for i, digest := range commits[0].Files {
				v := newVerifier(ds, VerifyOptions{Level: VerifySums})
				flipBytes(t, root, digest.Name, 1, func() bool {
					_, err := v.file(commits[0], i)
					return errors.Is(err, ErrCorrupt)
				})
				flipBytes(t, root, digest.Name, 97, func() bool {
					return problems(t, root, VerifyDeep) == digest.Name
				})
			}
		})
	}
}

func TestFlippedTextIsFound(t *testing.T) {
	root := t.TempDir()
	makeIn(t, root, fakePlan(), 1, fakeOptions())
	for name, step := range map[string]int{planName: 3, manifestName: 3, cardName: 3, commitName(0): 3, croissantName: 31} {
		flipBytes(t, root, name, step, func() bool {
			r, err := Verify(context.Background(), root, VerifyOptions{Level: VerifyQuick, Rows: nil})
			return errors.Is(err, ErrUnsupported) || err == nil && !r.OK()
		})
	}
}

// flipBytes changes one bit in every step-th byte of a file, one at a time.
func flipBytes(t *testing.T, root, name string, step int, found func() bool) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(root, name), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	good, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(good); i += step {
		flipped := good[i] ^ 1<<(i%8)
		if _, err := f.WriteAt([]byte{flipped}, int64(i)); err != nil {
			t.Fatal(err)
		}
		if !found() {
			t.Fatalf("%s: byte %d: %q for %q is not found", name, i, flipped, good[i])
		}
		if _, err := f.WriteAt(good[i:i+1], int64(i)); err != nil {
			t.Fatal(err)
		}
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
		{"cut file", VerifyQuick, func(root string, f map[string]string) { write(t, root, pos0, f[pos0][:100]) }, pos0},
		{"empty file", VerifyDeep, func(root string, f map[string]string) { write(t, root, pos0, "") }, pos0},
		{"longer file", VerifyQuick, func(root string, f map[string]string) { write(t, root, pos0, f[pos0]+"x") }, pos0},
		{"swapped files", VerifySums, func(root string, f map[string]string) {
			write(t, root, pos0, f[pos1])
			write(t, root, pos1, f[pos0])
		}, pos0 + " " + pos1},
		{"games for positions", VerifySums, func(root string, f map[string]string) { write(t, root, pos0, f[games0]) }, pos0},
		{"extra file", VerifyQuick, func(root string, f map[string]string) { write(t, root, "positions/train-00009.parquet", f[pos0]) }, "positions/train-00009.parquet"},
		{"file of the other split", VerifyQuick, func(root string, f map[string]string) { write(t, root, "games/validation-00000.parquet", f[games0]) }, "games/validation-00000.parquet"},
		{"missing record", VerifyQuick, func(root string, _ map[string]string) { remove(t, root, commitName(0)) }, manifestName},
		{"damaged record", VerifyQuick, func(root string, _ map[string]string) { write(t, root, commitName(0), "{") }, manifestName + " " + commitName(0)},
		{"record of another shard", VerifyQuick, func(root string, f map[string]string) { write(t, root, commitName(0), f[commitName(1)]) }, manifestName + " " + commitName(0)},
		{"stray record", VerifyQuick, func(root string, f map[string]string) { write(t, root, commitsName+"/x", "") }, commitsName + "/x"},
		{"missing plan", VerifyQuick, func(root string, _ map[string]string) { remove(t, root, planName) }, planName},
		{"name with a dot", VerifyDeep, func(root string, _ map[string]string) {
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

// Deep finds what no sum can: rows that do not follow from the games.
func TestDeepNamesTheFirstRowThatReplayDoesNotGive(t *testing.T) {
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

func TestHeadIsTheFirstRows(t *testing.T) {
	for _, f := range formats {
		root := t.TempDir()
		s := makeIn(t, root, f.plan(), 7, fakeOptions())
		all := encode.NewTable(fakeColumns)
		rows := fakeRows()
		fakePlay(context.Background(), numbers(0, 7), nil, func(r *engine.Record) error { return rows(r, all, nil) })
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

// A file is parsed only once it is known to be the one that was committed.
func TestDamagedFileIsNotRead(t *testing.T) {
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
