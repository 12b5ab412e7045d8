package datasets

import "fmt"

// Task is a part of the work that several processes share, one in Count, from 0. It
// makes the shards whose number leaves Index when divided by Count, and leaves what
// concerns the whole dataset to Finalize. The zero Task is all of the work. Any task
// may be run twice, even at the same time.
type Task struct{ Index, Count int }

func (t Task) shared() bool { return t.Count > 0 }

// has reports whether shard s is the task's.
func (t Task) has(s int) bool { return t.Count == 0 || s%t.Count == t.Index }

// checkTask refuses what tasks cannot do: replace a shard by a longer one.
func (r *run) checkTask(games uint64) error {
	t, size := r.o.Task, uint64(r.h.plan.ShardGames)
	if t.Index < 0 || t.Index >= t.Count {
		return fmt.Errorf("task %d of %d: %w", t.Index, t.Count, ErrNotForTasks)
	}
	if games%size != 0 {
		return fmt.Errorf("%d games are no whole number of shards of %d: %w", games, size, ErrNotForTasks)
	}
	retired, err := listShards(r.d, supersededName)
	if err == nil && len(retired) > 0 {
		err = &ShardError{"make", retired[0], fmt.Errorf("it was being replaced by a longer one: %w", ErrNotForTasks)}
	}
	return err
}

// retire makes room for shards that have to be made again, longer.
func (r *run) retire(commits []*Commit) ([]*Commit, error) {
	if !r.o.Task.shared() {
		return supersedeShort(r.d, r.h.plan, commits, r.target)
	}
	for _, c := range commits {
		if _, want := r.h.plan.games(c.Shard, r.target); c.Games != want {
			return nil, &ShardError{"make", c.Shard, fmt.Errorf("it has %d games, and to replace it by one of %d is %w", c.Games, want, ErrNotForTasks)}
		}
	}
	return commits, nil
}

// madeByAnother reports whether another task has committed a shard by now.
func (r *run) madeByAnother(s int) (bool, error) {
	if !r.o.Task.shared() {
		return false, nil
	}
	if there, err := r.d.Exists(commitName(s)); !there {
		return false, err
	}
	c, err := readCommit(r.d, r.h, s)
	if err == nil {
		err = checkSizes(r.d, c)
	}
	if err != nil {
		return false, err
	}
	r.mu.Lock()
	r.done.add(c)
	r.mu.Unlock()
	return true, nil
}
