package main

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/encode"
)

// goldenShards is the SHA-256 of both files of shard 0 of every game, layout, format
// and board type. Do not update it to make a test pass: a difference is a new version
// of rules, player, layout or writer, and datasets that are there cannot be continued.
const goldenShards = "testdata/shards.txt"

// TestShardsAreFrozen: the same plan gives the same bytes, today and for ever.
func TestShardsAreFrozen(t *testing.T) {
	var lines []string
	for _, game := range encode.Games() {
		for _, layout := range game.Layouts {
			for _, format := range []string{datasets.Parquet, datasets.Arrow} {
				for _, board := range []string{datasets.List, datasets.Packed} {
					dir := filepath.Join(t.TempDir(), "set")
					must(t, "run", "--game", game.Name, "--games", "12", "--shard-games", "8", "--max-plies", "60",
						"--layout", layout.Name, "--format", format, "--board-type", board, "--out", dir, "--quiet")
					files := tree(t, dir)
					for _, name := range slices.Sorted(maps.Keys(files)) {
						if strings.Contains(name, "-00000.") {
							lines = append(lines, fmt.Sprintf("%s %s %s %s %x\n", game.Name, layout.Name, board, filepath.ToSlash(name), sha256.Sum256([]byte(files[name]))))
						}
					}
				}
			}
		}
	}
	got := strings.Join(lines, "")
	if *update {
		if err := os.WriteFile(goldenShards, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(goldenShards)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.SplitAfter(string(want), "\n") {
		if i >= len(lines) && line != "" || i < len(lines) && line != lines[i] {
			t.Fatalf("line %d of %s: %q, want %q", i+1, goldenShards, slices.Concat(lines, []string{"", ""})[min(i, len(lines))], line)
		}
	}
}
