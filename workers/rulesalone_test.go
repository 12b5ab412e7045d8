package workers

import (
	"strings"
	"testing"

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
