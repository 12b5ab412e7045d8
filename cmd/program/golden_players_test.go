package program

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

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
