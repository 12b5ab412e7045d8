package program

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// The golden files of a game are in testdata/<game>. Do not update them to make a test
// pass: a difference raises plan.Prerelease, and from 1.0.0 on the version of the rules, a player, a layout
// or the writer.

// TestShardsAreFrozen pins the SHA-256 of both files of shard 0 for every layout, format
// and board type: the same plan always gives the same bytes.
func TestShardsAreFrozen(t *testing.T) {
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			var b strings.Builder
			for _, layout := range game.Layouts {
				for _, format := range []string{plan.Parquet, plan.Arrow} {
					for _, board := range []string{plan.List, plan.Packed} {
						dir := filepath.Join(t.TempDir(), "set")
						mustRun(t, "run", "--game", game.Name, "--player", "random", "--games", "12", "--shard-games", "8", "--max-plies", "60",
							"--layout", layout.Name, "--format", format, "--board-type", board, "--out", dir, "--quiet")
						files := tree(t, dir)
						for _, name := range slices.Sorted(maps.Keys(files)) {
							if strings.Contains(name, "-00000.") {
								fmt.Fprintf(&b, "%s %s %s %x\n", layout.Name, board, filepath.ToSlash(name), sha256.Sum256([]byte(files[name])))
							}
						}
					}
				}
			}
			compareGolden(t, game.Name, "shards.txt", b.String())
		})
	}
}

// TestRowsAreFrozen pins the row digests and the SHA-256 of whole games. A row digest does
// not depend on the metadata of a file: if only the SHA-256 changes, the data did not.
func TestRowsAreFrozen(t *testing.T) {
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			var b strings.Builder
			for _, flags := range []string{"", "--board-type packed", "--format arrow", "--layout planes"} {
				out := t.TempDir()
				mustRun(t, append([]string{"run", "--game", game.Name, "--player", "random", "--games", "40", "--shard-games", "40", "--out", out},
					strings.Fields(flags)...)...)
				ds := must.Get(datasets.Open(out))(t)
				commits, err := ds.Commits()
				if err != nil || len(commits) != 1 {
					t.Fatalf("%d shards, error %v", len(commits), err)
				}
				for _, f := range commits[0].Files {
					fmt.Fprintf(&b, "%q %s\n\trows %d %s\n\tsha256 %s\n", flags, f.Name, f.Rows, f.RowDigest, f.SHA256)
				}
			}
			compareGolden(t, game.Name, "rows.txt", b.String())
		})
	}
}

// compareGolden compares text with a golden file of a game.
func compareGolden(t *testing.T, game, name, text string) {
	t.Helper()
	enginetest.Golden(t, filepath.Join("testdata", game, name), text, "Games or files differ: raise plan.Prerelease, from 1.0.0 on the version of what changed")
}

// TestPlayersAreFrozen pins the games of every kind of player, with scores, nodes and policies:
// all processors play the same. make emulate runs it for another processor.
func TestPlayersAreFrozen(t *testing.T) {
	players := []string{
		"random", "random:uniform", "greedy",
		"ab:depth=1,multi=4,exact=true,temp=50", "ab:depth=2,exact=true", "ab:nodes=200,exact=true",
		"ab:depth=1,multi=4,temp=50,net=none", "ab:depth=2,hash=1,net=none", "ab:nodes=200,net=none", "ab:nodes=300,hash=1,hard=600,net=none",
		"mcts:sims=16,temp=1,noise=0.25", "mcts:sims=16,rollout=2", "mcts:sims=16,priors=gain,c=2",
		"mcts:sims=16,fpu=0.25,priors=static,leaf=static,temp=1,noise=0.25", "mcts:sims=16,fpu=-0.1,priors=delta,target=completedq,noise=0.25",
	}
	withNetwork := []string{
		"greedy:net=NET", "ab:nodes=200,net=NET", "ab:depth=2,hash=1,net=NET,blend=40", "mcts:sims=16,net=NET,priors=static,temp=1",
	}
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			var b strings.Builder
			list, net, policy := slices.Clone(players), "", ""
			if _, ok := game.New("").(engine.Featured); ok {
				net, _ = writeNetwork(t, t.TempDir(), game.Name, 1)
				list = append(list, withNetwork...)
			}
			if _, ok := game.New("").(engine.Policied); ok {
				policy, _ = writePolicy(t, t.TempDir(), game.Name)
				list = append(list, "mcts:sims=16,net=POLICY,priors=net,temp=1")
			}
			list = append(list, "mcts:sims=16,root=gumbel", "mcts:sims=24,root=gumbel,considered=5,gumbel=0", "mcts:sims=16,fpureduction=0.3")
			files := strings.NewReplacer("NET", net, "POLICY", policy)
			for _, player := range list {
				j := jobOf(t, "--game "+game.Name+" --games 1 --max-plies 12 --player "+files.Replace(player))
				print := must.Get(fingerprint(t.Context(), j.series))(t)
				fmt.Fprintf(&b, "%s %s\n", print, player)
			}
			compareGolden(t, game.Name, "players.txt", b.String())
		})
	}
}
