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

// roundOf returns the round of a game, and Second if the players swap sides in it. The games of a
// round have the same opening and the same random source. In a match a round is a pair of games,
// else each game is one.
func (s *Series) roundOf(game uint64) (round uint64, swapped engine.Side) {
	if s.Pairs {
		return game / 2, engine.Side(game % 2)
	}
	return game, engine.First
}
