package making

import (
	"errors"
	"fmt"
	"io/fs"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// checkTask refuses runs that tasks cannot do. Tasks that extend a shard on a disk need the same number of games: no
// lock keeps one of them from replacing the record of another.
func (r *run) checkTask(games uint64) error {
	t, size := r.o.Task, uint64(r.h.Plan.ShardGames)
	if t.Index < 0 || t.Index >= t.Count {
		return fmt.Errorf("make task %d of %d: %w: want an index from 0 to %d", t.Index, t.Count, datasets.ErrNotForTasks, t.Count-1)
	}
	if games%size != 0 && !r.soleTask {
		return fmt.Errorf("make task: %d games: %w: want a multiple of %d, the games of a shard", games, datasets.ErrNotForTasks, size)
	}
	return nil
}

// recordOf returns the record of shard s, which the run makes or extends, nil if it has none. done reports that
// another task has committed the shard with all games; it is added to the totals then.
func (r *run) recordOf(s int) (c *record.Commit, done bool, err error) {
	r.mu.Lock()
	_, short := r.short[s]
	r.mu.Unlock()
	if !short && !r.o.Task.shared() {
		return nil, false, nil
	}
	c, err = record.ReadWhole(r.d, r.h, s)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.addShard(c.Fact())
	return c, r.committed[s], nil
}

// isExtended reports whether another task has replaced a record and removed the files of the shorter shard, so that
// err says that they are gone.
func (r *run) isExtended(c *record.Commit, err error) bool {
	if c == nil || !disk.IsGone(err) {
		return false
	}
	now, readErr := record.Read(r.d, r.h, c.Shard)
	return readErr == nil && now.Games > c.Games
}

// Remaining returns the number of games that a run of task t for games games would play,
// and the number of their shards. The games of a short shard are not played again.
func Remaining(p plan.Plan, t Task, committed []*record.Commit, games uint64) (n uint64, shards int) {
	games = max(games, record.EndOf(committed))
	have := map[int]uint64{}
	for _, c := range committed {
		have[c.Shard] = c.Games
	}
	for _, s := range record.Missing(p, committed, games) {
		if t.has(s) {
			_, want := p.GamesOf(s, games)
			n += want - have[s]
			shards++
		}
	}
	return n, shards
}
