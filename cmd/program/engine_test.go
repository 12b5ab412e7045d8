package program

import (
	"path/filepath"
	"strings"
	"testing"

	"selfplay/encode"
)

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
