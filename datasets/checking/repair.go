package checking

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// Repair removes damaged parts of the dataset in root, so that a run can make them again.
// It drops every damaged shard as a whole and brings the derived files up to date.
// It keeps intact shards, shards whose record is lost while the manifest still vouches for
// their files, and files with names that this package does not use.
//
// What it drops moves to .selfplay/removed, which is emptied when all shards are there again.
//
// Repair takes the exclusive lock. A kill at any moment is safe: another repair continues.
// The error is ErrCorrupt if the plan is damaged, if records and manifest contradict it, or if
// all records are lost, and
// ErrUnsupported if another program wrote the dataset. If a file cannot be read, Repair
// changes nothing.
func Repair(ctx context.Context, root string, o RepairOptions) (*RepairReport, error) {
	d, err := disk.At(root)
	switch {
	case err != nil:
		return nil, err
	case d.IsStore():
		return nil, fmt.Errorf("repair %s: in an object store, where no lock keeps writers away: %w; delete the files that verify "+
			"lists, of a damaged shard NNNNN both data files and .selfplay/commits/NNNNN.json, then repeat the command that made the dataset",
			d, fault.ErrUnsupported)
	}
	return RepairIn(ctx, d, o)
}

// RepairIn is Repair for an open folder. It needs the lock of a local one.
func RepairIn(ctx context.Context, d disk.Dir, o RepairOptions) (*RepairReport, error) {
	file, err := plan.Read(d)
	if err != nil {
		return nil, err
	}
	if found, err := d.Exists(disk.Hidden); !found {
		return nil, fmt.Errorf("repair %s: %w", d, errors.Join(err, record.NoShards(d)))
	}
	if err := record.CheckFolders(d); err != nil {
		return nil, err
	}
	l, err := disk.Acquire(d, false)
	if err != nil {
		return nil, err
	}
	defer l.Release()
	d.Owner = l.Owner()
	r := newRepairer(d, file, o)
	if err := r.v.run(ctx); err != nil {
		return nil, err
	}
	if err := r.refuse(); err != nil {
		return nil, err
	}
	if !o.DryRun {
		if err := record.MakeHidden(d); err != nil { // a copy may lack folders that were empty
			return nil, err
		}
	}
	return r.report, r.run(o.DryRun)
}

// refuse returns an error if it is unclear what is damaged: a file that could not be read may
// be intact, and so may shards whose records are all lost or were written by another program.
// A damaged manifest is no reason to refuse, but a folder in the place of a derived file is one.
func (r *repairer) refuse() error {
	for _, p := range r.v.report.Problems {
		if p.Kind == ProblemPlan || p.Kind == ProblemUnreadable || p.Kind == ProblemRecord && errors.Is(p.Err, fault.ErrUnsupported) {
			return fmt.Errorf("repair %s: %w", r.d, &fault.FileError{Op: "read", Path: p.Path, Err: p.Err})
		}
	}
	if err := record.CheckPlaces(r.d); err != nil {
		return fmt.Errorf("repair %s: %w", r.d, err)
	}
	if games, err := record.ReadTarget(r.d); r.v.report.Shards == 0 && (err != nil || games == 0) {
		return fmt.Errorf("repair %s: %w", r.d, record.NoShards(r.d))
	}
	return nil
}

// run plans the steps and does them, unless dry is set.
func (r *repairer) run(dry bool) error {
	steps, err := r.plan()
	if err != nil {
		return err
	}
	for _, s := range steps {
		r.report.Actions = append(r.report.Actions, s.Action)
		if dry {
			continue
		}
		if err := s.do(); err != nil {
			return fmt.Errorf("repair: %w", &fault.FileError{Op: string(s.Kind), Path: s.Path, Err: err})
		}
	}
	if dry {
		return nil
	}
	if len(r.report.Missing) == 0 && len(r.report.Left) == 0 {
		r.d.DropRemoved()
	}
	return r.d.Sweep(false)
}

// plan returns the steps of the repair. An outdated manifest is dropped before anything
// that it lists.
func (r *repairer) plan() ([]step, error) {
	if err := r.classify(); err != nil {
		return nil, err
	}
	target := r.target()
	r.report.Missing = r.records.Missing(r.file.Plan, target)
	first, last, err := r.derivedSteps()
	if err != nil {
		return nil, err
	}
	journals, err := r.dropJournals()
	if err != nil {
		return nil, err
	}
	return slices.Concat(first, r.dropForeign(), r.dropIntactRecords(), journals, r.dropDamaged(), r.dropPending(target), r.dropReplaced(), r.resetTarget(target), last), nil
}

// RepairOptions say how Repair works.
type RepairOptions struct {
	Verify VerifyOptions // how damage is found
	DryRun bool          // only report the actions
}

// RepairReport lists what a repair did, or would do.
type RepairReport struct {
	PlanHash string   `json:"plan_hash"`
	DryRun   bool     `json:"dry_run"`
	Actions  []Action `json:"actions"`           // in the order in which they are done
	Missing  []int    `json:"missing,omitempty"` // shards that a run has to make now
	// Left are problems that the repair does not solve: files that do not belong to the
	// dataset, damaged networks and answers of models, and lost records of shards with intact files. The next run makes these
	// shards again and compares.
	Left []Problem `json:"left,omitempty"`
}

// Action is one step of a repair.
type Action struct {
	Kind  ActionKind `json:"do"`
	Path  string     `json:"file"`
	Shard int        `json:"shard"` // -1 for files of the whole dataset
	Why   string     `json:"why"`
}

// ActionKind says what an action does. Programs read its values: new ones may be added,
// but none is renamed.
type ActionKind string

// The kinds of action.
const (
	ActionDropRecord ActionKind = "drop_record" // the shard no longer counts
	ActionDropFile   ActionKind = "drop_file"
	ActionWrite      ActionKind = "write" // a file that follows from the others
)

// repairer is a repair in progress.
type repairer struct {
	v       *verifier
	d       disk.Dir
	file    *plan.File
	records *record.Set     // of the shards that stay
	entries []record.Entry  // of the same shards
	damaged map[int]string  // shards to drop, with the reason
	broken  map[int]bool    // shards with a problem other than their record
	intact  map[int]bool    // shards without a valid record, but with the files of the manifest
	keep    map[string]bool // data files of the intact shards
	dropped map[string]bool // files that a step drops
	report  *RepairReport
}

func newRepairer(d disk.Dir, file *plan.File, o RepairOptions) *repairer {
	return &repairer{
		v: newVerifier(d, file, o.Verify), d: d, file: file, records: record.NewSet(file.Plan),
		damaged: map[int]string{}, broken: map[int]bool{},
		intact: map[int]bool{}, keep: map[string]bool{}, dropped: map[string]bool{},
		report: &RepairReport{PlanHash: file.Hash, DryRun: o.DryRun, Actions: []Action{}},
	}
}

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
		c, err := record.Read(r.d, r.file, s)
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
	case m.PlanHash != r.file.Hash:
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
	return s.IsNamed(r.file.Plan) && !r.broken[s.Shard]
}

// target returns the stored target. If it is lost, it returns the end of the last shard
// that the records or the manifest know.
func (r *repairer) target() uint64 {
	games := r.records.End(r.file.Plan)
	if stored, err := record.ReadTarget(r.d); err == nil && stored >= games && stored <= plan.MaxShards*uint64(r.file.Plan.ShardGames) {
		return stored
	}
	var m record.Manifest
	if data, err := r.d.ReadFile(plan.ManifestName); err == nil && canonical.Unmarshal(data, &m) == nil && m.PlanHash == r.file.Hash {
		for _, s := range m.Files {
			if first, most := r.file.Plan.GamesOf(s.Shard, ^uint64(0)); s.Shard >= 0 && s.Shard < plan.MaxShards && s.Games <= most {
				games = max(games, first+s.Games)
			}
		}
	}
	return games
}
