package program

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// frozenFlags make a small dataset with every column: several moves a decision, an opening, an
// explored move, both splits.
const frozenFlags = "--shard-games 2 --validation 0.5 --max-plies 24 --seed 2026" +
	" --opening-plies 2-3 --explore-moves 1 --explore-plies 0-9 --columns +legal_actions,+hash,+repetitions,+move,+static_score" +
	" --deblunder 5 --model 130,364"

const frozenGames = "4"

const frozenPlayer = "ab:nodes=60,hash=1,multi=3"

// TestDatasetsAreFrozen: datasets of every game, layout, board type and format, and one of a player with
// a network, stay readable with the same rows, and the same command still makes the same bytes: a new
// dataset of version 2, and what is missing of one of version 1. See plan.NewestFormat.
//
// A change of bytes is a new version: never make an archive again, but add those of the new version
// in a folder of their own. A program that no longer makes an earlier version must still read it.
func TestDatasetsAreFrozen(t *testing.T) {
	for _, game := range encode.Games() {
		for _, layout := range game.Layouts {
			for _, boardType := range []string{plan.List, plan.Packed} {
				for _, format := range []string{plan.Parquet, plan.Arrow} {
					name := strings.Join([]string{game.Name, layout.Name, boardType, format}, "-")
					flags := fmt.Sprintf("--game %s --layout %s --board-type %s --format %s --player %s", game.Name, layout.Name, boardType, format, frozenPlayer)
					t.Run(name, func(t *testing.T) { t.Parallel(); holdFrozen(t, name, flags) })
				}
			}
		}
	}
	t.Run("network", func(t *testing.T) {
		t.Parallel()
		holdFrozen(t, "contrast-network", "--game contrast --board-type packed --player "+frozenPlayer+",net=contrast-g3")
	})
}

// holdFrozen compares the archives of all versions with what the program reads from them, and with what it
// makes today.
func holdFrozen(t *testing.T, name, flags string) {
	made := filepath.Join(t.TempDir(), name)
	run := func(out, games string) {
		mustRun(t, slices.Concat([]string{"run", "--quiet", "--out", out, "--games", games}, strings.Fields(flags+" "+frozenFlags))...)
	}
	run(made, frozenGames)
	for _, version := range []string{"1", "2"} {
		archive := filepath.Join("testdata", "frozen", version, name+".tar.gz")
		if _, err := os.Stat(archive); version == "2" && enginetest.Updates() && os.IsNotExist(err) {
			pack(t, archive, made)
		}
		old := filepath.Join(t.TempDir(), version)
		unpack(t, archive, old)
		holdReads(t, filepath.Join(version, name), old)
		whole := tree(t, old)
		if version == "2" {
			mustEqual(t, tree(t, made), whole)
			continue
		}
		dropShard(t, old, 1)
		run(old, frozenGames)
		mustEqual(t, tree(t, old), whole)
		run(old, "6")
		mustRun(t, "verify", "--regenerate", old)
		if plan := must.Get(datasets.Open(old))(t).Plan(); plan.FormatVersion() != 1 {
			t.Errorf("%s: format %d after it was extended", name, plan.FormatVersion())
		}
	}
}

// holdReads compares what the program reads from a dataset with a golden text.
func holdReads(t *testing.T, golden, dir string) {
	for _, command := range [][]string{{"verify", "--deep"}, {"verify", "--regenerate"}, {"info"}, {"export", "stats"}} {
		mustRun(t, append(command, dir)...)
	}
	sums := ""
	for _, format := range []string{"jsonl", "moves"} {
		text := mustRun(t, "export", "convert", "--quiet", "--format", format, "--out", "-", dir)
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(text)), format)
	}
	compareGolden(t, "frozen", golden+".sha256", sums)
}

// dropShard removes a shard and what follows from it, as a repair does.
func dropShard(t *testing.T, dir string, shard int) {
	names := []string{"manifest.json", fmt.Sprintf(".selfplay/commits/%05d.json", shard)}
	for _, pattern := range []string{"positions/*-%05d.*", "games/*-%05d.*"} {
		found := must.Get(filepath.Glob(filepath.Join(dir, fmt.Sprintf(pattern, shard))))(t)
		for _, name := range found {
			names = append(names, must.Get(filepath.Rel(dir, name))(t))
		}
	}
	if len(names) != 4 {
		t.Fatalf("files %q", names)
	}
	for _, name := range names {
		must.Do(t, os.Remove(filepath.Join(dir, name)))
	}
}

// pack writes an archive of a dataset, without what only its run needs.
func pack(t *testing.T, archive, dir string) {
	t.Helper()
	for _, name := range []string{"lock", "journal", "runs", "tmp"} {
		must.Do(t, os.RemoveAll(filepath.Join(dir, ".selfplay", name)))
	}
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
