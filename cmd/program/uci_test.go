package program

import (
	"os"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// TestPlayerOverUCIPlaysTheSameGames: a match against this program as an engine has the
// result and the nodes of a match without the detour, from drawn openings and from a book.
func TestPlayerOverUCIPlaysTheSameGames(t *testing.T) {
	t.Setenv("TEST_SELFPLAY_MAIN", "1") // the test binary is selfplay
	exe := must.Get(os.Executable())(t)
	book := t.TempDir() + "/book"
	must.Do(t, os.WriteFile(book, []byte("r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R b KQkq - 3 20\n8/P6k/8/8/8/8/p6K/8 w - - 0 1\n"), 0o600))
	engine := "uci:path=" + exe + ",arg=uci,depth=2,option.Player=ab:depth=1"
	for _, opening := range []string{"--opening-plies=4-10", "--book=" + book} {
		var direct, over matchResult
		args := []string{"match", "--game", "chess", "--a", "ab:depth=1", "--games", "12", "--max-plies", "150", "--json", opening, "--b"}
		read(t, mustRun(t, append(args, "ab:depth=2")...), &direct)
		read(t, mustRun(t, append(args, engine)...), &over)
		if over.B != engine || over.CPUB <= 0 {
			t.Errorf("%+v", over)
		}
		if over.B = direct.B; over.withoutTimes() != direct.withoutTimes() {
			t.Errorf("%s: over UCI %+v, want %+v", opening, over, direct)
		}
	}
}

func TestFailureOfAnEngineEndsTheMatch(t *testing.T) {
	exe := must.Get(os.Executable())(t)
	args := []string{"match", "--quiet", "--game", "chess", "--a", "random", "--games", "4", "--workers", "1", "--b"}
	o := selfplay("", append(args, "uci:path="+exe+",arg=-test.run=^$,nodes=1")...)
	mustRefuse(t, o, 1, "play game 0 of seed 1: UCI engine "+exe+": it exited before uciok")
}

func TestUCICommand(t *testing.T) {
	o := selfplay("uci\nposition startpos moves e2e4\ngo depth 1\n", "uci", "--player", "ab:depth=2,net=none", "--seed", "3")
	for _, want := range []string{"id name selfplay ", "option name Player type string default ab:depth=2,net=none\n", "Seed type spin default 3 ", "uciok\ninfo depth 1 score cp ", "\nbestmove "} {
		if o.code != 0 || o.stderr != "" || !strings.Contains(o.stdout, want) {
			t.Errorf("%+v, want %q", o, want)
		}
	}
}
