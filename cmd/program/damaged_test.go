package program

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// damageCount is the number of damages that every command is run on. If it is 1000 or more,
// verify is run on all damages, tens of thousands.
var damageCount = flag.Int("damage", 30, "damages that TestDamage runs every command on")

// damagedFile is a damage to one file of a dataset.
type damagedFile struct {
	name  string        // of the file
	what  string        // the damage
	data  func() []byte // what the file then contains
	forge bool          // store the checksum of the damaged file in the record and the manifest
}

// storedDamages lists the formats of the datasets that are damaged.
var storedDamages = []struct{ name, format, boardType string }{
	{"list", plan.Parquet, plan.List},
	{"packed", plan.Parquet, plan.Packed},
	{"arrow", plan.Arrow, plan.List},
}

// tiny makes a dataset of 6 short games of Contrast in 3 shards, one of them for
// validation.
func tiny(t testing.TB, dir, format, boardType string) {
	t.Helper()
	contrastGames(t, dir, format, boardType, 6, 30)
}

// contrastGames makes a dataset of games of Contrast with at most plies plies, two games
// per shard.
func contrastGames(t testing.TB, dir, format, boardType string, games uint64, plies int) {
	t.Helper()
	game := encode.Contrast()
	makeRandom(t, dir, game, &game.Layouts[0], games, plan.Plan{Seed: 5, MaxPlies: plies, Format: format, BoardType: boardType, ShardGames: 2, Validation: 334}, nil)
}

// TestDamage: verify finds a damaged file, and no command crashes.
func TestDamage(t *testing.T) {
	for _, s := range storedDamages {
		t.Run(s.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "set")
			tiny(t, dir, s.format, s.boardType)
			all := damagesOf(t, dir)
			share := max(1, *damageCount/len(storedDamages))
			step := max(1, len(all)/share)
			verified, commands := 0, 0
			for i, d := range all {
				chosen := i%step == step/2
				if !chosen && *damageCount < 1000 {
					continue
				}
				undo := d.do(t, dir)
				verified++
				if d.forge {
					export("verify", "--deep", dir) // must not crash; a change may be without effect
				} else {
					d.mustBeFound(t, dir)
				}
				if chosen {
					commands++
					d.mustNotCrash(t, dir)
				}
				undo()
				if t.Failed() {
					t.Fatalf("%s of %s", d.what, d.name)
				}
			}
			t.Logf("%d of %d damages verified, %d given to every command", verified, len(all), commands)
			mustExport(t, "verify", dir)
		})
	}
}

// do damages the dataset and returns a function that restores it.
func (d *damagedFile) do(t *testing.T, dir string) (undo func()) {
	t.Helper()
	path := filepath.Join(dir, d.name)
	whole, damaged := readBytes(t, path), d.data()
	writeBytes(t, path, damaged)
	undo = func() { writeBytes(t, path, whole) }
	if !d.forge {
		return undo
	}
	for _, name := range slices.Concat(matchOne(t, dir, ".selfplay/commits/*"), []string{"manifest.json", "croissant.json"}) {
		before := readBytes(t, filepath.Join(dir, name))
		forged := bytes.ReplaceAll(before, sumText(whole), sumText(damaged))
		if strings.HasPrefix(name, ".selfplay") {
			forged = resum(t, forged)
		}
		writeBytes(t, filepath.Join(dir, name), forged)
		inner := undo
		undo = func() { writeBytes(t, filepath.Join(dir, name), before); inner() }
	}
	return undo
}

// resum gives a commit record the sum that fits its other members.
func resum(t *testing.T, record []byte) []byte {
	t.Helper()
	at := bytes.LastIndex(record, []byte(",\n  \"sum\": "))
	var bare bytes.Buffer
	must.Do(t, json.Compact(&bare, append(bytes.Clone(record[:at]), '}')))
	return fmt.Appendf(nil, "%s,\n  \"sum\": \"%s\"\n}\n", record[:at], sumText(bare.Bytes()))
}

func sumText(data []byte) []byte {
	sum := sha256.Sum256(data)
	return []byte(hex.EncodeToString(sum[:]))
}

// mustBeFound checks that verify reports the damage.
func (d *damagedFile) mustBeFound(t *testing.T, dir string) {
	t.Helper()
	o := export("verify", "--json", dir)
	if o.code != 4 && !(o.code == 2 && d.name == "plan.json") {
		t.Errorf("verify: %+v", o)
	}
}

// mustNotCrash runs every command that reads a dataset.
func (d *damagedFile) mustNotCrash(t *testing.T, dir string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{
		{"info"}, {"head", "--rows", "1000"}, {"head", "--json"}, {"stats"}, {"stats", "--exact"}, {"wdl"},
		{"rows", "--out", out, "--quiet", "--keep", "0.5"}, {"dedup", "--out", out + "2", "--quiet"},
		{"sample", "--quiet", "--rows", "9", "--by", "phase", "--out", out + ".npz"}, {"sample", "--quiet", "--rows", "9", "--boards", "text", "--out", out + ".csv"},
		{"convert", "--quiet", "--format", "npz", "--out", out + "3"}, {"convert", "--quiet", "--format", "jsonl", "--out", "-"},
		{"convert", "--quiet", "--format", "moves", "--out", "-"}, {"shuffle", "--quiet", "--out", out + "4"}, {"report", "--json"},
		{"repair", "--dry-run"}, {"verify", "--quick"}, {"verify", "--deep"},
	} {
		o := export(append(args, dir)...)
		if o.code < 0 || o.code > 11 || o.code != 0 && strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%v: %+v", args, o)
		}
		if args[len(args)-1] == "--deep" && !d.forge && o.code != 4 && d.name != "plan.json" {
			t.Errorf("%v: %+v", args, o)
		}
	}
}

// damagesOf returns damages of every file of a dataset.
func damagesOf(t *testing.T, dir string) (list []damagedFile) {
	t.Helper()
	data := slices.Concat(matchOne(t, dir, "positions/*"), matchOne(t, dir, "games/*"))
	for _, name := range data {
		whole := readBytes(t, filepath.Join(dir, name))
		at := edges(whole)
		for i := (len(whole) - 1) / 97 * 97; i > 0; i -= 97 {
			at = append(at, i)
		}
		for n, i := range at {
			list = append(list, flipAt(name, whole, i, n%8, false))
			if n%7 == 0 || i > len(whole)-64 {
				list = append(list, flipAt(name, whole, i, (n+3)%8, true))
			}
		}
		list = append(list, cuts(name, whole)...)
		for _, other := range data {
			if other != name {
				list = append(list, damagedFile{name: name, what: "content of " + other, data: func() []byte { return readBytes(t, filepath.Join(dir, other)) }})
			}
		}
	}
	small := slices.Concat(matchOne(t, dir, ".selfplay/commits/*"), []string{"plan.json", "manifest.json", "README.md", "croissant.json"})
	for _, name := range small {
		whole := readBytes(t, filepath.Join(dir, name))
		for i := 0; i < len(whole); i += max(5, len(whole)/1200) {
			list = append(list, flipAt(name, whole, i, i%8, false))
		}
		list = append(list, cuts(name, whole)...)
	}
	return list
}

// edges returns the positions of the bytes in the header and the footer of a data file.
func edges(data []byte) (at []int) {
	for i := range min(len(data), 8) {
		at = append(at, i)
	}
	tail := len(data) - 8 // Parquet: length of the footer, then the magic
	if !bytes.HasSuffix(data, []byte("PAR1")) {
		tail = len(data) - 10
	}
	size := int(data[tail]) | int(data[tail+1])<<8 | int(data[tail+2])<<16
	for i := max(8, tail-size); i < len(data); i++ {
		at = append(at, i)
	}
	return at
}

func flipAt(name string, whole []byte, i, bit int, forge bool) damagedFile {
	flipped := func() []byte {
		data := slices.Clone(whole)
		data[i] ^= 1 << bit
		return data
	}
	return damagedFile{name, fmt.Sprintf("bit %d of byte %d flipped, forged %t", bit, i, forge), flipped, forge}
}

// cuts returns truncations of a file.
func cuts(name string, whole []byte) (list []damagedFile) {
	n := len(whole)
	at := []int{0, 1, 4, 8, n - 8, n - 1}
	src := rand.New(rand.NewPCG(1, uint64(n)))
	for range 8 {
		at = append(at, src.IntN(n))
	}
	for _, i := range at {
		list = append(list, damagedFile{name: name, what: fmt.Sprintf("cut at %d", i), data: func() []byte { return whole[:min(i, n-1)] }})
	}
	return list
}

func matchOne(t *testing.T, dir, pattern string) (names []string) {
	t.Helper()
	names, err := fs.Glob(os.DirFS(dir), pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %v", pattern, names, err)
	}
	return names
}

func readBytes(t *testing.T, path string) []byte {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	return data
}

func writeBytes(t *testing.T, path string, data []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(path, data, 0o644))
}

// TestRepairRefusesADatasetBeingWritten: until its writer ends.
func TestRepairRefusesADatasetBeingWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	tiny(t, dir, plan.Parquet, plan.List)
	ds := must.Get(datasets.Open(dir))(t)
	started, finish, done := make(chan bool), make(chan bool), make(chan error)
	go func() {
		_, err := making.Make(context.Background(), dir, ds.Plan(), 100, making.Options{
			OpenShards: 1, Description: ds.Description(), Rows: func() datasets.RowFunc { return nil },
			Play: func(context.Context, []uint64, engine.Journal, func(*engine.Record) error) error {
				started <- true
				<-finish
				return context.Canceled
			},
		})
		done <- err
	}()
	<-started
	mustRefuse(t, export("repair", dir), 11, "locked")
	mustRefuse(t, export("repair", "--dry-run", dir), 11, "locked")
	close(finish)
	<-done
	mustExport(t, "repair", dir)
}

// misplacements are damages to the files of a dataset as a whole. code is the exit code of
// verify.
var misplacements = []struct {
	name string
	do   func(t *testing.T, dir string)
	code int
}{
	{"a positions file is missing", func(t *testing.T, dir string) { removeOne(t, dir, "positions/train-00000.*") }, 4},
	{"a games file is missing", func(t *testing.T, dir string) { removeOne(t, dir, "games/validation-00000.*") }, 4},
	{"the folder positions is missing", func(t *testing.T, dir string) { removeOne(t, dir, "positions") }, 4},
	{"a file in place of the folder games", func(t *testing.T, dir string) {
		removeOne(t, dir, "games")
		writeBytes(t, filepath.Join(dir, "games"), nil)
	}, 4},
	{"a folder in place of a games file", func(t *testing.T, dir string) {
		name := matchOne(t, dir, "games/validation-00000.*")[0]
		removeOne(t, dir, name)
		mkdir(t, dir, name+"/inside")
	}, 4},
	{"the plan is missing", func(t *testing.T, dir string) { removeOne(t, dir, "plan.json") }, 4},
	{"the plan is empty", func(t *testing.T, dir string) { writeBytes(t, filepath.Join(dir, "plan.json"), nil) }, 4},
	{"a folder in place of the plan", func(t *testing.T, dir string) { removeOne(t, dir, "plan.json"); mkdir(t, dir, "plan.json") }, 4},
	{"the plan of another dataset", func(t *testing.T, dir string) {
		other := filepath.Join(t.TempDir(), "other")
		tiny(t, other, plan.Parquet, plan.Packed)
		writeBytes(t, filepath.Join(dir, "plan.json"), append(readBytes(t, filepath.Join(other, "plan.json")), ' '))
	}, 4},
	{"a plan of another format", func(t *testing.T, dir string) { editFile(t, dir, "plan.json", `"format": 1`, `"format": 9`) }, 2},
	{"a plan with empty shards", func(t *testing.T, dir string) { editFile(t, dir, "plan.json", `"shard_games": 2`, `"shard_games": 0`) }, 4},
	{"a plan with another licence", func(t *testing.T, dir string) { editFile(t, dir, "plan.json", `"licence": ""`, `"licence": "MIT"`) }, 4},
	{"a record is missing", func(t *testing.T, dir string) { removeOne(t, dir, ".selfplay/commits/00001.json") }, 4},
	{"a record is empty", func(t *testing.T, dir string) { writeBytes(t, filepath.Join(dir, ".selfplay/commits/00001.json"), nil) }, 4},
	{"the record of another shard", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/00001.json")
	}, 4},
	{"a record twice", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/00009.json")
	}, 4},
	{"a record without a shard number", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/a.json")
	}, 4},
	{"a record of an impossible shard", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/9223372036854775807.json")
	}, 4},
	{"all records are missing", func(t *testing.T, dir string) { removeOne(t, dir, ".selfplay/commits") }, 4},
	{"the folder .selfplay is missing", func(t *testing.T, dir string) { removeOne(t, dir, ".selfplay") }, 4},
	{"a games file twice", func(t *testing.T, dir string) {
		copyFile(t, dir, matchOne(t, dir, "games/train-00000.*")[0], "games/train-00009.parquet")
	}, 4},
	{"a foreign file", func(t *testing.T, dir string) { writeBytes(t, filepath.Join(dir, "positions/notes.txt"), nil) }, 4},
	{"the manifest is a list", func(t *testing.T, dir string) { writeBytes(t, filepath.Join(dir, "manifest.json"), []byte("[]")) }, 4},
	{"the manifest has other totals", func(t *testing.T, dir string) { editFile(t, dir, "manifest.json", `"games": 6`, `"games": 7`) }, 4},
	{"the manifest has a shorter shard", func(t *testing.T, dir string) { editFile(t, dir, "manifest.json", `"games": 2`, `"games": 1`) }, 4},
	{"the target is empty", func(t *testing.T, dir string) { writeBytes(t, filepath.Join(dir, ".selfplay/target.json"), nil) }, 4},
	{"the target is missing", func(t *testing.T, dir string) { removeOne(t, dir, ".selfplay/target.json") }, 4},
	{"the target is too small", func(t *testing.T, dir string) { editFile(t, dir, ".selfplay/target.json", "6", "4") }, 4},
	{"the target is too large", func(t *testing.T, dir string) { editFile(t, dir, ".selfplay/target.json", "6", "18446744073709551615") }, 4},
	{"the target is a string", func(t *testing.T, dir string) { editFile(t, dir, ".selfplay/target.json", "6", `"6"`) }, 4},
	{"a file of a shard before it was extended", func(t *testing.T, dir string) {
		copyFile(t, dir, matchOne(t, dir, "games/train-00000.*")[0], "games/train-00000-1.parquet")
	}, 0}, // as after a kill
	{"a file of a shard with more games than it can have", func(t *testing.T, dir string) {
		copyFile(t, dir, matchOne(t, dir, "games/train-00000.*")[0], "games/train-00000-3.parquet")
	}, 4},
}

// TestMisplacedFiles: verify finds missing, repeated and foreign files, and no command
// crashes. After repair the dataset verifies, or repair says why not.
func TestMisplacedFiles(t *testing.T) {
	whole := map[string]string{}
	for _, format := range []string{plan.Parquet, plan.Arrow} {
		whole[format] = filepath.Join(t.TempDir(), "set")
		tiny(t, whole[format], format, plan.List)
		if *damageCount < 1000 {
			break // the misplacements do not depend on the format
		}
	}
	for format, from := range whole {
		for _, m := range misplacements {
			t.Run(format+"/"+m.name, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "set")
				must.Do(t, os.CopyFS(dir, os.DirFS(from)))
				m.do(t, dir)
				if o := export("verify", dir); o.code != m.code {
					t.Errorf("verify: %+v", o)
				}
				(&damagedFile{name: "plan.json"}).mustNotCrash(t, dir)
				repaired := export("repair", dir)
				if o := export("verify", dir); repaired.code == 0 && o.code != 0 || repaired.code != 0 && strings.Count(repaired.stderr, "\n") != 1 {
					t.Errorf("repair: %+v, then verify: %+v", repaired, o)
				}
			})
		}
	}
}

func removeOne(t *testing.T, dir, pattern string) {
	t.Helper()
	for _, name := range matchOne(t, dir, pattern) {
		must.Do(t, os.RemoveAll(filepath.Join(dir, name)))
	}
}

func mkdir(t *testing.T, dir, name string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Join(dir, name), 0o755))
}

func copyFile(t *testing.T, dir, from, to string) {
	t.Helper()
	writeBytes(t, filepath.Join(dir, to), readBytes(t, filepath.Join(dir, from)))
}

// editFile replaces a text that the file must contain.
func editFile(t *testing.T, dir, name, before, after string) {
	t.Helper()
	path := filepath.Join(dir, name)
	data := string(readBytes(t, path))
	if !strings.Contains(data, before) {
		t.Fatalf("%s has no %s", name, before)
	}
	writeBytes(t, path, []byte(strings.Replace(data, before, after, 1)))
}
