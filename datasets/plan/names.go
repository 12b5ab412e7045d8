package plan

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"selfplay/datasets/disk"
)

// Names inside a dataset, with forward slashes. Names that start with a dot hold
// bookkeeping; programs that read a folder of data skip them.
const (
	FileName      = "plan.json"
	ManifestName  = "manifest.json"
	CardName      = "README.md"
	CroissantName = "croissant.json"

	Positions = "positions"
	Games     = "games"

	TargetName    = disk.Hidden + "/target.json"
	CommitsFolder = disk.Hidden + "/commits"
	AnswersFolder = disk.Hidden + "/answers" // of approximate models to fixed positions

	RunsFolder   = disk.Hidden + "/runs"           // heartbeats
	FailuresName = disk.Hidden + "/failures.jsonl" // games that panicked; see failure.go
)

// Tables holds the names of the tables, in the order of PositionsFile and GamesFile.
var Tables = [2]string{PositionsFile: Positions, GamesFile: Games}

// The files of a part of a shard, as indexes.
const (
	PositionsFile = 0
	GamesFile     = 1
)

// The splits. No game is in two.
const (
	Train      = "train"
	Validation = "validation"
)

// maxShardGames bounds the games of a shard, so that no count or offset in its files
// overflows.
const maxShardGames = 1_000_000

// MaxShards is the largest number of shards of a dataset: file names have five digits.
const MaxShards = 100_000

// recordName returns the name of the record of shard s inside its folder.
func recordName(s int) string { return fmt.Sprintf("%05d.json", s) }

// CommitName returns the name of the commit record of shard s.
func CommitName(s int) string { return path.Join(CommitsFolder, recordName(s)) }

// ShardOfRecord is the inverse of recordName.
func ShardOfRecord(name string) (s int, ok bool) {
	s, err := strconv.Atoi(strings.TrimSuffix(name, ".json"))
	return s, err == nil && s >= 0 && s < MaxShards && name == recordName(s)
}
