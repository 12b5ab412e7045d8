//go:build opponents

package program

import (
	"flag"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var engines = flag.String("engines", "stockfish,fairy-stockfish", "UCI engines to play against")

// TestOpponents plays real engines. The build tag keeps it out of go test, because it needs
// these engines: make opponents.
func TestOpponents(t *testing.T) {
	for _, engine := range strings.Split(*engines, ",") {
		path := pathOf(engine)
		for _, limit := range []string{"nodes=200", "depth=3"} {
			args := []string{"match", "--game", "chess", "--a", "ab:depth=2", "--b", "uci:path=" + path + "," + limit + ",option.Hash=1", "--games", "20", "--json"}
			var r, again matchResult
			read(t, mustRun(t, append(args, "--workers", "1")...), &r)
			read(t, mustRun(t, append(args, "--workers", "3")...), &again)
			if r.Pairs != 10 || r.NodesA == 0 || r.NodesB < 20*200 || r.CPUB <= 0 {
				t.Errorf("%s: %+v", engine, r)
			}
			if r.withoutTimes() != again.withoutTimes() {
				t.Errorf("%s with 3 workers: %+v, want %+v", engine, again, r)
			}
			t.Logf("ab:depth=2 against %s %s: %d wins, %d losses, %d draws, Elo %+.0f, CPU time %.2f s and %.2f s",
				engine, limit, r.Wins, r.Losses, r.Draws, r.Elo, r.CPUA, r.CPUB)
		}
	}
}

// pathOf returns the file of an engine. Debian keeps it out of the PATH of root.
func pathOf(engine string) string {
	if path, err := exec.LookPath(engine); err == nil {
		return path
	}
	return "/usr/games/" + engine
}

// TestOpponentsMakeDatasets: real engines play and rescore games, with the same bytes for one worker and two.
func TestOpponentsMakeDatasets(t *testing.T) {
	for _, engine := range strings.Split(*engines, ",") {
		player := "uci:name=engine,path=" + pathOf(engine) + ",nodes=300,option.Hash=1"
		dir := t.TempDir()
		one, two, again, other := filepath.Join(dir, "one"), filepath.Join(dir, "two"), filepath.Join(dir, "again"), filepath.Join(dir, "other")
		mustRun(t, engineRun(one, player, "--workers", "1")...)
		mustRun(t, engineRun(two, player, "--workers", "2")...)
		mustEqual(t, tree(t, two), tree(t, one))
		mustExport(t, "verify", "--regenerate", "--evaluator", "engine="+pathOf(engine), one)
		mustExport(t, "rescore", "--player", player, "--workers", "1", "--out", again, one)
		mustExport(t, "rescore", "--player", player, "--workers", "2", "--out", other, one)
		mustEqual(t, tree(t, other), tree(t, again))
	}
}
