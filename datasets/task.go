package datasets

import (
	"fmt"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// Task is the part of one process among several that make a dataset together. Task{i, n}
// makes the shards s with s mod n == i. Superseding shards and writing derived files are
// left to Finalize. The zero Task makes all shards. A task may be run twice, even at the
// same time.
type Task struct{ Index, Count int }

// shared reports whether the task shares the dataset with others.
func (t Task) shared() bool { return t.Count > 0 }

// has reports whether the task makes shard s.
func (t Task) has(s int) bool { return t.Count == 0 || s%t.Count == t.Index }

// checkTask refuses runs that tasks cannot do, because they would supersede a shard.
func (r *run) checkTask(games uint64) error {
	t, size := r.o.Task, uint64(r.h.Plan.ShardGames)
	if t.Index < 0 || t.Index >= t.Count {
		return fmt.Errorf("make task %d of %d: %w: want an index from 0 to %d", t.Index, t.Count, ErrNotForTasks, t.Count-1)
	}
	if games%size != 0 && !r.soleTask {
		return fmt.Errorf("make task: %d games: %w: want a multiple of %d, the games of a shard", games, ErrNotForTasks, size)
	}
	superseded, err := listShards(r.d, plan.SupersededFolder)
	if err == nil && len(superseded) > 0 {
		err = &fault.ShardError{Op: "make", Shard: superseded[0], Err: fmt.Errorf("a run was superseding it: %w", ErrNotForTasks)}
	}
	return err
}

// refuseShort refuses committed shards that the target makes longer.
func (r *run) refuseShort(records []shardRecord) error {
	for _, c := range records {
		if _, want := r.h.Plan.GamesOf(c.shard, r.target); c.games != want {
			err := fmt.Errorf("supersede its %d games by %d: %w", c.games, want, ErrNotForTasks)
			if r.d.IsStore() {
				err = fmt.Errorf("%w, as all runs in an object store do", err)
			}
			return &fault.ShardError{Op: "make", Shard: c.shard, Err: err}
		}
	}
	return nil
}

// madeByAnother reports whether another task has committed shard s, and adds it to the
// totals.
func (r *run) madeByAnother(s int) (bool, error) {
	if !r.o.Task.shared() {
		return false, nil
	}
	if found, err := r.d.Exists(plan.CommitName(s)); !found {
		return false, err
	}
	c, err := readCommit(r.d, r.h, s)
	if err != nil {
		return false, err
	}
	record := c.shardRecord()
	if err := checkSizes(r.d, r.h.Plan, s, record.sizes); err != nil {
		return false, err
	}
	r.mu.Lock()
	r.done.add(record)
	r.mu.Unlock()
	return true, nil
}
