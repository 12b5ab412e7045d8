package record

import "crypto/sha256"

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
	Sizes       [2]int64 // of its files, in bytes
}

// Bytes returns the size of both files.
func (r *Shard) Bytes() int64 { return r.Sizes[PositionsFile] + r.Sizes[GamesFile] }

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

// Counts says how far a dataset is, or the part of it that a task makes.
type Counts struct {
	Target     uint64 `json:"target"` // games; 0 if unknown
	Shards     int    `json:"shards"` // of the target
	ShardsDone int    `json:"shards_done"`
	Games      uint64 `json:"games"` // committed
}

// SplitTotals sums up the shards of one split.
type SplitTotals struct {
	Split string `json:"split"`
	Totals
}
