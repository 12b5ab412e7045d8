package program

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// frozenFolder has archives of datasets of every game, layout, board type and format, as the release that it is
// named by made them. -update makes archives that are missing, and replaces none.
const frozenFolder = "frozen/1.0.0"

// frozenSet is a dataset of an archive. Its last shard is short.
type frozenSet struct {
	folder, flags string
	games         int
}

// run makes or resumes the dataset in a folder, or extends it by some games.
func (s frozenSet) run(t *testing.T, out string, more int) {
	t.Helper()
	command := []string{"run", "--quiet", "--out", out, "--games", strconv.Itoa(s.games + more)}
	mustRun(t, append(command, strings.Fields(s.flags)...)...)
}

// networkSet has every column: several moves a decision, an opening, an explored move, both splits, and a network.
func networkSet() frozenSet {
	return frozenSet{"packed-parquet", "--game contrast --board-type packed --player ab:nodes=60,hash=1,multi=3" +
		" --shard-games 2 --validation 0.5 --max-plies 24 --seed 2026" +
		" --opening-plies 2-3 --explore-moves 1 --explore-plies 0-9 --columns +legal_actions,+hash,+repetitions,+move,+static_score" +
		" --deblunder 5 --model 130,364", 5}
}

// formSets returns a dataset of each layout, board type and format, of the same games.
func formSets(layouts []encode.Layout, game string) (sets []frozenSet) {
	const games = " --player ab:nodes=40,hash=1,multi=3,temp=50,net=none --shard-games 2 --validation 0.5 --max-plies 12 --seed 2026"
	for _, layout := range layouts {
		for _, board := range []string{plan.List, plan.Packed} {
			for _, format := range []string{plan.Parquet, plan.Arrow} {
				sets = append(sets, frozenSet{
					layout.Name + "-" + board + "-" + format,
					"--game " + game + games + " --layout " + layout.Name + " --board-type " + board + " --format " + format, 3,
				})
			}
		}
	}
	return sets
}

// frozenArchives returns the datasets of each archive.
func frozenArchives() map[string][]frozenSet {
	archives := map[string][]frozenSet{"contrast-network": {networkSet()}}
	for _, game := range encode.Games() {
		archives[game.Name] = formSets(game.Layouts, game.Name)
		if game.HasVariant("chess960") {
			archives["chess960"] = formSets(game.Layouts, game.Name+" --variant chess960")
		}
	}
	return archives
}

// frozen unpacks an archive.
func frozen(t *testing.T, name string, sets ...frozenSet) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "frozen")
	archive := filepath.Join("testdata", frozenFolder, name+".tar.zst")
	_, err := os.Stat(archive)
	if enginetest.Updates() && errors.Is(err, fs.ErrNotExist) {
		for _, set := range sets {
			set.run(t, filepath.Join(dir, set.folder), 0)
		}
		pack(t, archive, dir)
		return dir
	}
	unpack(t, archive, dir)
	return dir
}

// TestDatasetsAreFrozen: datasets of a release are read, checked, resumed and extended, with the bytes that the
// same command makes today. A change of bytes is a new version of what changed. Then the plan of the archive names
// the old version: it is no longer extended, but everything else stays.
func TestDatasetsAreFrozen(t *testing.T) {
	for name, sets := range frozenArchives() {
		t.Run(name, func(t *testing.T) {
			dir, sums := frozen(t, name, sets...), ""
			for _, set := range sets {
				old := filepath.Join(dir, set.folder)
				sums += readFrozen(t, old, set.folder)
				extendFrozen(t, old, set)
			}
			compareGolden(t, frozenFolder, name+".sha256", sums)
		})
	}
}

// readFrozen checks a dataset, and returns the sums of its rows and moves.
func readFrozen(t *testing.T, dir, name string) (sums string) {
	t.Helper()
	for _, command := range [][]string{{"verify"}, {"verify", "--deep"}, {"verify", "--regenerate"}, {"info"}, {"stats"}} {
		mustRun(t, append(command, dir)...)
	}
	for _, format := range []string{"jsonl", "moves"} {
		text := mustRun(t, "convert", "--quiet", "--format", format, "--out", "-", dir)
		sums += fmt.Sprintf("%x  %s %s\n", sha256.Sum256([]byte(text)), name, format)
	}
	return sums
}

// extendFrozen resumes and extends a dataset as one that is made today.
func extendFrozen(t *testing.T, old string, set frozenSet) {
	t.Helper()
	made, whole := filepath.Join(t.TempDir(), "made"), tree(t, old)
	set.run(t, made, 0)
	mustEqual(t, lasting(tree(t, made)), lasting(whole))
	dropShard(t, old, 0)
	set.run(t, old, 0)
	mustEqual(t, tree(t, old), tree(t, made))
	set.run(t, old, 1)
	set.run(t, made, 1)
	mustEqual(t, tree(t, old), tree(t, made))
	mustRun(t, "verify", "--deep", old)
}

// lasting returns the files of a dataset without those whose texts may change with a release, and the manifest,
// which has their sums.
func lasting(files map[string]string) map[string]string {
	files = maps.Clone(files)
	for _, name := range []string{plan.CardName, plan.CroissantName, plan.ManifestName} {
		delete(files, name)
	}
	return files
}

// TestOtherPrereleasesAreRefused: by commands that read and by those that write, in one line that says what to do.
func TestOtherPrereleasesAreRefused(t *testing.T) {
	set := networkSet()
	dir := filepath.Join(frozen(t, "contrast-network", set), set.folder)
	name := filepath.Join(dir, plan.FileName)
	text := string(must.Get(os.ReadFile(name))(t))
	other := strings.Replace(text, fmt.Sprintf(`"prerelease": %d`, plan.Prerelease), `"prerelease": 99`, 1)
	must.Do(t, os.WriteFile(name, []byte(other), 0o644))
	before := tree(t, dir)
	want := fmt.Sprintf("read plan.json: pre-release 99: not supported: this build reads pre-release %d; make the dataset again, or use the build that made it\n", plan.Prerelease)
	out := filepath.Join(t.TempDir(), "out")
	for _, command := range [][]string{
		append([]string{"run", "--games", "6", "--out", dir}, strings.Fields(set.flags)...),
		{"info", dir}, {"verify", dir}, {"status", dir}, {"replay", "--game-index", "0", dir}, {"finalize", dir}, {"repair", dir},
		{"head", dir}, {"stats", dir}, {"convert", "--format", "csv", "--out", out, dir},
		{"rows", "--out", out, dir}, {"dedup", "--out", out, dir}, {"report", "--out", out, dir},
	} {
		if o := selfplay("", command...); o.code != 2 || !strings.HasSuffix(o.stderr, want) || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%s: code %d, %s", command, o.code, o.stderr)
		}
	}
	mustEqual(t, tree(t, dir), before)
}

// dropShard removes a shard and what follows from it, as a repair does.
func dropShard(t *testing.T, dir string, shard int) {
	must.Do(t, os.Remove(filepath.Join(dir, plan.ManifestName)))
	must.Do(t, os.Remove(filepath.Join(dir, plan.CommitName(shard))))
	for _, table := range plan.Tables {
		for _, path := range must.Get(filepath.Glob(filepath.Join(dir, table, fmt.Sprintf("*-%05d.*", shard))))(t) {
			must.Do(t, os.Remove(path))
		}
	}
}

// pack writes an archive of datasets, without what only their runs need and without times. They share most of
// their descriptions, which a window over all of them packs once.
func pack(t *testing.T, archive, dir string) {
	t.Helper()
	for _, name := range []string{"lock", "journal", "runs", "tmp"} {
		for _, path := range must.Get(filepath.Glob(filepath.Join(dir, "*", ".selfplay", name)))(t) {
			must.Do(t, os.RemoveAll(path))
		}
	}
	must.Do(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, time.Time{}, time.Unix(0, 0)))
	}))
	var data bytes.Buffer
	compressed := must.Get(zstd.NewWriter(&data, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20)))(t)
	w := tar.NewWriter(compressed)
	err := errors.Join(w.AddFS(os.DirFS(dir)), w.Close(), compressed.Close(), os.MkdirAll(filepath.Dir(archive), 0o755))
	if err == nil {
		err = os.WriteFile(archive, data.Bytes(), 0o644)
	}
	must.Do(t, err)
}

// unpack is the inverse of pack.
func unpack(t *testing.T, archive, dir string) {
	t.Helper()
	data := must.Get(os.Open(archive))(t)
	defer data.Close()
	compressed := must.Get(zstd.NewReader(data))(t)
	defer compressed.Close()
	for r := tar.NewReader(compressed); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err == nil && h.Typeflag == tar.TypeReg {
			err = extract(filepath.Join(dir, filepath.FromSlash(h.Name)), r)
		}
		must.Do(t, err)
	}
}

func extract(path string, r io.Reader) error {
	data, err := io.ReadAll(r)
	return errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644))
}
