package program

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// TestTablesBeyondTheMemoryAreRefused: with tables that do not fit, a command writes nothing and says
// in one line what is wanted, what is there, and what to do.
func TestTablesBeyondTheMemoryAreRefused(t *testing.T) {
	dir := t.TempDir()
	large, set, scored := "ab:depth=1,hash=256", filepath.Join(dir, "set"), filepath.Join(dir, "scored")
	game := []string{"--quiet", "--game", "chess", "--games", "2", "--max-plies", "4", "--workers", "1", "--opening-plies", "2"}
	mustRun(t, append([]string{"run", "--player", large, "--out", set}, game...)...)
	mustRun(t, append([]string{"run", "--player", "greedy", "--out", scored}, game...)...)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(250 << 20))

	out := filepath.Join(dir, "out")
	for _, c := range []struct{ line, need, remedy string }{
		{"run --game chess --games 2 --workers 3 --out " + out + " --player " + large, "1.6 GB", "lower hash or sims, or use fewer --workers"},
		{"run --dry-run --game chess --games 2 --workers 1 --out " + out + " --player-first greedy --player-second " + large, "268.4 MB", "fewer --workers"},
		{"run --game chess --games 2 --workers 1 --out " + out + " --player 0.5*greedy+0.5*" + large, "536.9 MB", "fewer --workers"},
		{"match --game chess --games 2 --workers 1 --a greedy --b " + large, "268.4 MB", "fewer --workers"},
		{"run --game contrast --games 2 --workers 1 --out " + out + " --player mcts:sims=65535", "1.1 GB", "lower hash or sims, or use fewer --workers"},
		{"match --game contrast --games 2 --workers 1 --a greedy --b mcts:sims=65535", "527", "fewer --workers"},
		{"bench --game chess --player ab:depth=1,hash=65536", "", "lower hash"},
		{"uci --player " + large, "268.4 MB", "lower hash"},
		{"replay --game-index 0 " + set, "536.9 MB", "use a machine with more memory"},
		{"verify --regenerate " + set, "", "GOMAXPROCS=1"},
		{"export repair --regenerate " + set, "", "GOMAXPROCS=1"},
		{"export rescore --workers 1 --out " + out + " --player " + large + " " + scored, "536.9 MB", "fewer --workers"},
	} {
		o := selfplay("quit\n", strings.Fields(c.line)...)
		if o.code != 2 || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, "the tables and trees of the players take up to "+c.need) ||
			!strings.Contains(o.stderr, "262.1 MB of memory are available") || !strings.Contains(o.stderr, c.remedy) {
			t.Errorf("%s: exit code %d, %s", c.line, o.code, o.stderr)
		}
		if _, err := os.Stat(out); !os.IsNotExist(err) {
			t.Fatalf("%s: wrote %s", c.line, out)
		}
	}
	o := selfplay("setoption name Player value "+large+"\nsetoption name Player value ab:depth=1,hash=1\nposition startpos\ngo depth 1\n", "uci")
	if o.code != 0 || !strings.Contains(o.stdout, "info string the tables and trees of the players take up to 268.4 MB") || !strings.Contains(o.stdout, "bestmove") {
		t.Errorf("exit code %d, %s", o.code, o.stdout)
	}
}
