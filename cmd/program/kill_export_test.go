package program

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"selfplay/internal/must"
)

// TestImportSurvivesKills: an import that is killed several times ends with the same bytes as
// an undisturbed one.
func TestImportSurvivesKills(t *testing.T) {
	dir := t.TempDir()
	played, file := filepath.Join(dir, "played"), filepath.Join(dir, "games.jsonl")
	mustRun(t, "run", "--quiet", "--game", "contrast", "--player", "random", "--games", "800", "--out", played)
	must.Do(t, os.WriteFile(file, []byte(mustRun(t, "export", "convert", "--quiet", "--format", "moves", "--out", "-", played)), 0o644))
	mustSurviveKills(t, func(out string, _ int) []string {
		return []string{"export", "import", "--quiet", "--format", "moves", "--game", "contrast", "--shard-games", "20", "--out", out, file}
	}, 0, 1, 10, 20)
}

// TestRescoreSurvivesKills: a rescoring that is killed several times, each time with another
// number of workers, ends with the same bytes as an undisturbed one, and keeps the games that
// it finished.
func TestRescoreSurvivesKills(t *testing.T) {
	for _, player := range []string{"ab:nodes=150,hash=1", "mcts:sims=12,noise=0.25"} {
		played := filepath.Join(t.TempDir(), "played")
		mustRun(t, "run", "--quiet", "--game", "contrast", "--player", "random", "--games", "24", "--shard-games", "2", "--out", played)
		mustSurviveKills(t, func(out string, workers int) []string {
			return []string{"export", "rescore", "--quiet", "--player", player, "--deblunder", "10", "--new-model", "130,364", "--workers", fmt.Sprint(workers), "--out", out, played}
		}, 0, 1, 3, 6)
	}
}

// TestMixSurvivesKills: a mix that is killed leaves no output under its name, and the same
// command gives the bytes of an undisturbed one.
func TestMixSurvivesKills(t *testing.T) {
	dir := t.TempDir()
	for seed := 1; seed <= 2; seed++ {
		mustRun(t, "run", "--quiet", "--game", "contrast", "--player", "random", "--games", "1500", "--shard-games", "100", "--seed", fmt.Sprint(seed), "--out", filepath.Join(dir, fmt.Sprint(seed)))
	}
	line := func(out string) []string {
		weights := fmt.Sprintf("%s=0.6,%s=0.4", filepath.Join(dir, "1"), filepath.Join(dir, "2"))
		return []string{"export", "mix", "--quiet", "--weights", weights, "--out", filepath.Join(dir, out)}
	}
	mustRun(t, line("whole")...)
	killed := filepath.Join(dir, "killed")
	process, _ := start(t, line("killed")...)
	waitFor(t, killed+".partial")
	process.Process.Kill()
	if process.Wait() == nil {
		t.Skip("the mix was over before it was killed")
	}
	if _, err := os.Stat(killed); err == nil {
		t.Fatal("a killed mix left an output")
	}
	mustRun(t, line("killed")...)
	mustEqual(t, tree(t, killed), tree(t, filepath.Join(dir, "whole")))
}
