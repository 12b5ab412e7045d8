package plan

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

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

// Count returns how many of the given games are in shard s of a dataset of target games, without the
// first committed ones.
func (p Plan) Count(s int, committed, target uint64, games map[uint64]bool) (n uint64) {
	first, size := p.GamesOf(s, target)
	for game := range games {
		if game >= first && game-first >= committed && game-first < size {
			n++
		}
	}
	return n
}

// CountJournaled returns the numbers of games in the wanted shards of a dataset of target games by shard,
// given the games by shard and the number of committed games of each. Shards without games are left out.
func (p Plan) CountJournaled(target uint64, games map[int]map[uint64]bool, committed func(shard int) uint64, want func(shard int) bool) map[int]uint64 {
	counts := map[int]uint64{}
	for s, numbers := range games {
		if s >= p.Shards(target) || !want(s) {
			continue
		}
		if n := p.Count(s, committed(s), target, numbers); n > 0 {
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

// Splits returns the rules of the plan, which is valid.
func (p Plan) Splits() Splits {
	own := splitRule{games: math.MaxUint64, validation: uint64(p.Validation), seed: p.Seed}
	rules, err := newSplits(p.Split, own)
	if err != nil {
		panic("plan: " + err.Error())
	}
	return rules
}

// SplitOfSource returns the rules, for Plan.Split, that keep the splits of the first games of the plan where
// these are joined with others.
func (p Plan) SplitOfSource(games uint64) []string { return p.Splits().texts(games) }

// Part is what one split has of a shard: at least one game, in a file of each table.
type Part struct {
	Split string
	Games uint64
}

// Parts returns the parts of shard s if it has the given number of games.
func (p Plan) Parts(s int, games uint64) (list []Part) {
	first, _ := p.GamesOf(s, ^uint64(0))
	validation := p.Splits().Count(first, games)
	if games > validation {
		list = append(list, Part{Train, games - validation})
	}
	if validation > 0 {
		list = append(list, Part{Validation, validation})
	}
	return list
}

// DataNames returns the names of the data files of shard s if it has the given number of games: those of
// positions and of games for each part.
func (p Plan) DataNames(s int, games uint64) (names []string) {
	for _, part := range p.Parts(s, games) {
		for _, table := range Tables {
			names = append(names, p.DataName(table, part.Split, s, games))
		}
	}
	return names
}

// DataName returns the name of a data file of shard s if it has the given number of games. A short shard has
// the number in its names: its files can lie beside those of the longer shard that takes its place.
func (p Plan) DataName(table, split string, s int, games uint64) string {
	if games == uint64(p.ShardGames) {
		return path.Join(table, fmt.Sprintf("%s-%05d.%s", split, s, p.Format))
	}
	return path.Join(table, fmt.Sprintf("%s-%05d-%d.%s", split, s, games, p.Format))
}

// ShardOfFile is the inverse of DataName. It is false for other names.
func (p Plan) ShardOfFile(name string) (s int, games uint64, ok bool) {
	split, rest, _ := strings.Cut(path.Base(name), "-")
	numbers, _, _ := strings.Cut(rest, ".")
	number, count, short := strings.Cut(numbers, "-")
	s, err := strconv.Atoi(number)
	games = uint64(p.ShardGames)
	if short && err == nil {
		games, err = strconv.ParseUint(count, 10, 64)
	}
	known := err == nil && s >= 0 && s < MaxShards && games >= 1 && games <= uint64(p.ShardGames) && (split == Train || split == Validation)
	return s, games, known && slices.ContainsFunc(Tables[:], func(table string) bool { return p.DataName(table, split, s, games) == name })
}

// SplitOfName returns the split of a data file by its name.
func SplitOfName(name string) string {
	split, _, _ := strings.Cut(path.Base(name), "-")
	return split
}
