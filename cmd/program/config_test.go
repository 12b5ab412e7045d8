package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/datasets/disk"
)

func TestDryRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"run", "--game", "cotulenh", "--player", "random", "--games", "3000", "--out", out}
	text := mustRun(t, append(args, "--dry-run")...)
	if !strings.HasPrefix(text, "plan ") || strings.Contains(text, "{") {
		t.Errorf("the estimate is not first, or the plan follows unasked:\n%s", text)
	}
	for _, want := range []string{"3,000 in 3 shards of 1,000", "rows ", "time ", "disk ", "memory ", " ± ", "± is a 95 % interval", "nothing was kept"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
	mustRun(t, "run", "--quiet", "--game", "cotulenh", "--player", "random", "--games", "1", "--out", out)
	ds, err := datasets.Open(out)
	if err != nil || !strings.Contains(text, ds.PlanHash()) {
		t.Errorf("the plan is another one: %v", err)
	}
	mustRefuse(t, selfplay("", append(args, "--dry-run", "--seed", "2")...), 5, "--seed: 1 there, 2 here")
}

// TestDryRunPrintsThePlanOnRequest after the estimate, says on stderr that it plays, and what a
// decision costs: more than the nodes that the player was given.
func TestDryRunPrintsThePlanOnRequest(t *testing.T) {
	args := []string{"run", "--game", "cotulenh", "--games", "2", "--max-plies", "12", "--player", "ab:nodes=100", "--dry-run", "--out", filepath.Join(t.TempDir(), "out")}
	o := selfplay("", append(args, "--plan")...)
	estimate, plan, _ := strings.Cut(o.stdout, "\n\n")
	if o.code != 0 || !strings.Contains(estimate, "\nsearches ") || !strings.HasPrefix(plan, "{\n") || !strings.Contains(o.stderr, "msg=start games=2 why=--dry-run") {
		t.Errorf("exit code %d, stderr %s, stdout\n%s", o.code, o.stderr, o.stdout)
	}
	if s := mustParse[estimateSummary](t, mustRun(t, append(args, "--json")...)); s.Nodes <= 100 || s.Plan.Game == "" {
		t.Errorf("%+v", s)
	}
	for flag, want := range map[string]string{"--plan": "flag --plan: want --dry-run with it", "--cores=2": "flag --cores: want --dry-run with it",
		"--dry-run --cores=0": "cores 0: want 1 to 4096"} {
		mustRefuse(t, selfplay("", append([]string{"run", "--game", "chess", "--player", "random", "--games", "2", "--out", "x"}, strings.Fields(flag)...)...), 2, want)
	}
}

func TestDryRunCountsTranspositionTables(t *testing.T) {
	j := jobOf(t, "--game contrast --games 4 --max-plies 12 --player ab:depth=1,hash=16 --workers 2")
	e := estimate{job: j, plan: j.plan, games: j.games}
	if err := e.try(t.Context(), progress.Silent()); err != nil || e.players < 60<<20 || e.players > 80<<20 {
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
