package making

import (
	"sync"
	"sync/atomic"

	"selfplay/datasets/derived"
	"selfplay/datasets/disk"
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

	mu      sync.Mutex // guards the fields below and calls of Options.Notify
	done    totals
	made    int
	open    int   // shards being made
	stopped error // is ErrIncomplete after Play was asked to stop

	played atomic.Uint64 // games that Play finished
}

// totals sums up the committed shards. It does not keep their records: those of 100,000
// shards would take most of the memory of a run.
type totals struct {
	shards map[int]bool
	games  uint64
	rows   uint64
	bytes  int64
}

func (t *totals) add(r record.Shard) {
	t.shards[r.Shard] = true
	t.games += r.Games
	t.rows += r.Rows
	t.bytes += r.Bytes()
}

// resume determines the committed and the missing shards.
func (r *run) resume(games uint64) error {
	kept, err := r.readRecords(games)
	if err != nil {
		return err
	}
	if err := record.CheckAllSizes(r.d, r.h.Plan, kept); err != nil {
		return err
	}
	for _, k := range kept {
		r.done.add(k)
	}
	if err := journal.Sweep(r.d, r.done.shards); err != nil {
		return err
	}
	e := Event{
		Kind: EventResumed, Shards: len(r.done.shards), Games: r.done.games, Rows: r.done.rows, Bytes: r.done.bytes,
		Target: r.target,
	}
	missing := r.missing()
	if len(missing) > 0 || r.known != nil && len(kept) < len(r.known.Records.List) {
		r.known = nil
	}
	for _, s := range missing {
		_, games := r.h.Plan.GamesOf(s, r.target)
		e.Missing += games
	}
	r.notify(e)
	return nil
}

// readRecords checks the commit records, sets the target and returns the records of the shards that stay. It
// supersedes the shards that the target makes longer.
func (r *run) readRecords(games uint64) (kept []record.Shard, err error) {
	shared := r.o.Task.shared()
	if shared {
		if err := r.checkTask(games); err != nil {
			return nil, err
		}
	}
	known, err := derived.Read(r.d, r.h, r.derives())
	if err != nil {
		return nil, err
	}
	records := known.Records
	if err := record.CheckManifest(r.d, r.h, known.Stored, records); err != nil {
		return nil, err
	}
	if r.derives() {
		r.known = &known
	}
	if !shared {
		if err := record.FinishSuperseding(r.d, r.h.Plan); err != nil {
			return nil, err
		}
	}
	r.target = max(games, records.End(r.h.Plan))
	if shared {
		if err := r.refuseShort(records.List); err != nil {
			return nil, err
		}
	}
	if err := record.SetTarget(r.d, r.target, shared); err != nil || shared {
		return records.List, err
	}
	return record.SupersedeShort(r.d, r.h.Plan, records.List, r.target)
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
	return Summary{
		PlanHash: r.h.Hash, Target: r.target, Made: r.made,
		Shards: len(r.done.shards), Games: r.done.games, Rows: r.done.rows, Bytes: r.done.bytes,
	}
}

// countJournaled returns the number of journaled games of the shards that this run should
// have made and has not. Games beyond the target do not count.
func (r *run) countJournaled() (games uint64, err error) {
	journaled, err := journal.NewCounter(r.d, r.h.Hash).Games()
	mine := func(s int) bool { return !r.done.shards[s] && r.o.Task.has(s) }
	return r.h.Plan.CountJournaled(r.target, journaled, mine), err
}

// derives reports whether the run writes the derived files.
func (r *run) derives() bool { return !r.o.Task.shared() || r.soleTask }

// finalize writes the derived files of all committed shards.
func (r *run) finalize() error {
	known := r.known
	if known == nil {
		read, err := derived.Read(r.d, r.h, true)
		if err != nil {
			return err
		}
		known = &read
	}
	if err := checkListing(r.d, r.h.Plan, known.Records, r.target); err != nil {
		return err
	}
	return known.Write(r.d, r.h)
}
