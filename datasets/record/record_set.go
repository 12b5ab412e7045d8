package record

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
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
func (t *tally) NewManifest(file *plan.File, files []Entry) *Manifest {
	m := t.Manifest(file)
	m.Files = files
	return m
}

// Manifest returns the manifest of the shards, without Documents and Files.
func (t *tally) Manifest(file *plan.File) *Manifest {
	m := &Manifest{
		Format: plan.FormatVersion, PlanHash: file.Hash, Game: file.Plan.Game, About: file.About,
		Totals: t.Totals, Splits: []SplitTotals{}, // [] in JSON, not null
		Results: namedCounts(file.Description, t.results), Dropped: DroppedRows(file.Plan, t.dropped),
		Networks: networkEntries(file.Plan),
	}
	for _, name := range []string{plan.Train, plan.Validation} {
		if totals := *t.splits[name]; totals.Shards > 0 {
			m.Splits = append(m.Splits, SplitTotals{name, totals})
		}
	}
	return m
}

// The manifest and the commit records are two witnesses of the same shards. If they
// disagree, neither is proof against the other, and writing either one would erase the
// trace of the damage.

// CheckManifest compares the stored manifest with the plan and with the records of the
// shards that both know. It returns nil if there is no readable manifest, since a missing or
// damaged one testifies to nothing. The error is ErrUnsupported if another program wrote the
// manifest, and ErrCorrupt if it contradicts the plan or a record.
func CheckManifest(d disk.Dir, file *plan.File, stored StoredManifest, records *Set) error {
	switch {
	case errors.Is(stored.Err, fs.ErrNotExist), errors.Is(stored.Err, fault.ErrCorrupt):
		return nil
	case stored.Err != nil:
		return &fault.FileError{Op: "read", Path: plan.ManifestName, Err: stored.Err}
	case stored.AboutChanged(file):
		return &fault.FileError{Op: "read", Path: plan.FileName, Err: ErrAboutChanged}
	}
	if conflicts := stored.Conflicts(d, file, records); len(conflicts) > 0 {
		return conflicts[0]
	}
	return stored.checkTotals(file, records)
}

// Conflicts returns an error for each committed shard that the manifest describes in another
// way than its record, in the order of the manifest. If there are any, it reads manifest and
// records again, because only their sums are in memory.
func (m StoredManifest) Conflicts(d disk.Dir, file *plan.File, records *Set) (list []*fault.ShardError) {
	if m.PlanHash != file.Hash || !slices.ContainsFunc(m.Entries, records.conflicts) {
		return nil // checkTotals reports another plan: the whole manifest is wrong
	}
	_, _, _ = ScanManifest(d, func(s Entry, sum EntrySum) {
		if !records.conflicts(entryKey{s.Shard, s.Games, sum}) {
			return
		}
		if c, err := Read(d, file, s.Shard); err == nil && !s.equal(c.Entry()) {
			list = append(list, &fault.ShardError{Op: "compare", Shard: s.Shard, Err: s.conflict(c)})
		}
	})
	return list
}

// conflicts reports whether the shard of an entry has a record that says something else.
func (r *Set) conflicts(e entryKey) bool {
	found, ok := r.find(e.Shard)
	return ok && found.entryKey != e
}

// conflict names the first fact of a shard in which the manifest and a record differ.
func (s Entry) conflict(c *Commit) error {
	said, recorded := s.facts(), c.Entry().facts()
	i := 0
	for i < min(len(said), len(recorded))-1 && said[i] == recorded[i] {
		i++
	}
	return fault.Corrupt("%s says %s, but %s says %s", plan.ManifestName, said[i], plan.CommitName(c.Shard), recorded[i])
}

// facts lists everything that the manifest says about a shard, as text.
func (s Entry) facts() []string {
	list := []string{fmt.Sprintf("%d games from %d", s.Games, s.FirstGame), fmt.Sprintf("%d files", len(s.Files))}
	for _, f := range s.Files {
		list = append(list, f.Name, fmt.Sprintf("%d bytes in %s", f.Bytes, f.Name), fmt.Sprintf("%d rows in %s", f.Rows, f.Name),
			fmt.Sprintf("SHA-256 %.12s of %s", f.SHA256, f.Name), fmt.Sprintf("row digest %.12s of %s", f.RowDigest, f.Name))
	}
	return list
}

// checkTotals compares the totals of the manifest with the records of its shards. It returns
// nil if one of the records is lost: then there is nothing to compare with.
func (m StoredManifest) checkTotals(file *plan.File, records *Set) error {
	if m.PlanHash != file.Hash {
		return &fault.FileError{Op: "read", Path: plan.ManifestName, Err: fault.Corrupt("plan hash %.12s, but %s has %.12s", m.PlanHash, plan.FileName, file.Hash)}
	}
	if m.LostRecord(records) != nil || m.IsEarlier(file, records) {
		return nil
	}
	return &fault.FileError{Op: "read", Path: plan.ManifestName, Err: errOtherTotals}
}

// errOtherTotals: the sums over all shards contradict the records, though no entry of a
// shard does.
var errOtherTotals = fault.Corrupt("its totals differ from the records in %s", plan.CommitsFolder)

// CheckReplaceable returns an error if the stored manifest must stay: CheckManifest finds a
// reason, or it is the only trace of a lost shard.
func CheckReplaceable(d disk.Dir, file *plan.File, stored StoredManifest, records *Set) error {
	err := CheckManifest(d, file, stored, records)
	if err == nil {
		err = stored.LostRecord(records)
		if err != nil {
			err = &fault.FileError{Op: "write", Path: plan.ManifestName, Err: err}
		}
	}
	return err
}

// HasNoBookkeeping reports whether a dataset has data files, but neither a commit record nor
// a target, as a copy without .selfplay/. A run stores the target before it publishes its
// first file, so a run that was killed does not look like this.
func HasNoBookkeeping(d disk.Dir) (bool, error) {
	files := 0 // listed first: another task may be creating the dataset
	for _, folder := range plan.Tables {
		names, err := d.List(folder)
		if err != nil {
			return false, err
		}
		files += len(names)
	}
	if files == 0 {
		return false, nil
	}
	if records, err := d.List(plan.CommitsFolder); len(records) > 0 || err != nil {
		return false, err
	}
	found, err := d.Exists(plan.TargetName)
	return !found, err
}

// ReadListed returns the shards of the manifest whose files exist and have the right
// sizes, and the manifest. The set is nil if no manifest of this plan can be read.
func ReadListed(d disk.Dir, file *plan.File) (known *Set, m StoredManifest, err error) {
	known = NewSet(file.Plan)
	m = readStored(d, func(s Entry) {
		if c := s.commit(file); s.IsNamed(file.Plan) && CheckSizes(d, file.Plan, c.Fact()) == nil {
			known.Add(c, true)
		}
	})
	known.Sort()
	switch {
	case errors.Is(m.Err, fs.ErrNotExist), errors.Is(m.Err, fault.ErrCorrupt), m.Err == nil && m.PlanHash != file.Hash:
		return nil, m, nil
	}
	return known, m, m.Err
}

// Target returns the end of the last shard of the manifest.
func (m StoredManifest) Target(p plan.Plan) (games uint64) {
	for _, e := range m.Entries {
		first, _ := p.GamesOf(e.Shard, ^uint64(0))
		games = max(games, first+e.Games)
	}
	return games
}

// commit returns what the manifest knows of the record of a shard.
func (s Entry) commit(file *plan.File) *Commit {
	c := &Commit{Format: plan.FormatVersion, Shard: s.Shard, FirstGame: s.FirstGame, Games: s.Games, Files: s.Files}
	for _, part := range c.Parts() {
		c.Rows += part.Rows
	}
	return c
}

// IsNamed reports whether the files of the entry have the names of its shard.
func (s Entry) IsNamed(p plan.Plan) bool {
	return slices.EqualFunc(s.Files, p.DataNames(s.Shard, s.Games), func(f FileEntry, name string) bool { return f.Name == name })
}

// NoShards returns why a dataset has no commit record: no shard was made, or the records
// were lost.
func NoShards(d disk.Dir) error {
	for _, folder := range plan.Tables {
		names, err := d.List(folder)
		if err != nil {
			return err
		}
		if len(names) > 0 {
			return fault.Corrupt("%s has files, but no shard has a record; was the dataset copied without %s?", folder, disk.Hidden)
		}
	}
	return fmt.Errorf("%w: no shard is committed; run the command that makes the dataset again", fault.ErrIncomplete)
}
