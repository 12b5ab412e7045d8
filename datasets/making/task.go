package making

import (
	"fmt"

	"selfplay/datasets"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// checkTask refuses runs that tasks cannot do, because they would supersede a shard.
func (r *run) checkTask(games uint64) error {
	t, size := r.o.Task, uint64(r.h.Plan.ShardGames)
	if t.Index < 0 || t.Index >= t.Count {
		return fmt.Errorf("make task %d of %d: %w: want an index from 0 to %d", t.Index, t.Count, datasets.ErrNotForTasks, t.Count-1)
	}
	if games%size != 0 && !r.soleTask {
		return fmt.Errorf("make task: %d games: %w: want a multiple of %d, the games of a shard", games, datasets.ErrNotForTasks, size)
	}
	superseded, err := record.ListShards(r.d, plan.SupersededFolder)
	if err == nil && len(superseded) > 0 {
		err = &fault.ShardError{Op: "make", Shard: superseded[0], Err: fmt.Errorf("a run was superseding it: %w", datasets.ErrNotForTasks)}
	}
	return err
}

// refuseShort refuses committed shards that the target makes longer.
func (r *run) refuseShort(records []record.Shard) error {
	for _, c := range records {
		if _, want := r.h.Plan.GamesOf(c.Shard, r.target); c.Games != want {
			err := fmt.Errorf("supersede its %d games by %d: %w", c.Games, want, r.notForTasks())
			return &fault.ShardError{Op: "make", Shard: c.Shard, Err: err}
		}
	}
	return nil
}

// notForTasks is ErrNotForTasks for this run.
func (r *run) notForTasks() error {
	if r.d.IsStore() {
		return fmt.Errorf("%w, as all runs in an object store do", datasets.ErrNotForTasks)
	}
	return datasets.ErrNotForTasks
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
	c, err := record.Read(r.d, r.h, s)
	if err != nil {
		return false, err
	}
	rec := c.Fact()
	if err := record.CheckSizes(r.d, r.h.Plan, rec); err != nil {
		return false, err
	}
	r.mu.Lock()
	r.addShard(rec)
	r.mu.Unlock()
	return true, nil
}
