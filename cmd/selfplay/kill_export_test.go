package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestImportSurvivesKills: an import that is killed several times ends with the same bytes as
// an undisturbed one.
func TestImportSurvivesKills(t *testing.T) {
	dir := t.TempDir()
	played, file := filepath.Join(dir, "played"), filepath.Join(dir, "games.jsonl")
	must(t, "run", "--quiet", "--game", "contrast", "--games", "2000", "--out", played)
	if err := os.WriteFile(file, []byte(must(t, "export", "convert", "--quiet", "--format", "moves", "--out", "-", played)), 0o644); err != nil {
		t.Fatal(err)
	}
	line := func(out string) []string {
		return []string{"export", "import", "--quiet", "--format", "moves", "--game", "contrast", "--shard-games", "20", "--out", filepath.Join(dir, out), file}
	}
	must(t, line("whole")...)
	hit := 0
	for _, shards := range []int{0, 1, 30, 60} {
		process, _ := start(t, line("killed")...)
		waitForShards(t, filepath.Join(dir, "killed"), shards)
		process.Process.Kill()
		if process.Wait() != nil {
			hit++
		}
	}
	if hit == 0 {
		t.Error("every import was over before it was killed")
	}
	must(t, line("killed")...)
	mustEqual(t, tree(t, filepath.Join(dir, "killed")), tree(t, filepath.Join(dir, "whole")))
}

// TestRescoreSurvivesKills: a rescoring that is killed several times, each time with another
// number of workers, ends with the same bytes as an undisturbed one, and keeps the games that
// it finished.
func TestRescoreSurvivesKills(t *testing.T) {
	for _, player := range []string{"ab:nodes=300,hash=1", "mcts:sims=24,noise=0.25"} {
		dir := t.TempDir()
		played := filepath.Join(dir, "played")
		must(t, "run", "--quiet", "--game", "contrast", "--games", "36", "--shard-games", "3", "--out", played)
		line := func(out string, workers int) []string {
			return []string{"export", "rescore", "--quiet", "--player", player, "--workers", fmt.Sprint(workers), "--out", filepath.Join(dir, out), played}
		}
		must(t, line("whole", 3)...)
		hit := 0
		for workers, shards := range []int{0, 1, 3, 6} {
			process, _ := start(t, line("killed", 1+workers)...)
			waitForShards(t, filepath.Join(dir, "killed"), shards)
			process.Process.Kill()
			if process.Wait() != nil {
				hit++
			}
		}
		if hit == 0 {
			t.Error("every run was over before it was killed")
		}
		must(t, line("killed", 2)...)
		mustEqual(t, tree(t, filepath.Join(dir, "killed")), tree(t, filepath.Join(dir, "whole")))
	}
}
