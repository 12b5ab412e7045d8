package workers

import (
	"math/rand/v2"
	"runtime"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

// Series describes the games that a pool plays.
type Series struct {
	Game     encode.Game
	Variant  string
	Players  [2]PlayerSpec // by side: First and Second
	Seed     uint64
	MaxPlies int // ply limit of a game, opening included; 0 means the game's default

	Opening      Opening
	Exploration  Exploration
	Adjudication Adjudication

	// Pairs makes games 2i and 2i+1 a pair, for matches: both have the same opening and the
	// same random source, and the players swap sides in the second one. Plans have no pairs,
	// so Settings does not mention them.
	Pairs bool

	// Rescore, if it is set, makes Pool.Rescore search the decisions of finished games again
	// that it chooses. Such a series plays no games.
	Rescore *Selection
	// KeepOld keeps what Rescore replaces in the records.
	KeepOld bool

	// Clock returns the CPU time of the calling thread in nanoseconds. If it is set, the
	// pool measures decisions, see Costs. Nothing else depends on it.
	Clock func() int64
}

// Searches reports whether any decision may come from a search. Records then contain
// scores, nodes and policies.
func (s *Series) Searches() bool { return s.Players[0].Searches() || s.Players[1].Searches() }

// Caps reports whether some searches are cheap: those have no policy in the records.
func (s *Series) Caps() bool { return s.Players[0].Caps() || s.Players[1].Caps() }

// Memory returns the most bytes of the tables and trees of the players of a pool of size workers; size 0
// means GOMAXPROCS.
func (s *Series) Memory(size int) uint64 {
	return uint64(poolSize(size)) * (s.Players[0].Memory() + s.Players[1].Memory())
}

// WDL returns the model of what the scores of the games are worth, nil if none is fitted
// to such games.
func (s *Series) WDL() *encode.WDL {
	a, b, adjudication := s.Players[0].components, s.Players[1].components, s.Adjudication
	if len(a) != 1 || len(b) != 1 || a[0].Games != b[0].Games || adjudication.Draw.Plies > 0 {
		return nil
	}
	games := a[0].Games
	games.Variant = s.Variant
	games.Explored = s.Exploration.Moves > 0
	games.WinScore, games.WinPlies = adjudication.Win.Score, adjudication.Win.Plies
	return s.Game.ModelOf(games)
}

// models returns the models of the players, each once.
func (s *Series) models() (list []*Model) {
	for _, p := range s.Players {
		for _, m := range p.Models() {
			if !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	return list
}

// GamesAtOnce returns the number of games that keep the batches of the models full, 0 without a model.
func (s *Series) GamesAtOnce() (n int) {
	for _, m := range s.models() {
		n += gamesPerSlot * m.Batch * len(m.Evaluators)
	}
	return n
}

// gamesPerSlot is how many games at once keep the slots of a batch full: half of them wait for a batch
// that is evaluated, while the others fill the next one.
const gamesPerSlot = 2

// poolSize returns the number of workers of a pool that is asked for size.
func poolSize(size int) int {
	if size <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return size
}

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
