package record

import (
	"cmp"
	"slices"
	"sync"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

// Set is what remains in memory of the commit records of a dataset. Whole records take
// about 1 KB a shard.
type Set struct {
	mu     sync.Mutex // guards the fields below until all records are read
	All    *tally
	listed *tally  // of the shards in the stored manifest
	List   []Shard // in shard order, once all records are read
}

// Fact returns what a Set keeps of c.
func (c *Commit) Fact() Shard {
	entry := c.Entry()
	s := Shard{entryKey: entryKey{c.Shard, c.Games, entry.sum()}, Rows: c.Rows, Plies: c.Plies()}
	for i, f := range c.Files {
		s.Sizes[i] = f.Bytes
	}
	return s
}

// NewSet returns a set without records.
func NewSet(p plan.Plan) *Set { return &Set{All: newTally(p), listed: newTally(p)} }

// Add adds a record. listed says that its shard is in the stored manifest.
func (r *Set) Add(c *Commit, listed bool) {
	record := c.Fact()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.List = append(r.List, record)
	r.All.add(c, record)
	if listed {
		r.listed.add(c, record)
	}
}

// Sort puts the records in shard order.
func (r *Set) Sort() {
	slices.SortFunc(r.List, func(a, b Shard) int { return cmp.Compare(a.Shard, b.Shard) })
}

// find returns the record of shard s.
func (r *Set) find(s int) (Shard, bool) {
	i, found := slices.BinarySearchFunc(r.List, s, func(r Shard, s int) int { return cmp.Compare(r.Shard, s) })
	if !found {
		return Shard{}, false
	}
	return r.List[i], true
}

// Games returns the committed games of shard s.
func (r *Set) Games(s int) uint64 {
	found, _ := r.find(s)
	return found.Games
}

// Committed returns the shards that have a record.
func (r *Set) Committed() map[int]bool {
	set := make(map[int]bool, len(r.List))
	for _, s := range r.List {
		set[s.Shard] = true
	}
	return set
}

// Complete returns the shards that have all games of the target.
func (r *Set) Complete(p plan.Plan, target uint64) map[int]bool {
	set := r.Committed()
	for _, s := range r.Missing(p, target) {
		delete(set, s)
	}
	return set
}

// End returns the number of the game after the last committed one.
func (r *Set) End(p plan.Plan) uint64 {
	if len(r.List) == 0 {
		return 0
	}
	last := r.List[len(r.List)-1]
	first, _ := p.GamesOf(last.Shard, ^uint64(0))
	return first + last.Games
}

// Missing returns the shards of the target that are not committed with all their games.
func (r *Set) Missing(p plan.Plan, target uint64) []int {
	return shardsWithout(p, r.Games, target)
}

// CheckAllSizes is CheckSizes for the shards of records.
func CheckAllSizes(d disk.Dir, p plan.Plan, records []Shard) error {
	check := func(r Shard) (none struct{}, err error) { return none, CheckSizes(d, p, r) }
	for _, err := range ReadAhead(records, check) {
		if err != nil {
			return err
		}
	}
	return nil
}

// tally sums up committed shards without keeping their records.
type tally struct {
	Totals
	splits  map[string]*Totals
	results ResultCounts
	dropped []uint64 // rows, for each part of the filter
}

func newTally(p plan.Plan) *tally {
	return &tally{
		splits:  map[string]*Totals{plan.Train: {}, plan.Validation: {}},
		results: ResultCounts{}, dropped: make([]uint64, len(p.Filter)),
	}
}

// add adds a shard, of which s is kept.
func (t *tally) add(c *Commit, s Shard) {
	t.Add(s)
	for _, part := range c.Parts() {
		t.splits[part.Split].addPart(part)
	}
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
		Totals: t.Totals, Splits: []SplitTotals{}, // [] in JSON, not null
		Results: namedCounts(h.Description, t.results), Dropped: DroppedRows(h.Plan, t.dropped),
		Networks: networkEntries(h.Plan),
	}
	for _, name := range []string{plan.Train, plan.Validation} {
		if totals := *t.splits[name]; totals.Shards > 0 {
			m.Splits = append(m.Splits, SplitTotals{name, totals})
		}
	}
	return m
}
