package datasets

import (
	"errors"
	"io/fs"
	"slices"

	"selfplay/datasets/internal/fault"
)

// classify divides the shards into damaged ones, those that stay, and those that have only
// lost their record.
func (r *repairer) classify() error {
	for _, p := range r.v.report.Problems {
		if p.Shard != noShard && r.damaged[p.Shard] == "" {
			r.damaged[p.Shard] = p.Error()
		}
	}
	names, err := r.d.List(commitsName)
	if err != nil {
		return err
	}
	for _, name := range names {
		s, ok := shardOfRecord(name)
		if !ok || r.damaged[s] != "" {
			continue
		}
		c, err := readCommit(r.d, r.h, s)
		if err != nil {
			return err // Verify read it without error
		}
		r.commits = append(r.commits, c)
	}
	slices.SortFunc(r.commits, func(a, b *Commit) int { return a.Shard - b.Shard })
	return r.findIntact()
}

// findIntact finds the shards without a valid record whose files have the sums of the
// manifest.
func (r *repairer) findIntact() error {
	m, err := readManifest(r.d)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrCorrupt), errors.Is(err, ErrUnsupported):
		return nil // no manifest vouches for any file
	case err != nil:
		return err
	case m.PlanHash != r.h.hash:
		return nil
	}
	for _, s := range m.Files {
		if !r.mayBeIntact(s) {
			continue
		}
		err := errors.Join(checkSum(r.d, s.Positions.Name, s.Positions), checkSum(r.d, s.GamesFile.Name, s.GamesFile))
		switch {
		case err == nil:
			r.intact[s.Shard] = true
			delete(r.damaged, s.Shard)
			r.report.Left = append(r.report.Left, newProblem(ProblemRecord, s.Shard, commitName(s.Shard),
				fault.Corrupt("lost, but the files of the shard are intact; the next run makes the shard again and compares")))
		case !errors.Is(err, ErrCorrupt) && !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

// mayBeIntact reports whether a shard of the manifest has lost its record, and nothing
// else is known to be damaged.
func (r *repairer) mayBeIntact(s manifestShard) bool {
	for i, f := range s.files() {
		if f.Name != r.h.plan.dataName(tables[i], s.Shard) {
			return false
		}
	}
	committed := slices.ContainsFunc(r.commits, func(c *Commit) bool { return c.Shard == s.Shard })
	return !committed && !r.hasDamagedFile(s.Shard)
}

// hasDamagedFile reports whether a shard has a problem other than its record.
func (r *repairer) hasDamagedFile(s int) bool {
	return slices.ContainsFunc(r.v.report.Problems, func(p Problem) bool { return p.Shard == s && p.Kind != ProblemRecord })
}

// isIntact reports whether a data file belongs to an intact shard.
func (r *repairer) isIntact(name string) bool {
	for s := range r.intact {
		if name == r.h.plan.dataName(positionsName, s) || name == r.h.plan.dataName(gamesName, s) {
			return true
		}
	}
	return false
}

// target returns the stored target. If it is lost, it returns the end of the last shard
// that the records or the manifest know.
func (r *repairer) target() uint64 {
	games := endOf(r.commits)
	if stored, err := readTarget(r.d); err == nil && stored >= games && stored <= MaxShards*uint64(r.h.plan.ShardGames) {
		return stored
	}
	var m manifest
	if data, err := r.d.ReadFile(manifestName); err == nil && decodeJSON(data, &m) == nil && m.PlanHash == r.h.hash {
		for _, s := range m.Files {
			if first, most := r.h.plan.games(s.Shard, ^uint64(0)); s.Shard >= 0 && s.Shard < MaxShards && s.Games <= most {
				games = max(games, first+s.Games)
			}
		}
	}
	return games
}
