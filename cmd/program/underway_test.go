package program

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"selfplay/internal/must"
)

// slowRun returns the arguments of a run whose decisions take a tenth of a second, and its games seconds.
func slowRun(out string) []string {
	return []string{"run", "--game", "cotulenh", "--games", "4", "--shard-games", "2", "--max-plies", "16", "--player", "ab:nodes=400000,hash=1",
		"--explore-moves", "2", "--explore-plies", "0-9", "--explore-among", "0", "--adjudicate-win", "400,3", "--out", out}
}

// TestSlowGamesGoOnAfterKills: a run that never lives as long as a game takes comes to its end, with the bytes
// of an undisturbed run.
func TestSlowGamesGoOnAfterKills(t *testing.T) {
	whole, killed := filepath.Join(t.TempDir(), "d"), filepath.Join(t.TempDir(), "d")
	begin := time.Now()
	mustApart(t, slowRun(whole)...)
	life := max(time.Since(begin)/4, 500*time.Millisecond) // two games at once take half of the whole time
	kills := 0
	for ended := false; !ended; {
		process, stderr := start(t, slowRun(killed)...)
		done := make(chan error, 1)
		go func() { done <- process.Wait() }()
		select {
		case err := <-done:
			if ended = true; err != nil {
				t.Fatalf("%v: %s", err, stderr)
			}
		case <-time.After(life):
			process.Process.Kill()
			<-done
			if kills++; kills > 100 {
				t.Fatalf("100 kills, %v after the start each, left games unfinished", life)
			}
		}
	}
	if t.Logf("%d kills after %v each", kills, life); kills < 2 {
		t.Errorf("%d kills, want more", kills)
	}
	mustEqual(t, tree(t, killed), tree(t, whole))
}

// TestStopEndsWithinADecision: long before the games would be over, and they go on afterwards.
func TestStopEndsWithinADecision(t *testing.T) {
	dir := t.TempDir()
	whole, stopped := filepath.Join(dir, "whole"), filepath.Join(dir, "stopped")
	begin := time.Now()
	mustApart(t, slowRun(whole)...)
	took := time.Since(begin)
	process, stderr := start(t, slowRun(stopped)...)
	waitUntil(t, "decision in a journal", func() bool {
		names := must.Get(filepath.Glob(filepath.Join(stopped, ".selfplay", "journal", "*.log")))(t)
		return len(names) > 0
	})
	must.Do(t, process.Process.Signal(syscall.SIGTERM))
	asked := time.Now()
	if code := exitCode(process.Wait()); code != 3 || time.Since(asked) > took/3 {
		t.Errorf("exit code %d, %v after the signal; the whole run took %v: %s", code, time.Since(asked), took, stderr)
	}
	mustRun(t, slowRun(stopped)...)
	mustEqual(t, tree(t, stopped), tree(t, whole))
}
