package record

import (
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

// A Follower reads the records of a dataset again and again, while runs commit and extend shards and repair drops
// them. It keeps a T of each record, and reads a record once: again only if its shard is short, because a run may
// extend it, or after Forget. One goroutine at a time calls Look.
type Follower[T any] struct {
	// Stats asks the disk at each look whether files of records have changed, and reads those again.
	Stats bool

	d     disk.Dir
	h     *plan.File
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

// Follow returns a follower of the dataset in d, of which h is the plan. keep returns what it keeps of a record.
func Follow[T any](d disk.Dir, h *plan.File, keep func(*Commit) (T, error)) *Follower[T] {
	return &Follower[T]{d: d, h: h, keep: keep, known: map[int]followed[T]{}}
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
	return values, nil
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
	whole := found && k.games == uint64(f.h.Plan.ShardGames)
	if whole && !f.Stats {
		return k, nil
	}
	var file fs.FileInfo
	if f.Stats { // before the record is read: a later one then looks changed
		if file, err = f.d.FS.Stat(f.d.Path(plan.CommitName(s))); err != nil {
			return followed[T]{}, fmt.Errorf("read %s: %w", plan.CommitName(s), err)
		}
		if whole && sameFile(k.file, file) {
			return k, nil
		}
	}
	c, err := Read(f.d, f.h, s)
	if err != nil {
		return followed[T]{}, err
	}
	value, err := f.keep(c)
	return followed[T]{s, c.Games, file, value}, err
}

// sameFile reports whether a file looks as it did.
func sameFile(a, b fs.FileInfo) bool { return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) }
