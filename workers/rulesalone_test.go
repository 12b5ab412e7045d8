package workers

import (
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
)

// TestRulesAloneArePlayedByModels: models and random moves play a game without a static score, the same games for any
// number of workers.
func TestRulesAloneArePlayedByModels(t *testing.T) {
	g := encodetest.WithoutScore(encodetest.TicTacToe())
	for _, player := range append([]string{"mcts:sims=20,root=gumbel,eval=mine"}, hashPlayers...) {
		one, _ := playAsking(t, askingSeries(t, hashModelOf(g, 4, new(hashEvaluator)), player), 1, 8)
		many, _ := playAsking(t, askingSeries(t, hashModelOf(g, 4, new(hashEvaluator)), player), 5, 8)
		if len(one) == 0 || strings.Join(one, "\n") != strings.Join(many, "\n") {
			t.Errorf("%s: %d games by one worker, %d by five, or others", player, len(one), len(many))
		}
	}
	playedGames(t, g, "random", 3)
}

// TestPlayersOfRulesAloneTakeNoNetwork: neither help nor completion names its parameters.
func TestPlayersOfRulesAloneTakeNoNetwork(t *testing.T) {
	for _, c := range []struct {
		game encode.Game
		want bool
	}{{encode.Contrast(), true}, {encodetest.WithoutScore(encode.Contrast()), false}, {encodetest.WithoutScore(encodetest.TicTacToe()), false}} {
		for _, f := range PlayerTypes().Facts(&c.game.Game) {
			named := slices.ContainsFunc(f.Params, func(p ParamFacts) bool { return p.Name == "net" || p.Name == "blend" })
			if named != (c.want && f.Name != "random" && f.Name != "own") || !named && strings.Contains(f.Usage, "net=") {
				t.Errorf("%s: %s names a network: %t", c.game.Name, f.Usage, named)
			}
		}
	}
}

// TestPlayersOfStaticScoresRefuseRulesAlone, and name those that play the game.
func TestPlayersOfStaticScoresRefuseRulesAlone(t *testing.T) {
	g := encodetest.WithoutScore(encodetest.TicTacToe())
	for _, player := range []string{"ab", "ab:depth=2", "ab:net=none", "greedy", "mcts", "mcts:sims=20", "0.5*random + 0.5*ab"} {
		_, err := ParsePlayer(&g.Game, player)
		if err == nil || !strings.Contains(err.Error(), "no static score: want random, mcts:eval=NAME or greedy:eval=NAME") {
			t.Errorf("%s: %v, want the players of the game", player, err)
		}
	}
}
