package datasets

import (
	"sync"
	"sync/atomic"

	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
)

// run is one call of Make.
type run struct {
	d      disk.Dir
	h      *header
	o      Options
	lock   *disk.Lock
	target uint64

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

func (t *totals) add(c *Commit) {
	t.shards[c.Shard] = true
	t.games += c.Games
	t.rows += c.Rows
	t.bytes += c.bytes()
}

// resume determines the committed and the missing shards.
func (r *run) resume(games uint64) error {
	commits, err := r.readCommits(games)
	if err != nil {
		return err
	}
	for _, c := range commits {
		if err := checkSizes(r.d, c); err != nil {
			return err
		}
		r.done.add(c)
	}
	if err := journal.Sweep(r.d, r.done.shards); err != nil {
		return err
	}
	e := Event{
		Kind: EventResumed, Shards: len(r.done.shards), Games: r.done.games, Rows: r.done.rows, Bytes: r.done.bytes,
		Target: r.target,
	}
	for _, s := range r.missing() {
		_, games := r.h.plan.games(s, r.target)
		e.Missing += games
	}
	r.notify(e)
	return nil
}

// readCommits checks the records, sets the target and returns the commit records of the shards that stay. It
// supersedes the shards that the target makes longer.
func (r *run) readCommits(games uint64) ([]*Commit, error) {
	shared := r.o.Task.shared()
	if shared {
		if err := r.checkTask(games); err != nil {
			return nil, err
		}
	}
	commits, err := readCommits(r.d, r.h)
	if err != nil {
		return nil, err
	}
	if _, err := checkManifest(r.d, r.h, commits); err != nil {
		return nil, err
	}
	if !shared {
		if err := finishSuperseding(r.d, r.h.plan); err != nil {
			return nil, err
		}
	}
	if r.target, err = setTarget(r.d, commits, games, shared); err != nil {
		return nil, err
	}
	if shared {
		return commits, r.refuseShort(commits)
	}
	return supersedeShort(r.d, r.h.plan, commits, r.target)
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
		PlanHash: r.h.hash, Target: r.target, Made: r.made,
		Shards: len(r.done.shards), Games: r.done.games, Rows: r.done.rows, Bytes: r.done.bytes,
	}
}

// countJournaled returns the number of journaled games of the shards that this run should
// have made and has not. Games beyond the target do not count.
func (r *run) countJournaled() (games uint64, err error) {
	journaled, err := journal.NewCounter(r.d, r.h.hash).Games()
	mine := func(s int) bool { return !r.done.shards[s] && r.o.Task.has(s) }
	return r.h.plan.journaledGames(r.target, journaled, mine), err
}

// finalize writes the derived files of all committed shards.
func (r *run) finalize() error {
	commits, err := readCommits(r.d, r.h)
	if err != nil {
		return err
	}
	return writeDerived(r.d, r.h, commits)
}
