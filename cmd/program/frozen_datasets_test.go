package program

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/datasets/plan"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// frozenFlags make a small dataset with every column: several moves a decision, an opening, an explored move,
// both splits, a network, and a last shard that is short.
const frozenFlags = "--game contrast --board-type packed --player ab:nodes=60,hash=1,multi=3" +
	" --shard-games 2 --validation 0.5 --max-plies 24 --seed 2026" +
	" --opening-plies 2-3 --explore-moves 1 --explore-plies 0-9 --columns +legal_actions,+hash,+repetitions,+move,+static_score" +
	" --deblunder 5 --model 130,364"

const frozenGames = "5"

func runFrozen(t *testing.T, out, games string) {
	t.Helper()
	mustRun(t, slices.Concat([]string{"run", "--quiet", "--out", out, "--games", games}, strings.Fields(frozenFlags))...)
}

// frozen unpacks the archive of a dataset.
func frozen(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "frozen")
	archive := filepath.Join("testdata", "frozen", "contrast.tar.gz")
	if enginetest.Updates() {
		runFrozen(t, dir, frozenGames)
		pack(t, archive, dir)
		return dir
	}
	unpack(t, archive, dir)
	return dir
}

// TestDatasetsAreFrozen: the dataset of an archive is read, resumed and extended, with the bytes that the same
// command makes today. Until 1.0.0, which makes it anew, -update writes it: a change of bytes raises
// plan.Prerelease. After 1.0.0 a change of bytes is a new version of what changed.
func TestDatasetsAreFrozen(t *testing.T) {
	made, old := filepath.Join(t.TempDir(), "made"), frozen(t)
	whole := tree(t, old)
	runFrozen(t, made, frozenGames)
	mustEqual(t, tree(t, made), whole)
	sums := ""
	for _, format := range []string{"jsonl", "moves"} {
		text := mustRun(t, "export", "convert", "--quiet", "--format", format, "--out", "-", old)
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(text)), format)
	}
	compareGolden(t, "frozen", "contrast.sha256", sums)
	dropShard(t, old, 1)
	runFrozen(t, old, frozenGames)
	mustEqual(t, tree(t, old), whole)
	runFrozen(t, old, "6")
	runFrozen(t, made, "6")
	mustEqual(t, tree(t, old), tree(t, made))
	for _, command := range [][]string{{"verify", "--deep"}, {"verify", "--regenerate"}, {"info"}, {"export", "stats"}} {
		mustRun(t, append(command, old)...)
	}
}

// TestOtherPrereleasesAreRefused: by commands that read and by those that write, in one line that says what to do.
func TestOtherPrereleasesAreRefused(t *testing.T) {
	dir := frozen(t)
	name := filepath.Join(dir, plan.FileName)
	text := string(must.Get(os.ReadFile(name))(t))
	other := strings.Replace(text, fmt.Sprintf(`"prerelease": %d`, plan.Prerelease), `"prerelease": 99`, 1)
	must.Do(t, os.WriteFile(name, []byte(other), 0o644))
	before := tree(t, dir)
	want := fmt.Sprintf("read plan.json: pre-release 99: not supported: this build reads pre-release %d; make the dataset again, or use the build that made it\n", plan.Prerelease)
	out := filepath.Join(t.TempDir(), "out")
	for _, command := range [][]string{
		append([]string{"run", "--games", "6", "--out", dir}, strings.Fields(frozenFlags)...),
		{"info", dir}, {"verify", dir}, {"status", dir}, {"replay", "--game-index", "0", dir}, {"finalize", dir}, {"export", "repair", dir},
		{"export", "head", dir}, {"export", "stats", dir}, {"export", "convert", "--format", "csv", "--out", out, dir},
		{"export", "rows", "--out", out, dir}, {"export", "dedup", "--out", out, dir}, {"export", "report", "--out", out, dir},
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

// pack writes an archive of a dataset, without what only its run needs and without times.
func pack(t *testing.T, archive, dir string) {
	t.Helper()
	for _, name := range []string{"lock", "journal", "runs", "tmp"} {
		must.Do(t, os.RemoveAll(filepath.Join(dir, ".selfplay", name)))
	}
	must.Do(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, time.Time{}, time.Unix(0, 0)))
	}))
	var data bytes.Buffer
	compressed := gzip.NewWriter(&data)
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
	compressed := must.Get(gzip.NewReader(data))(t)
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
