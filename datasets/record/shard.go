package record

import (
	"crypto/sha256"

	"selfplay/datasets/plan"
)

// entryKey stands for the entry of a shard in a manifest. Two of them are equal if the
// entries are.
type entryKey struct {
	Shard int
	Games uint64
	sum   EntrySum
}

// Shard is what stays in memory of a record: all that sums and checks of many shards need.
type Shard struct {
	entryKey
	Rows, Plies uint64
	Sizes       [maxFiles]int64 // of Commit.Files, in bytes; 0 for files that the shard does not have
}

// maxFiles is the largest number of files of a shard: two of each split.
const maxFiles = 4

// Bytes returns the size of all files.
func (r *Shard) Bytes() (n int64) {
	for _, size := range r.Sizes {
		n += size
	}
	return n
}

// PositionBytes returns the size of the files of positions.
func (r *Shard) PositionBytes() int64 {
	return r.Sizes[plan.PositionsFile] + r.Sizes[2+plan.PositionsFile]
}

// An EntrySum is a SHA-256 of everything that an entry of a manifest says, or of the bytes of
// a whole manifest.
type EntrySum [sha256.Size]byte

// Totals sums up committed shards.
type Totals struct {
	Shards int    `json:"shards"`
	Games  uint64 `json:"games"`
	Rows   uint64 `json:"rows"` // of the positions table
	Bytes  int64  `json:"bytes"`
}

// Add adds a shard.
func (t *Totals) Add(s Shard) {
	t.Shards++
	t.Games += s.Games
	t.Rows += s.Rows
	t.Bytes += s.Bytes()
}

// Remove takes a shard away that was added.
func (t *Totals) Remove(s Shard) {
	t.Shards--
	t.Games -= s.Games
	t.Rows -= s.Rows
	t.Bytes -= s.Bytes()
}

// addPart adds a part of a shard.
func (t *Totals) addPart(p *Part) {
	t.Shards++
	t.Games += p.Games
	t.Rows += p.Rows
	t.Bytes += p.Bytes()
}

// Counts says how far a dataset is, or the part of it that a task makes.
type Counts struct {
	Target     uint64 `json:"target"` // games; 0 if unknown
	Shards     int    `json:"shards"` // of the target
	ShardsDone int    `json:"shards_done"`
	Games      uint64 `json:"games"` // committed
}

// SplitTotals sums up the parts of one split. Its shards are those that have games of it.
type SplitTotals struct {
	Split string `json:"split"`
	Totals
}
