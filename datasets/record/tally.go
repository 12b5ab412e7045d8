package record

import "selfplay/datasets/plan"

// tally sums up committed shards without keeping their records.
type tally struct {
	All     SplitTotals
	splits  map[string]*SplitTotals
	results ResultCounts
	dropped []uint64 // rows, for each part of the filter
}

func NewTally(p plan.Plan) *tally {
	return &tally{
		splits:  map[string]*SplitTotals{plan.Train: {Split: plan.Train}, plan.Validation: {Split: plan.Validation}},
		results: ResultCounts{}, dropped: make([]uint64, len(p.Filter)),
	}
}

func (t *tally) Add(c *Commit) {
	t.All.add(c)
	t.splits[c.Split].add(c)
	for _, n := range c.Results {
		t.results[[2]uint8{n.Result, n.Reason}] += n.Games
	}
	for i, d := range c.Dropped {
		t.dropped[i] += d.Rows
	}
}

// NewManifest returns the manifest of the shards, whose entries are files, without Documents.
func (t *tally) NewManifest(h *plan.File, files []Entry) *Manifest {
	m := t.Manifest(h)
	m.Files = files
	return m
}

// Manifest returns the manifest of the shards, without Documents and Files.
func (t *tally) Manifest(h *plan.File) *Manifest {
	m := &Manifest{
		Format: plan.FormatVersion, PlanHash: h.Hash, Game: h.Plan.Game, About: h.About,
		Shards: t.All.Shards, Games: t.All.Games, Rows: t.All.Rows, Bytes: t.All.Bytes,
		Splits:  []SplitTotals{}, // [] in JSON, not null
		Results: namedCounts(h.Description, t.results), Dropped: DroppedRows(h.Plan, t.dropped),
		Networks: networkEntries(h.Plan),
	}
	for _, name := range []string{plan.Train, plan.Validation} {
		if t.splits[name].Shards > 0 {
			m.Splits = append(m.Splits, *t.splits[name])
		}
	}
	return m
}
