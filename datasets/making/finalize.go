package making

import (
	"errors"
	"fmt"

	"selfplay/datasets/derived"
	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
)

// Final is what Finalize found.
type Final struct {
	Missing []int // shards of the target that are not committed

	// Abandoned are data files beyond the target that no record names, in an object store: killed tasks
	// left them, or a task is about to record them. On a disk Finalize removes them.
	Abandoned []string
}

// Finalize completes the work of tasks. It removes what killed processes left, checks
// that the files of every committed shard exist and have their sizes, writes the derived
// files, and tells which shards of the target are missing. Make does the same at its
// end, so Finalize is also the way to restore lost derived files.
//
// With asItStands, Finalize first lowers the target to the committed games. A run that
// was stopped is then complete, unless a shard before the last committed one is missing.
// A later run can still extend the dataset.
//
// If the manifest and a commit record disagree, the error is ErrCorrupt and names the shard;
// nothing is written. Repair drops such a shard.
//
// Finalize takes the exclusive lock; it is ErrLocked while another process writes. Without
// any committed shard the error is ErrIncomplete, or ErrCorrupt if data files exist. In an object
// store, where the lock does not reach other machines, it fails if a run works on the dataset.
func Finalize(root string, asItStands bool) (Final, error) {
	d, err := disk.At(root)
	if err != nil {
		return Final{}, err
	}
	h, err := plan.Read(d)
	if err != nil {
		return Final{}, err
	}
	if err := record.CheckFolders(d); err != nil {
		return Final{}, err
	}
	if err := d.FS.MkdirAll(d.Path(disk.Hidden)); err != nil {
		return Final{}, err
	}
	l, err := disk.Acquire(d, false)
	if err != nil {
		return Final{}, err
	}
	defer l.Release()
	d.Owner = l.Owner()
	if err := errors.Join(record.MakeHidden(d), d.Sweep(false)); err != nil {
		return Final{}, err
	}
	return finalize(d, h, asItStands)
}

// finalize is Finalize under the lock.
func finalize(d disk.Dir, h *plan.File, asItStands bool) (f Final, err error) {
	before, targetErr := record.ReadStoredTarget(d)
	known, err := derived.Read(d, h, true)
	if err != nil {
		return f, err
	}
	records := known.Records
	if len(records.List) == 0 {
		return f, fmt.Errorf("finalize %s: %w", d, record.NoShards(d))
	}
	if err := record.CheckManifest(d, h, known.Stored, records); err != nil {
		return f, err
	}
	if err := record.CheckAllSizes(d, h.Plan, records.List); err != nil {
		return f, err
	}
	target := records.End(h.Plan)
	if !asItStands {
		target = max(target, before.Games)
	}
	if targetErr != nil && (d.IsStore() || !asItStands) {
		return f, targetErr
	}
	if f.Abandoned, err = records.Abandoned(d, h.Plan, known.Stored, before.Games, target); err != nil {
		return f, err
	}
	if d.IsStore() {
		err = finalTarget(d, h, before, records, target)
	} else if err = record.DropFiles(d, f.Abandoned); err == nil {
		f.Abandoned = nil
		err = record.SetTarget(d, target, false)
	}
	if err != nil {
		return f, err
	}
	complete := records.Complete(h.Plan, target)
	if err := errors.Join(records.DropReplaced(d, h.Plan), journal.Sweep(d, complete), known.Write(d, h)); err != nil {
		return f, err
	}
	if err := errors.Join(checkFinal(d, target), checkWritten(d, h, records, target)); err != nil {
		return f, err
	}
	if f.Missing = records.Missing(h.Plan, target); len(f.Missing) == 0 {
		_ = status.ClearBeats(d) // the tasks are done; old heartbeats do no harm
	}
	return f, nil
}
