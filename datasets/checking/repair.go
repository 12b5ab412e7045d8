package checking

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"selfplay/datasets/derived"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// Repair removes damaged parts of the dataset in root, so that a run can make them again.
// It drops every damaged shard as a whole and brings the derived files up to date.
// It keeps intact shards, shards whose record is lost while the manifest still vouches for
// their files, and files with names that this package does not use.
//
// Repair takes the exclusive lock. A kill at any moment is safe: another repair continues.
// The error is ErrCorrupt if the plan is damaged or all records are lost, and
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
	h, err := plan.Read(d)
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
	r := newRepairer(d, h, o)
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
	if err := derived.CheckPlaces(r.d); err != nil {
		return fmt.Errorf("repair %s: %w", r.d, err)
	}
	if games, err := record.ReadTarget(r.d); r.v.report.Shards == 0 && (err != nil || games == 0) {
		return fmt.Errorf("repair %s: %w", r.d, record.NoShards(r.d))
	}
	for _, p := range r.v.report.Problems {
		if p.Kind == ProblemPlan || p.Kind == ProblemUnreadable || p.Kind == ProblemRecord && errors.Is(p.Err, fault.ErrUnsupported) {
			return fmt.Errorf("repair %s: %w", r.d, &fault.FileError{Op: "read", Path: p.Path, Err: p.Err})
		}
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
	return r.d.Sweep(false)
}

// plan returns the steps of the repair. An outdated manifest is dropped before anything
// that it lists.
func (r *repairer) plan() ([]step, error) {
	if err := r.classify(); err != nil {
		return nil, err
	}
	target := r.target()
	r.report.Missing = r.records.Missing(r.h.Plan, target)
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
