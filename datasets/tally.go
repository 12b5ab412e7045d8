package datasets

import "selfplay/datasets/plan"

// tally sums up committed shards without keeping their records.
type tally struct {
	all     SplitTotals
	splits  map[string]*SplitTotals
	results resultCounts
	dropped []uint64 // rows, for each part of the filter
}

func newTally(p plan.Plan) *tally {
	return &tally{
		splits:  map[string]*SplitTotals{plan.Train: {Split: plan.Train}, plan.Validation: {Split: plan.Validation}},
		results: resultCounts{}, dropped: make([]uint64, len(p.Filter)),
	}
}

func (t *tally) add(c *Commit) {
	t.all.add(c)
	t.splits[c.Split].add(c)
	for _, n := range c.Results {
		t.results[[2]uint8{n.Result, n.Reason}] += n.Games
	}
	for i, d := range c.Dropped {
		t.dropped[i] += d.Rows
	}
}

// newManifest returns the manifest of the shards, whose entries are files, without Documents.
func (t *tally) newManifest(h *plan.File, files []manifestShard) *manifest {
	m := t.manifest(h)
	m.Files = files
	return m
}

// manifest returns the manifest of the shards, without Documents and Files.
func (t *tally) manifest(h *plan.File) *manifest {
	m := &manifest{
		Format: plan.FormatVersion, PlanHash: h.Hash, Game: h.Plan.Game, About: h.About,
		Shards: t.all.Shards, Games: t.all.Games, Rows: t.all.Rows, Bytes: t.all.Bytes,
		Splits:  []SplitTotals{}, // [] in JSON, not null
		Results: namedCounts(h.Description, t.results), Dropped: droppedRows(h.Plan, t.dropped),
		Networks: networkEntries(h.Plan),
	}
	for _, name := range []string{plan.Train, plan.Validation} {
		if t.splits[name].Shards > 0 {
			m.Splits = append(m.Splits, *t.splits[name])
		}
	}
	return m
}
