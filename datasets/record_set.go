package datasets

import (
	"cmp"
	"slices"
	"sync"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

// recordSet is what remains in memory of the commit records of a dataset. Whole records take
// about 1 KB a shard.
type recordSet struct {
	mu     sync.Mutex // guards the fields below until all records are read
	all    *tally
	listed *tally        // of the shards in the stored manifest
	list   []shardRecord // in shard order, once all records are read
}

// shardEntry stands for the entry of a shard in a manifest. Two of them are equal if the
// entries are.
type shardEntry struct {
	shard int
	games uint64
	sum   entrySum
}

// shardRecord is what a recordSet keeps of one record.
type shardRecord struct {
	shardEntry
	rows, plies uint64
	sizes       [2]int64 // of its files, in bytes
}

// shardRecord returns what a recordSet keeps of c.
func (c *Commit) shardRecord() shardRecord {
	entry := c.manifestShard()
	return shardRecord{shardEntry{c.Shard, c.Games, entry.sum()}, c.Rows, c.Plies(), [2]int64{c.Files[0].Bytes, c.Files[1].Bytes}}
}

// bytes returns the size of both files.
func (r *shardRecord) bytes() int64 { return r.sizes[PositionsFile] + r.sizes[GamesFile] }

func newRecordSet(p plan.Plan) *recordSet { return &recordSet{all: newTally(p), listed: newTally(p)} }

// readRecordSet reads all records in shard order and passes each one to each, which may be
// nil. stored is the manifest on disk.
func readRecordSet(d disk.Dir, h *plan.File, stored storedManifest, each func(*Commit)) (*recordSet, error) {
	r, listed := newRecordSet(h.Plan), stored.shards()
	for c, err := range eachCommit(d, h) {
		if err != nil {
			return nil, err
		}
		r.add(c, listed[c.Shard])
		if each != nil {
			each(c)
		}
	}
	return r, nil
}

// add adds a record. listed says that its shard is in the stored manifest.
func (r *recordSet) add(c *Commit, listed bool) {
	record := c.shardRecord()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, record)
	r.all.add(c)
	if listed {
		r.listed.add(c)
	}
}

// sort puts the records in shard order.
func (r *recordSet) sort() {
	slices.SortFunc(r.list, func(a, b shardRecord) int { return cmp.Compare(a.shard, b.shard) })
}

// find returns the record of shard s.
func (r *recordSet) find(s int) (shardRecord, bool) {
	i, found := slices.BinarySearchFunc(r.list, s, func(r shardRecord, s int) int { return cmp.Compare(r.shard, s) })
	if !found {
		return shardRecord{}, false
	}
	return r.list[i], true
}

// games returns the committed games of shard s.
func (r *recordSet) games(s int) uint64 {
	found, _ := r.find(s)
	return found.games
}

// shards returns the shards that have a record, in order.
func (r *recordSet) shards() []int {
	list := make([]int, len(r.list))
	for i, s := range r.list {
		list[i] = s.shard
	}
	return list
}

// committed returns the shards that have a record.
func (r *recordSet) committed() map[int]bool {
	set := make(map[int]bool, len(r.list))
	for _, s := range r.list {
		set[s.shard] = true
	}
	return set
}

// end returns the number of the game after the last committed one.
func (r *recordSet) end(p plan.Plan) uint64 {
	if len(r.list) == 0 {
		return 0
	}
	last := r.list[len(r.list)-1]
	first, _ := p.GamesOf(last.shard, ^uint64(0))
	return first + last.games
}

// missing returns the shards of the target that are not committed with all their games.
func (r *recordSet) missing(p plan.Plan, target uint64) []int {
	return shardsWithout(p, r.games, target)
}
