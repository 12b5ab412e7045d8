package workers

import (
	"math/rand/v2"

	"selfplay/engine"
)

// reseed makes src a function of (seed, game) and of nothing else. No two pairs
// give the same state: its low half tells the game, and then its high half the
// seed, since engine.Mix is one to one.
//
// Every byte of every dataset depends on these few lines. Never change them.
func reseed(src *rand.PCG, seed, game uint64) {
	g := engine.Mix(game)
	src.Seed(engine.Mix(seed^g), g)
}
