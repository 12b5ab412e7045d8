package program

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

// mustRun runs the program, which must exit with 0, and returns its stdout.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	o := selfplay("", args...)
	if o.code != 0 {
		t.Fatalf("%q: exit code %d, stderr %s", args, o.code, o.stderr)
	}
	return o.stdout
}

// TestTranscriptChangesEveryFlagOfThePlan: it shows that a run with another value is refused.
func TestTranscriptChangesEveryFlagOfThePlan(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/transcripts/plan.txt"))(t)
	for _, f := range planFlags(catalog.Games) {
		if refused := regexp.MustCompile(`(?m)^5 --.* --` + f.Names()[0] + ` [^ ]+$| --` + f.Names()[0] + ` [^ ]+\nexit 5$`); !refused.Match(text) {
			t.Errorf("--%s is not changed", f.Names()[0])
		}
	}
}

func TestRunIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	dir, games := t.TempDir(), "25"
	for _, game := range encode.Games() {
		for i, flags := range []string{"", "--format arrow", "--layout planes --board-type packed", "--player random:uniform", "--player ab:depth=1,multi=2 --explore-moves 2 --explore-among 2 --max-plies 40", "--player mcts:sims=20,temp=1,noise=0.25 --max-plies 16",
			"--perspective mover --columns +static_score,+legal,+legal_actions,+hash,+repetitions,+move --where !check,!capture,ply>=4,phase=middle|end,!only --keep 0.5 --max-rows-per-game 20"} {
			var want map[string]string
			for _, workers := range []int{1, 5} {
				out := filepath.Join(dir, game.Name, fmt.Sprint(i), fmt.Sprint(workers))
				mustRun(t, append([]string{"run", "--quiet", "--game", game.Name, "--player", "random", "--games", games, "--shard-games", "10", "--validation", "0.4",
					"--workers", fmt.Sprint(workers), "--out", out}, strings.Fields(flags)...)...)
				if want == nil {
					want = tree(t, out)
				}
				mustEqual(t, tree(t, out), want)
			}
		}
	}
}
