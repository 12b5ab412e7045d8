package making

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"selfplay/datasets/derived"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// run is one call of Make.
type run struct {
	d        disk.Dir
	h        *plan.File
	o        Options
	lock     *disk.Lock
	target   uint64
	soleTask bool // the only task of a dataset in a store, which also writes the derived files

	// known is what derived files follow from, if this run writes them and has no shard to make.
	known *derived.Derivation

	mu        sync.Mutex // guards the fields below and calls of Options.Notify
	done      record.Totals
	begun     []int                // shards that this run began to make
	committed map[int]bool         // the shards of done that have all games of the target
	short     map[int]record.Shard // the others
	made      int
	open      int   // shards being made
	stopped   error // is ErrIncomplete after Play was asked to stop

	played atomic.Uint64 // games that Play finished
}

// addShard counts a committed shard, in the place of a shorter one. The records of whole shards are not kept:
// those of 100,000 shards would take most of the memory of a run.
func (r *run) addShard(s record.Shard) {
	if before, found := r.short[s.Shard]; found {
		r.done.Remove(before)
		delete(r.short, s.Shard)
	}
	r.done.Add(s)
	if _, want := r.h.Plan.GamesOf(s.Shard, r.target); s.Games < want {
		r.short[s.Shard] = s
		return
	}
	r.committed[s.Shard] = true
}

func (r *run) notify(e Event) {
	if r.o.Notify == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.o.Notify(e)
}

func (r *run) summary() Summary {
	return Summary{PlanHash: r.h.Hash, Target: r.target, Totals: r.done, Made: r.made}
}

// journaled returns the numbers of journaled games of the shards that this run should make
// and has not made, by shard. Games beyond the target do not count.
func (r *run) journaled() (map[int]uint64, error) {
	games, err := journal.NewCounter(r.d, r.h.Hash).Games()
	have := func(s int) uint64 { return r.short[s].Games }
	mine := func(s int) bool { return !r.committed[s] && r.o.Task.has(s) }
	return r.h.Plan.CountJournaled(r.target, games, have, mine), err
}

// derives reports whether the run writes the derived files.
func (r *run) derives() bool { return !r.o.Task.shared() || r.soleTask }

// finalize removes what extended shards have left, and writes the derived files of all committed shards.
func (r *run) finalize() error {
	known := r.known
	if known == nil {
		read, err := derived.Read(r.d, r.h, true)
		if err != nil {
			return err
		}
		known = &read
	}
	if err := checkListing(r.d, r.h, known.Records, r.target); err != nil {
		return err
	}
	if err := errors.Join(known.Records.DropReplaced(r.d, r.h.Plan), known.Write(r.d, r.h)); err != nil {
		return err
	}
	return checkWritten(r.d, r.h, known.Records, r.target)
}

// explainEnd adds ErrIncomplete to an error that follows from the end of ctx.
func explainEnd(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && cause != nil && (errors.Is(err, cause) || errors.Is(err, ctx.Err())) {
		return fmt.Errorf("%w: %w", fault.ErrIncomplete, cause)
	}
	return err
}

// missing returns the shards that this run has to make.
func (r *run) missing() (shards []int) {
	for s := range r.h.Plan.Shards(r.target) {
		if !r.committed[s] && r.o.Task.has(s) {
			shards = append(shards, s)
		}
	}
	return shards
}
