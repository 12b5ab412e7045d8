package workers

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/contrast"
	"selfplay/engine/cotulenh"
)

// FuzzPlayer checks that ParsePlayerWith never panics, and that parsing a canonical name gives
// the same player.
func FuzzPlayer(f *testing.F) {
	for _, text := range []string{"", "random", "random:tile=0.25", "greedy", "ab:depth=2,hash=16,multi=4,temp=50", "mcts:sims=16,temp=1,noise=0.25",
		"0.2*random + 0.8*ab:depth=2", "ab:depth=99999999999999999999", "ab:nodes=-1", "1*greedy", "0.5*random+0.5*",
		"ab:net=small,blend=40", "mcts:net=", "greedy:net=small", "0.5*ab:net=small + 0.5*ab:net=small,blend=1", "ab:blend=1", "ab:net=sha256:00"} {
		f.Add(text)
	}
	find := testNetworks(f)
	games := []engine.Game{chess.Game(), contrast.Game(), cotulenh.Game()}
	f.Fuzz(func(t *testing.T, text string) {
		for _, g := range games {
			p, err := PlayerTypes().Parse(&g, text, find)
			if err != nil {
				continue
			}
			second, err := PlayerTypes().Parse(&g, p.String(), find)
			if err != nil || second.String() != p.String() || second.Version() != p.Version() || second.Searches() != p.Searches() {
				t.Errorf("%s: %q is parsed as %q, and that as %q, error %v", g.Name, text, p, second, err)
			}
		}
	})
}
