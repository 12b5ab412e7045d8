package workers

import (
	"math/rand/v2"

	"selfplay/engine"
)

// reseed sets src to the initial state of a game, a function of (seed, game). The map is
// injective: the low half of the state determines game, and with it the high half
// determines seed, because engine.Mix is a bijection.
//
// Every byte of every dataset depends on this function: never change it.
func reseed(src *rand.PCG, seed, game uint64) {
	g := engine.Mix(game)
	src.Seed(engine.Mix(seed^g), g)
}
