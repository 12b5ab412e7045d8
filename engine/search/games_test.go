package search_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/contrast"
	"selfplay/engine/cotulenh"
)

var full = flag.Bool("full", false, "compare with minimax on 500 positions a game and depth")

// games are the real games that searchers are tried on: those with static scores.
func games() []engine.Game {
	return slices.DeleteFunc([]engine.Game{chess.Game(), contrast.Game(), cotulenh.Game()}, func(g engine.Game) bool {
		_, ok := g.New("").(engine.Evaluator)
		return !ok
	})
}

// begin returns a position of a game.
func begin(t testing.TB, g engine.Game) engine.Evaluator {
	t.Helper()
	p, ok := g.New("").(engine.Evaluator)
	if !ok {
		t.Skipf("%s has no static scores", g.Name)
	}
	return p
}

// set returns a position of a game with a text.
func set(t testing.TB, g engine.Game, text string) engine.Evaluator {
	t.Helper()
	p := begin(t, g)
	if err := p.Set(text); err != nil {
		t.Fatal(err)
	}
	return p
}

// wander goes to a position of a random game: seeds give short games and long
// ones. It reports false where the game is over.
func wander(p engine.Evaluator, plies int, seed uint64) bool {
	src := rand.NewPCG(seed, 7)
	p.Reset()
	for range engine.Below(src, uint32(plies)) {
		if _, ok := p.DoRandom(src); !ok {
			break
		}
	}
	return p.Outcome() == engine.Ongoing
}

// TestMinimaxInGames: on positions of random games the value is that of minimax.
// Positions with too large a tree are passed over.
func TestMinimaxInGames(t *testing.T) {
	sizes := []struct{ positions, budget int }{{120, 10_000}, {20, 60_000}, {5, 150_000}}
	for _, g := range games() {
		for i, size := range sizes {
			switch {
			case *full:
				size.positions = 500
			case testing.Short():
				size.positions = max(size.positions/5, 1)
			}
			t.Run(fmt.Sprintf("%s/depth %d", g.Name, i+1), func(t *testing.T) {
				t.Parallel()
				compareWithMinimax(t, g, i+1, size.positions, size.budget)
			})
		}
	}
}

// compareWithMinimax does so on as many positions as asked for.
func compareWithMinimax(t *testing.T, g engine.Game, depth, positions, budget int) {
	p, list, compared, tried := begin(t, g), newPlayers(depth, true), 0, 0
	for seed := uint64(0); compared < positions && seed < 500*uint64(positions); seed++ {
		if !wander(p, g.MaxPlies, seed) || !small(p, depth, budget) {
			continue
		}
		tried++
		if list.agree(t, p, depth, budget) {
			compared++
		}
		if tried > 10*positions {
			break
		}
	}
	t.Logf("%d positions compared, %d passed over", compared, tried-compared)
	if compared < positions {
		t.Errorf("only %d of %d positions could be compared", compared, tried)
	}
}

// small tells by the number of moves whether minimax may be done within a budget.
func small(p engine.Evaluator, depth, budget int) bool {
	leaves := 4
	for range depth {
		leaves *= len(p.Moves(nil))
	}
	return leaves <= budget
}
