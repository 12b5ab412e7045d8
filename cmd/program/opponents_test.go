//go:build opponents

package program

import (
	"flag"
	"os/exec"
	"strings"
	"testing"
)

var engines = flag.String("engines", "stockfish,fairy-stockfish", "UCI engines to play against")

// TestOpponents plays real engines. The build tag keeps it out of go test, because it needs
// these engines: make opponents.
func TestOpponents(t *testing.T) {
	for _, engine := range strings.Split(*engines, ",") {
		path, err := exec.LookPath(engine)
		if err != nil {
			path = "/usr/games/" + engine // Debian keeps it out of the PATH of root
		}
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
