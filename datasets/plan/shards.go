package plan

import (
	"fmt"
	"path"
)

// Split returns the split of shard s. Validation shards are spread evenly: the shards 1 to
// n contain ceil(n*f) of them, where f is the validation fraction. Shard 1 is therefore a
// validation shard for every f above 0, and shard 0 a training shard for every f below 1.
func (p Plan) Split(s int) string {
	if p.validationShards(s) > p.validationShards(s-1) {
		return Validation
	}
	return Train
}

// validationShards returns the number of validation shards among the shards 1 to n, from
// n = -1. Shard 0 counts as -ceil(-f).
func (p Plan) validationShards(n int) int {
	const one = 1000
	return (n*p.Validation+2*one-1)/one - 1
}

// Shards returns the number of shards of a dataset of games games.
func (p Plan) Shards(games uint64) int {
	n := uint64(p.ShardGames)
	return int(games/n + min(games%n, 1))
}

// GamesOf returns the first game of shard s and its number of games, in a dataset of target
// games. The last shard may be short.
func (p Plan) GamesOf(s int, target uint64) (first, n uint64) {
	first = uint64(s) * uint64(p.ShardGames)
	return first, min(uint64(p.ShardGames), target-first)
}

// Count returns how many of the given games are in shard s of a dataset of target games.
func (p Plan) Count(s int, target uint64, games map[uint64]bool) (n uint64) {
	first, size := p.GamesOf(s, target)
	for game := range games {
		if game >= first && game-first < size {
			n++
		}
	}
	return n
}

// CountJournaled returns the numbers of games in the wanted shards of a dataset of target
// games by shard, given the games by shard. Shards without games are left out.
func (p Plan) CountJournaled(target uint64, games map[int]map[uint64]bool, want func(shard int) bool) map[int]uint64 {
	counts := map[int]uint64{}
	for s, numbers := range games {
		if s >= p.Shards(target) || !want(s) {
			continue
		}
		if n := p.Count(s, target, numbers); n > 0 {
			counts[s] = n
		}
	}
	return counts
}

// Total returns the games of all shards.
func Total(games map[int]uint64) (n uint64) {
	for _, of := range games {
		n += of
	}
	return n
}

// Numbers returns the numbers of n games, from first.
func Numbers(first, n uint64) []uint64 {
	games := make([]uint64, n)
	for i := range games {
		games[i] = first + uint64(i)
	}
	return games
}

// DataName returns the name of the data file of a table in shard s.
func (p Plan) DataName(table string, s int) string {
	return path.Join(table, fmt.Sprintf("%s-%05d.%s", p.Split(s), s, p.Format))
}
