package program

import (
	"crypto/sha256"
	"fmt"
	"maps"
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

// The golden files of a game are in testdata/<game>. Do not update them to make a test
// pass: a difference raises plan.Prerelease, and from 1.0.0 on the version of the rules, a player, a layout
// or the writer.

// TestShardsAreFrozen pins the SHA-256 of both files of shard 0 for every layout, format
// and board type: the same plan always gives the same bytes.
func TestShardsAreFrozen(t *testing.T) {
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			var b strings.Builder
			for _, layout := range game.Layouts {
				for _, format := range []string{plan.Parquet, plan.Arrow} {
					for _, board := range []string{plan.List, plan.Packed} {
						dir := filepath.Join(t.TempDir(), "set")
						mustRun(t, "run", "--game", game.Name, "--player", "random", "--games", "12", "--shard-games", "8", "--max-plies", "60",
							"--layout", layout.Name, "--format", format, "--board-type", board, "--out", dir, "--quiet")
						files := tree(t, dir)
						for _, name := range slices.Sorted(maps.Keys(files)) {
							if strings.Contains(name, "-00000.") {
								fmt.Fprintf(&b, "%s %s %s %x\n", layout.Name, board, filepath.ToSlash(name), sha256.Sum256([]byte(files[name])))
							}
						}
					}
				}
			}
			compareGolden(t, game.Name, "shards.txt", b.String())
		})
	}
}

// TestRowsAreFrozen pins the row digests and the SHA-256 of whole games. A row digest does
// not depend on the metadata of a file: if only the SHA-256 changes, the data did not.
func TestRowsAreFrozen(t *testing.T) {
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			var b strings.Builder
			for _, flags := range []string{"", "--board-type packed", "--format arrow", "--layout planes"} {
				out := t.TempDir()
				mustRun(t, append([]string{"run", "--game", game.Name, "--player", "random", "--games", "40", "--shard-games", "40", "--out", out},
					strings.Fields(flags)...)...)
				ds := must.Get(datasets.Open(out))(t)
				commits, err := ds.Commits()
				if err != nil || len(commits) != 1 {
					t.Fatalf("%d shards, error %v", len(commits), err)
				}
				for _, f := range commits[0].Files {
					fmt.Fprintf(&b, "%q %s\n\trows %d %s\n\tsha256 %s\n", flags, f.Name, f.Rows, f.RowDigest, f.SHA256)
				}
			}
			compareGolden(t, game.Name, "rows.txt", b.String())
		})
	}
}

// compareGolden compares text with a golden file of a game.
func compareGolden(t *testing.T, game, name, text string) {
	t.Helper()
	enginetest.Golden(t, filepath.Join("testdata", game, name), text, "Games or files differ: raise plan.Prerelease, from 1.0.0 on the version of what changed")
}
