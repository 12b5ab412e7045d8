package datasets

import (
	"fmt"
	"path"
	"selfplay/datasets/disk"
	"strconv"
	"strings"
)

// Names inside a dataset, with forward slashes. Everything that starts with a dot
// is bookkeeping, which readers of a directory skip.
const (
	planName      = "plan.json"
	manifestName  = "manifest.json"
	cardName      = "README.md"
	croissantName = "croissant.json"

	positionsName = "positions"
	gamesName     = "games"

	targetName     = disk.Hidden + "/target.json"
	commitsName    = disk.Hidden + "/commits"
	supersededName = disk.Hidden + "/superseded"

	failuresName = disk.Hidden + "/failures.jsonl" // what games panicked; see failure.go
)

// The splits. A shard is in one of them, whole: no game is in both.
const (
	Train      = "train"
	Validation = "validation"
)

// maxShardGames bounds a shard so that its numbers fit everywhere.
const maxShardGames = 1_000_000

// maxShards bounds the shards of a dataset: their names have five digits.
const maxShards = 100_000

// split returns the split of shard s: validation where the share f, in
// thousandths, steps over a whole number. So every prefix of the shards has
// its share, and small datasets have training shards only.
func (p Plan) split(s int) string {
	f := uint64(p.Validation)
	if (uint64(s)+1)*f/1000 > uint64(s)*f/1000 {
		return Validation
	}
	return Train
}

// shards returns how many shards games fill.
func (p Plan) shards(games uint64) int {
	n := uint64(p.ShardGames)
	return int(games/n + min(games%n, 1))
}

// games returns the first game of shard s and how many games it has in a dataset
// of target games: the last shard may be short.
func (p Plan) games(s int, target uint64) (first, n uint64) {
	first = uint64(s) * uint64(p.ShardGames)
	return first, min(uint64(p.ShardGames), target-first)
}

// numbers returns n games from first on.
func numbers(first, n uint64) []uint64 {
	games := make([]uint64, n)
	for i := range games {
		games[i] = first + uint64(i)
	}
	return games
}

// dataName returns the name of shard s in a table.
func (p Plan) dataName(table string, s int) string {
	return path.Join(table, fmt.Sprintf("%s-%05d.%s", p.split(s), s, p.Format))
}

func shardName(s int) string { return fmt.Sprintf("%05d.json", s) }

func commitName(s int) string { return path.Join(commitsName, shardName(s)) }

func supersededRecord(s int) string { return path.Join(supersededName, shardName(s)) }

// shardOf returns the shard whose record has this name.
func shardOf(name string) (int, bool) {
	s, err := strconv.Atoi(strings.TrimSuffix(name, ".json"))
	return s, err == nil && s >= 0 && s < maxShards && name == shardName(s)
}
