package program

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"selfplay/internal/must"
)

// slowRun returns the arguments of a run whose decisions take a twentieth of a second, and its games about one.
func slowRun(out string) []string {
	return []string{"run", "--game", "cotulenh", "--games", "2", "--shard-games", "1", "--max-plies", "16", "--player", "ab:nodes=200000,hash=1",
		"--explore-moves", "2", "--explore-plies", "0-9", "--explore-among", "0", "--adjudicate-win", "400,3", "--out", out}
}

// wholeSlowRun returns the dataset of an undisturbed slow run.
var wholeSlowRun = shared(func(t *testing.T, dir string) { mustApart(t, slowRun(dir)...) })

// TestSlowGamesGoOnAfterKills: a run that is killed after a few decisions, again and again, comes to its end, with
// the bytes of an undisturbed run.
func TestSlowGamesGoOnAfterKills(t *testing.T) {
	whole, killed := wholeSlowRun(t), filepath.Join(t.TempDir(), "d")
	kills := 0
	for ended := false; !ended; {
		process, stderr := start(t, slowRun(killed)...)
		done := make(chan error, 1)
		go func() { done <- process.Wait() }()
		for kept, last := 0, journaled(killed); kept < 3 && !ended; {
			select {
			case err := <-done:
				if ended = true; err != nil {
					t.Fatalf("%v: %s", err, stderr)
				}
			case <-time.After(time.Millisecond):
				if now := journaled(killed); now != last {
					kept, last = kept+1, now
				}
			}
		}
		if ended {
			break
		}
		process.Process.Kill()
		<-done
		if kills++; kills > 100 {
			t.Fatal("100 kills, after three decisions each, left games unfinished")
		}
	}
	if kills < 2 {
		t.Errorf("%d kills, want more", kills)
	}
	mustEqual(t, tree(t, killed), tree(t, whole))
}

// journaled returns the bytes of all journals: each decision that is kept adds some.
func journaled(out string) (bytes int64) {
	names, _ := filepath.Glob(filepath.Join(out, ".selfplay", "journal", "*.log"))
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// TestStopEndsWithinADecision: long before the games would be over, and they go on afterwards.
func TestStopEndsWithinADecision(t *testing.T) {
	whole, stopped := wholeSlowRun(t), filepath.Join(t.TempDir(), "stopped")
	process, stderr := start(t, slowRun(stopped)...)
	waitUntil(t, "decision in a journal", func() bool { return journaled(stopped) > 0 })
	must.Do(t, process.Process.Signal(syscall.SIGTERM))
	if code, done := exitCode(process.Wait()), lookAt(t, stopped).GamesDone; code != 3 || done != 0 {
		t.Errorf("exit code %d, %d games are over: %s", code, done, stderr)
	}
	mustRun(t, slowRun(stopped)...)
	mustEqual(t, tree(t, stopped), tree(t, whole))
}
