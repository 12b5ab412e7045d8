package program

import (
	"encoding/json"
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

// TestFilesExplainScores: if a model is fitted to such games, the plan and every file hold
// it; otherwise none does.
func TestFilesExplainScores(t *testing.T) {
	for _, game := range encode.Games() {
		for flags, want := range map[string]bool{
			"--player ab:depth=3,net=none": true, "--player ab:depth=3,hash=1,multi=2,net=none": true, "--player random": false, "--player greedy": false,
			"--player 0.9*random+0.1*ab:depth=3,net=none": false, "--player-first ab:depth=3,net=none --player-second ab:depth=2,net=none": false,
			"--player ab:depth=3,nodes=9,net=none": false, "--player ab:depth=3,net=none --explore-moves 1": false, "--player ab:depth=3,net=none --adjudicate-win 500,2": false,
			"--player ab:depth=3,net=none --adjudicate-draw 5,6,7": false, "--player ab:depth=3,multi=2,temp=50,net=none": false,
		} {
			out := filepath.Join(t.TempDir(), "out")
			mustRun(t, append([]string{"run", "--quiet", "--game", game.Name, "--games", "1", "--max-plies", "12", "--out", out}, strings.Fields(flags)...)...)
			reference := game.ReferenceModel().Metadata()
			model := must.Get(json.Marshal(reference.Value))(t)
			for name, text := range tree(t, out) {
				explained := strings.Contains(text, `1/(1+exp((a-score)/b))`)
				if name == "plan.json" {
					explained = strings.Contains(text, string(model))
				}
				if explained != want && (name == "plan.json" || strings.HasSuffix(name, ".parquet")) {
					t.Errorf("%s of %s: %s explains scores: %t", flags, game.Name, name, explained)
				}
			}
		}
	}
}

// Every engine of a game makes the same datasets, byte for byte: random and searched.
func TestEnginesMakeTheSameDataset(t *testing.T) {
	for _, game := range encode.Games() {
		if len(game.Engines) == 0 {
			continue
		}
		for _, flags := range []string{
			"--games 60", "--games 30 --layout planes --board-type packed --columns +legal_actions,+hash",
			"--games 6 --player ab:depth=1", "--games 4 --player ab:depth=1,hash=1,multi=3 --explore-moves 2 --explore-among 3",
			"--games 2 --player ab:nodes=100,hash=1 --max-plies 60",
			"--games 2 --player mcts:sims=24,temp=1,noise=0.25 --max-plies 24",
		} {
			var want map[string]string
			for _, e := range game.Engines {
				out := filepath.Join(t.TempDir(), e.Name)
				args := append([]string{"run", "--quiet", "--game", game.Name, "--player", "random", "--shard-games", "10", "--engine", e.Name, "--out", out}, strings.Fields(flags)...)
				mustRun(t, args...)
				if want == nil {
					want = tree(t, out)
				}
				mustEqual(t, tree(t, out), want)
			}
		}
	}
}

func TestEnginesGiveTheSameAnswers(t *testing.T) {
	const open = "10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4"
	for _, args := range []string{
		"perft --game cotulenh --depth 2 --divide", "moves --game cotulenh --play Ic5c6",
	} {
		mailbox, bitboard := mustRun(t, strings.Fields(args+" --engine mailbox")...), mustRun(t, strings.Fields(args+" --engine bitboard")...)
		if mailbox != bitboard {
			t.Errorf("%s: %s, on the other engine %s", args, bitboard, mailbox)
		}
	}
	if a, b := mustRun(t, "moves", "--game", "cotulenh", "--position", open), mustRun(t, "moves", "--game", "cotulenh", "--engine", "bitboard", "--position", open); a != b {
		t.Errorf("moves of %s: %s, on the other engine %s", open, b, a)
	}
}
