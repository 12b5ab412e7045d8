package datasets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"slices"
	"strings"
)

// Repair takes out of a dataset what is not as it was committed, so that a run can
// make it again: shards whole, record before files, and derived files. A shard goes
// the way of one that is replaced (retire.go), so that after a kill at any moment a
// run or another repair goes on. Nothing that is whole is touched, also a shard whose
// record is lost while the manifest still vouches for its files, and no file that this
// package cannot have written.

// Repair is what is repaired, and how.
type Repair struct {
	Verification      // how damage is found
	DryRun       bool // say what would be done
}

// Action is one thing that a repair does.
type Action struct {
	Do    ActionKind `json:"do"`
	Path  string     `json:"file"`
	Shard int        `json:"shard"` // -1 for files of the whole dataset
	Why   string     `json:"why"`
}

// ActionKind is what is done. Programs read it: append, never rename.
type ActionKind string

// The kinds of action.
const (
	ActionDropRecord ActionKind = "drop_record" // the shard counts no more
	ActionDropFile   ActionKind = "drop_file"
	ActionWrite      ActionKind = "write" // a file that follows from the others
)

// Repaired is what a repair did, or would do.
type Repaired struct {
	PlanHash string   `json:"plan_hash"`
	DryRun   bool     `json:"dry_run"`
	Actions  []Action `json:"actions"`
	Missing  []int    `json:"missing,omitempty"` // shards that a run has to make now
	// Left is what a repair does not put right: files that no dataset has, and shards whose
	// files are whole but whose record is not. A run makes these again, and compares.
	Left []Problem `json:"left,omitempty"`
}

// repairer is a repair under way.
type repairer struct {
	v       *verifier
	d       disk.Dir
	h       *header
	bad     map[int]string  // why shards are bad
	commits []*Commit       // of the shards that stay
	whole   map[int]bool    // shards without a good record for whose files the manifest vouches
	gone    map[string]bool // files that a step drops
	out     *Repaired
}

// Run repairs the dataset in root. A dataset whose plan is damaged is refused with an
// error that is ErrCorrupt.
func (what Repair) Run(ctx context.Context, root string) (*Repaired, error) {
	return what.run(ctx, disk.Dir{Root: root, FS: disk.OS{}})
}

func (what Repair) run(ctx context.Context, d disk.Dir) (*Repaired, error) {
	h, err := readHeader(d)
	if err != nil {
		return nil, err
	}
	if there, err := d.Exists(disk.Hidden); !there {
		return nil, fmt.Errorf("repair %s: %w", d.Root, errors.Join(err, noShards(d)))
	}
	l, err := disk.Acquire(d, false)
	if err != nil {
		return nil, err
	}
	defer l.Release()
	d.Owner = l.Owner()
	r := &repairer{
		v: newVerifier(&Dataset{d, h}, what.Verification), d: d, h: h,
		bad: map[int]string{}, whole: map[int]bool{}, gone: map[string]bool{},
		out: &Repaired{PlanHash: h.hash, DryRun: what.DryRun, Actions: []Action{}},
	}
	if err := r.v.run(ctx); err != nil {
		return nil, err
	}
	if err := r.refuse(); err != nil {
		return nil, err
	}
	if !what.DryRun {
		if err := makeHidden(d); err != nil { // copies leave out folders that are empty
			return nil, err
		}
	}
	return r.out, r.repair(what.DryRun)
}

// refuse returns what makes every repair a guess. What could not be read may be whole,
// and so may shards whose records are all lost, or of a newer program. A manifest of one
// is no loss: it follows from the records.
func (r *repairer) refuse() error {
	if games, err := readTarget(r.d); r.v.report.Shards == 0 && (err != nil || games == 0) {
		return fmt.Errorf("repair %s: %w", r.d.Root, noShards(r.d))
	}
	for _, p := range r.v.report.Problems {
		if p.Kind == ProblemPlan || p.Kind == ProblemUnreadable || p.Kind == ProblemRecord && errors.Is(p.Err, ErrUnsupported) {
			return fmt.Errorf("repair %s: %w", r.d.Root, &FileError{Op: "read", Path: p.Path, Err: p.Err})
		}
	}
	return nil
}

// repair does what is to be done. A manifest that has to go goes before what it tells of.
func (r *repairer) repair(dry bool) error {
	if err := r.sort(); err != nil {
		return err
	}
	target := r.target()
	r.out.Missing = missingShards(r.h.plan, r.commits, target)
	first, last, err := r.derive()
	if err != nil {
		return err
	}
	for _, s := range slices.Concat(first, r.dropForeign(), r.dropRecords(), r.dropShards(), r.dropPending(), r.resetTarget(target), last) {
		r.out.Actions = append(r.out.Actions, s.Action)
		if dry {
			continue
		}
		if err := s.do(); err != nil {
			return fmt.Errorf("repair: %w", &FileError{Op: string(s.Do), Path: s.Path, Err: err})
		}
	}
	if dry {
		return nil
	}
	return errors.Join(finishSuperseding(r.d, r.h.plan), r.d.Sweep(false))
}

// step is an action and how it is done.
type step struct {
	Action
	do func() error
}

// sort tells bad shards from those that stay.
func (r *repairer) sort() error {
	for _, p := range r.v.report.Problems {
		if p.Shard != noShard && r.bad[p.Shard] == "" {
			r.bad[p.Shard] = p.Error()
		}
	}
	names, err := r.d.List(commitsName)
	if err != nil {
		return err
	}
	for _, name := range names {
		s, ok := shardOf(name)
		if !ok || r.bad[s] != "" {
			continue
		}
		c, err := readCommit(r.d, r.h, s)
		if err != nil {
			return err // it was read a moment ago
		}
		r.commits = append(r.commits, c)
	}
	slices.SortFunc(r.commits, func(a, b *Commit) int { return a.Shard - b.Shard })
	return r.sortWhole()
}

// sortWhole finds the shards whose record is lost but whose files are those of the
// manifest.
func (r *repairer) sortWhole() error {
	m, err := readManifest(r.d)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrCorrupt), errors.Is(err, ErrUnsupported):
		return nil // there is nothing that vouches for them
	case err != nil:
		return err
	case m.PlanHash != r.h.hash:
		return nil
	}
	for _, s := range m.Files {
		named := s.Positions.Name == r.h.plan.dataName(positionsName, s.Shard) && s.GamesFile.Name == r.h.plan.dataName(gamesName, s.Shard)
		committed := slices.ContainsFunc(r.commits, func(c *Commit) bool { return c.Shard == s.Shard })
		if !named || committed || r.hasBadFile(s.Shard) {
			continue
		}
		err := errors.Join(checkSum(r.d, s.Positions.Name, s.Positions), checkSum(r.d, s.GamesFile.Name, s.GamesFile))
		switch {
		case err == nil:
			r.whole[s.Shard] = true
			delete(r.bad, s.Shard)
			r.out.Left = append(r.out.Left, problemOf(ProblemRecord, s.Shard, commitName(s.Shard),
				fault.Corrupt("lost, but the files of the shard are whole: a run makes it again, and compares")))
		case !errors.Is(err, ErrCorrupt) && !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

// hasBadFile reports whether a shard is bad for something else than its record.
func (r *repairer) hasBadFile(s int) bool {
	return slices.ContainsFunc(r.v.report.Problems, func(p Problem) bool { return p.Shard == s && p.Kind != ProblemRecord })
}

// target returns the target, or, where it is lost, the most games that are known to
// have been there.
func (r *repairer) target() uint64 {
	games := uint64(0)
	if n := len(r.commits); n > 0 {
		games = r.commits[n-1].FirstGame + r.commits[n-1].Games
	}
	if there, err := readTarget(r.d); err == nil && there >= games && there <= maxShards*uint64(r.h.plan.ShardGames) {
		return there
	}
	var m manifest
	if data, err := r.d.ReadFile(manifestName); err == nil && decodeJSON(data, &m) == nil && m.PlanHash == r.h.hash {
		for _, s := range m.Files {
			if first, most := r.h.plan.games(s.Shard, ^uint64(0)); s.Shard >= 0 && s.Shard < maxShards && s.Games <= most {
				games = max(games, first+s.Games)
			}
		}
	}
	return games
}

// dropRecords drops what there is of the records of shards whose files are whole.
func (r *repairer) dropRecords() (steps []step) {
	for _, s := range slices.Sorted(maps.Keys(r.whole)) {
		steps = append(steps, r.drop(commitName(s), s, "damaged")...)
	}
	return steps
}

// dropShards retires the bad shards, so that they count no more, and drops their
// files.
func (r *repairer) dropShards() (steps []step) {
	for _, s := range slices.Sorted(maps.Keys(r.bad)) {
		if there, _ := r.d.Exists(commitName(s)); there {
			steps = append(steps, step{Action{ActionDropRecord, commitName(s), s, r.bad[s]}, func() error { return supersede(r.d, s) }})
		}
		for _, table := range tables {
			steps = append(steps, r.drop(r.h.plan.dataName(table, s), s, "its shard is dropped")...)
		}
	}
	return steps
}

// drop removes a file, if there is one and nothing else drops it.
func (r *repairer) drop(name string, shard int, why string) []step {
	if _, err := r.d.FS.Stat(r.d.Path(name)); errors.Is(err, fs.ErrNotExist) || r.gone[name] {
		return nil
	}
	r.gone[name] = true
	return []step{{Action{ActionDropFile, name, shard, why}, func() error {
		return errors.Join(r.d.Remove(name), r.d.SyncFolder(name))
	}}}
}

// dropForeign drops what nothing names. A file that no shard of the plan has stays.
func (r *repairer) dropForeign() (steps []step) {
	for _, p := range r.v.report.Problems {
		switch folder := path.Dir(p.Path); {
		case p.Kind != ProblemForeign || r.isWhole(p.Path):
		case folder == commitsName || folder == supersededName || r.ours(path.Base(p.Path)):
			steps = append(steps, r.drop(p.Path, noShard, p.Problem)...)
		default:
			r.out.Left = append(r.out.Left, p)
		}
	}
	return steps
}

// dropPending drops what a killed run left: the next makes it again, to compare.
func (r *repairer) dropPending() (steps []step) {
	for _, name := range r.v.report.Pending {
		if !r.isWhole(name) {
			steps = append(steps, r.drop(name, noShard, "its shard has no record")...)
		}
	}
	return steps
}

// isWhole reports whether a data file is of a shard that is whole.
func (r *repairer) isWhole(name string) bool {
	for s := range r.whole {
		if name == r.h.plan.dataName(positionsName, s) || name == r.h.plan.dataName(gamesName, s) {
			return true
		}
	}
	return false
}

// ours reports whether a data file has the name of a shard, if in the other split.
func (r *repairer) ours(name string) bool {
	split, rest, _ := strings.Cut(name, "-")
	number, format, _ := strings.Cut(rest, ".")
	_, ok := shardOf(number + ".json")
	return ok && (split == Train || split == Validation) && format == r.h.plan.Format
}

// resetTarget writes the target where it is lost.
func (r *repairer) resetTarget(games uint64) []step {
	i := slices.IndexFunc(r.v.report.Problems, func(p Problem) bool { return p.Kind == ProblemTarget })
	if i < 0 {
		return nil
	}
	why := fmt.Sprintf("%s; %d games are known of", r.v.report.Problems[i].Problem, games)
	if games == 0 {
		return r.drop(targetName, noShard, why)
	}
	return []step{{Action{ActionWrite, targetName, noShard, why}, func() error {
		return r.d.Replace(targetName, encodeTarget(games))
	}}}
}

// underived says why the derived files are not those of the shards that stay, "" if they
// are.
func (r *repairer) underived() string {
	i := slices.IndexFunc(r.v.report.Problems, func(p Problem) bool { return p.Kind == ProblemManifest || p.Kind == ProblemCard })
	switch {
	case i >= 0:
		return r.v.report.Problems[i].Error()
	case len(r.bad) > 0:
		return "shards are dropped"
	}
	return ""
}

// derive makes the derived files again where every shard is there, and drops them
// where they tell of shards that are gone. The manifest vouches for all that it tells
// of, so it is dropped before anything else.
func (r *repairer) derive() (before, after []step, err error) {
	why := r.underived()
	switch {
	case why == "" || len(r.whole) > 0: // for which the manifest vouches
		return nil, nil, nil
	case len(r.out.Missing) > 0 || len(r.commits) == 0:
		return r.drop(manifestName, noShard, why), append(r.drop(croissantName, noShard, why), r.drop(cardName, noShard, why)...), nil
	}
	files, err := differing(r.d, newManifest(r.h, r.commits).derived(r.h))
	for i, f := range files {
		after = append(after, step{Action{ActionWrite, f.name, noShard, why}, func() error {
			if i == 0 && vouched(files) {
				if err := dropManifest(r.d); err != nil {
					return err
				}
			}
			return r.d.Replace(f.name, f.data)
		}})
	}
	return nil, after, err
}
