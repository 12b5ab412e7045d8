package checking

import (
	"errors"
	"io/fs"
	"slices"

	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// classify divides the shards into damaged ones, those that stay, and those that have only
// lost their record.
func (r *repairer) classify() error {
	for _, p := range r.v.report.Problems {
		if p.Shard != noShard && r.damaged[p.Shard] == "" {
			r.damaged[p.Shard] = p.Error()
		}
		if p.Kind != ProblemRecord {
			r.broken[p.Shard] = true
		}
	}
	names, err := r.d.List(plan.CommitsFolder)
	if err != nil {
		return err
	}
	slices.Sort(names) // in shard order
	for _, name := range names {
		s, ok := plan.ShardOfRecord(name)
		if !ok || r.damaged[s] != "" {
			continue
		}
		c, err := record.Read(r.d, r.h, s)
		if err != nil {
			return err // Verify read it without error
		}
		r.records.Add(c, false)
		r.entries = append(r.entries, c.Entry())
	}
	return r.findIntact()
}

// findIntact finds the shards without a valid record whose files have the sums of the
// manifest.
func (r *repairer) findIntact() error {
	m, err := record.ReadManifest(r.d)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fault.ErrCorrupt), errors.Is(err, fault.ErrUnsupported):
		return nil // no manifest vouches for any file
	case err != nil:
		return err
	case m.PlanHash != r.h.Hash:
		return nil
	}
	committed := r.records.Committed()
	for _, s := range m.Files {
		if committed[s.Shard] || !r.mayBeIntact(s) {
			continue
		}
		var err error
		for _, f := range s.Files {
			err = errors.Join(err, record.CheckSum(r.d, f.Name, f))
		}
		switch {
		case err == nil:
			r.keepShard(s)
		case !errors.Is(err, fault.ErrCorrupt) && !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

// keepShard keeps the files of a shard that has lost its record.
func (r *repairer) keepShard(s record.Entry) {
	r.intact[s.Shard] = true
	delete(r.damaged, s.Shard)
	for _, f := range s.Files {
		r.keep[f.Name] = true
	}
	r.report.Left = append(r.report.Left, newProblem(ProblemRecord, s.Shard, plan.CommitName(s.Shard),
		fault.Corrupt("lost, but the files of the shard are intact; the next run makes the shard again and compares")))
}

// mayBeIntact reports whether a shard of the manifest that has no valid record is not known
// to be damaged otherwise.
func (r *repairer) mayBeIntact(s record.Entry) bool {
	return s.IsNamed(r.h.Plan) && !r.broken[s.Shard]
}

// target returns the stored target. If it is lost, it returns the end of the last shard
// that the records or the manifest know.
func (r *repairer) target() uint64 {
	games := r.records.End(r.h.Plan)
	if stored, err := record.ReadTarget(r.d); err == nil && stored >= games && stored <= plan.MaxShards*uint64(r.h.Plan.ShardGames) {
		return stored
	}
	var m record.Manifest
	if data, err := r.d.ReadFile(plan.ManifestName); err == nil && canonical.Unmarshal(data, &m) == nil && m.PlanHash == r.h.Hash {
		for _, s := range m.Files {
			if first, most := r.h.Plan.GamesOf(s.Shard, ^uint64(0)); s.Shard >= 0 && s.Shard < plan.MaxShards && s.Games <= most {
				games = max(games, first+s.Games)
			}
		}
	}
	return games
}
