package search_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/contrast"
	"selfplay/engine/cotulenh"
	"selfplay/internal/must"
)

var full = flag.Bool("full", false, "compare alpha-beta with minimax on 500 positions per game and depth")

// games are the real games.
func games() []engine.Game {
	return []engine.Game{chess.Game(), contrast.Game(), cotulenh.Game()}
}

// start returns the start position of a game.
func start(g engine.Game) engine.Evaluator { return g.New("").(engine.Evaluator) }

// parsePosition returns the position of a game that text describes.
func parsePosition(t testing.TB, g engine.Game, text string) engine.Evaluator {
	t.Helper()
	p := start(g)
	must.Do(t, p.Set(text))
	return p
}

// playRandom sets p to a position of a random game, fewer than plies plies from the
// start. It reports whether the game is still ongoing.
func playRandom(p engine.Evaluator, plies int, seed uint64) bool {
	src := rand.NewPCG(seed, 7)
	p.Reset()
	for range engine.Below(src, uint32(plies)) {
		if _, ok := p.DoRandom(src); !ok {
			break
		}
	}
	return p.Outcome() == engine.Ongoing
}

// Positions whose minimax tree exceeds the budget are skipped.
func TestAlphaBetaEqualsMinimaxInRealGames(t *testing.T) {
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
				comparePositions(t, g, i+1, size.positions, size.budget)
			})
		}
	}
}

// comparePositions compares alpha-beta with minimax on a number of random positions.
func comparePositions(t *testing.T, g engine.Game, depth, positions, budget int) {
	p, list, compared, tried := start(g), newAlphaBetas(depth), 0, 0
	for seed := uint64(0); compared < positions && seed < 500*uint64(positions); seed++ {
		if !playRandom(p, g.MaxPlies, seed) || !fitsBudget(p, depth, budget) {
			continue
		}
		tried++
		if list.compareWithMinimax(t, p, depth, budget) {
			compared++
		}
		if tried > 10*positions {
			break
		}
	}
	t.Logf("%d positions compared, %d skipped", compared, tried-compared)
	if compared < positions {
		t.Errorf("%d of %d tried positions compared, want %d", compared, tried, positions)
	}
}

// fitsBudget estimates from the number of moves whether minimax stays within a budget.
func fitsBudget(p engine.Evaluator, depth, budget int) bool {
	leaves := 4
	for range depth {
		leaves *= len(p.Moves(nil))
	}
	return leaves <= budget
}
