package record

import (
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"time"

	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
)

// A Follower reads the records of a dataset again and again, while runs commit and extend shards and repair drops
// them. It keeps a T of each record, and reads a record once: again only if its shard is short, because a run may
// extend it, or after Forget. One goroutine at a time calls Look.
type Follower[T any] struct {
	// Stats asks the disk at each look whether files of records have changed, and reads those again.
	Stats bool
	// Empty returns the error of a look that finds no record. It may be nil.
	Empty func() error

	d     disk.Dir
	file  *plan.File
	keep  func(*Commit) (T, error)
	known map[int]followed[T]

	mu    sync.Mutex
	doubt []int // shards whose records must be read again
}

// followed is what a follower keeps of a record.
type followed[T any] struct {
	shard int
	games uint64
	file  fs.FileInfo // nil without Stats
	value T
}

// Follow returns a follower of the dataset in d, whose plan is file. keep returns what it keeps of a record.
func Follow[T any](d disk.Dir, file *plan.File, keep func(*Commit) (T, error)) *Follower[T] {
	return &Follower[T]{d: d, file: file, keep: keep, known: map[int]followed[T]{}}
}

// Look returns what it keeps of the shards that are committed now, in shard order. A shard whose record disappears
// meanwhile is left out. After an error the follower is as it was.
func (f *Follower[T]) Look() (values []T, err error) {
	f.mu.Lock()
	doubt := f.doubt
	f.doubt = nil
	f.mu.Unlock()
	for _, s := range doubt {
		delete(f.known, s)
	}
	known := make(map[int]followed[T], len(f.known))
	for k, err := range eachShard(f.d, f.record, true) {
		if err != nil {
			return nil, err
		}
		known[k.shard] = k
		values = append(values, k.value)
	}
	f.known = known
	if len(values) == 0 && f.Empty != nil {
		err = f.Empty()
	}
	return values, err
}

// Forget makes the next Look read the record of a shard again. Any goroutine may call it.
func (f *Follower[T]) Forget(shard int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Contains(f.doubt, shard) {
		f.doubt = append(f.doubt, shard)
	}
}

// record returns the record of a shard as it is known, or reads it.
func (f *Follower[T]) record(s int) (k followed[T], err error) {
	k, found := f.known[s]
	whole := found && k.games == uint64(f.file.Plan.ShardGames)
	if whole && !f.Stats {
		return k, nil
	}
	var file fs.FileInfo
	if f.Stats { // before the record is read: a later one then looks changed
		file, err = f.d.FS.Stat(f.d.Path(plan.CommitName(s)))
		if err != nil {
			return followed[T]{}, fmt.Errorf("read %s: %w", plan.CommitName(s), err)
		}
		if whole && sameFile(k.file, file) {
			return k, nil
		}
	}
	c, err := Read(f.d, f.file, s)
	if err != nil {
		return followed[T]{}, err
	}
	value, err := f.keep(c)
	return followed[T]{s, c.Games, file, value}, err
}

// sameFile reports whether a file looks as it did.
func sameFile(a, b fs.FileInfo) bool { return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) }

// Census counts the games of a dataset while it is being made, in shards and in journals.
// It may count again and again: it reads each commit record once, and of a journal what was
// appended since. One goroutine may use it at a time.
type Census struct {
	d        disk.Dir
	file     *plan.File
	journals *journal.Counter
	records  *Follower[censusRecord]
}

// censusRecord is what a census keeps of a commit record. Only here the time counts: no byte depends on it.
type censusRecord struct {
	shard   Shard
	written time.Time
}

// ShardCount is what a dataset has of one shard.
type ShardCount struct {
	Games     uint64 // that the target gives to the shard
	Committed uint64 // games; 0 or Games, or fewer in a short shard that a run will extend
	Journaled uint64 // finished games that are in journals and not committed
}

// Count is the result of a census, in memory only: a Status sums it up by tasks.
type Count struct {
	Totals
	Target     uint64       // games; 0 if unknown
	ByShard    []ShardCount // of the target
	LastCommit time.Time    // when the newest commit record was written; zero without one
}

// NewCensus returns a census of the dataset in d, whose plan is file.
func NewCensus(d disk.Dir, file *plan.File) *Census {
	c := &Census{d: d, file: file, journals: journal.NewCounter(d, file.Hash)}
	c.records = Follow(d, file, c.dated)
	return c
}

// Count counts the games that exist now. Without .selfplay/ it counts the shards of the
// manifest, as Info does.
//
// While a dataset is being made, no count is lower than an earlier one. That is why journals are
// counted first: a shard that is committed meanwhile counts with all its games.
func (c *Census) Count() (Count, error) {
	if lost, err := HasNoBookkeeping(c.d); lost || err != nil {
		if err != nil {
			return Count{}, err
		}
		return c.countManifest()
	}
	journaled, err := c.journals.Games()
	if err != nil {
		return Count{}, err
	}
	target, err := ReadTarget(c.d)
	if err != nil {
		return Count{}, err
	}
	records, err := c.records.Look()
	if err != nil {
		return Count{}, err
	}
	return c.count(target, records, journaled), nil
}

// dated returns what a census keeps of a record.
func (c *Census) dated(record *Commit) (censusRecord, error) {
	name := plan.CommitName(record.Shard)
	info, err := c.d.FS.Stat(c.d.Path(name))
	if err != nil {
		return censusRecord{}, fmt.Errorf("read %s: %w", name, err)
	}
	return censusRecord{record.Fact(), info.ModTime()}, nil
}

// count sums up records and journals.
func (c *Census) count(target uint64, records []censusRecord, journaled map[int]map[uint64]bool) Count {
	p := c.file.Plan
	n := Count{Target: target}
	committed := make(map[int]uint64, len(records)) // games
	for _, r := range records {
		committed[r.shard.Shard] = r.shard.Games
		n.Target = max(n.Target, uint64(r.shard.Shard)*uint64(p.ShardGames)+r.shard.Games)
		n.Add(r.shard)
		if r.written.After(n.LastCommit) {
			n.LastCommit = r.written
		}
	}
	n.ByShard = make([]ShardCount, min(p.Shards(n.Target), plan.MaxShards))
	for s := range n.ByShard {
		_, games := p.GamesOf(s, n.Target)
		have := committed[s]
		n.ByShard[s] = ShardCount{Games: games, Committed: have, Journaled: p.Count(s, have, n.Target, journaled[s])}
	}
	return n
}

// countManifest counts the shards of the manifest.
func (c *Census) countManifest() (n Count, err error) {
	known, m, err := ReadListed(c.d, c.file)
	if err != nil || known == nil {
		return n, err
	}
	var records []censusRecord
	for _, s := range known.List {
		records = append(records, censusRecord{shard: s})
	}
	return c.count(m.Target(c.file.Plan), records, nil), nil
}
