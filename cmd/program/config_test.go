package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/disk"
)

func TestDryRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"run", "--game", "cotulenh", "--games", "3000", "--out", out}
	text := mustRun(t, append(args, "--dry-run")...)
	for _, want := range []string{`"game": "cotulenh"`, "3,000 in 3 shards of 1,000", "rows ", "time ", "disk ", "memory ", " ± ", "± is a 95 % interval", "nothing was written"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
	mustRun(t, "run", "--quiet", "--game", "cotulenh", "--games", "1", "--out", out)
	ds, err := datasets.Open(out)
	if err != nil || !strings.Contains(text, ds.PlanHash()) {
		t.Errorf("the plan is another one: %v", err)
	}
	mustRefuse(t, selfplay("", append(args, "--dry-run", "--seed", "2")...), 5, "seed is 1, not 2")
}

func TestDryRunCountsTranspositionTables(t *testing.T) {
	j := jobOf(t, "--game contrast --games 4 --max-plies 12 --player ab:depth=1,hash=16 --workers 2")
	e := estimate{job: j, games: j.games}
	if err := e.try(t.Context()); err != nil || e.players < 60<<20 || e.players > 80<<20 {
		t.Errorf("four tables of 16 MiB take %s, %v", human.Size(e.players), err)
	}
}

func TestSpaceWarning(t *testing.T) {
	dir := t.TempDir()
	if _, _, ok := disk.Space(dir); !ok {
		t.Skip("the free space of disks is unknown on this system")
	}
	for bytes, want := range map[float64]bool{0: false, 1e21: true} {
		for _, out := range []string{dir, filepath.Join(dir, "to", "be", "made")} {
			if text := spaceWarning(out, bytes); strings.HasPrefix(text, ", more than the ") != want || !want && text != "" {
				t.Errorf("%g bytes in %s: %q", bytes, out, text)
			}
		}
	}
}

func TestRanges(t *testing.T) {
	if got := ranges([]int{0, 1, 2, 5, 7, 8}); got != "0-2, 5, 7-8" {
		t.Error(got)
	}
}
