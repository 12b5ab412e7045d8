package making

import (
	"errors"
	"fmt"

	"selfplay/datasets/derived"
	"selfplay/datasets/disk"
	"selfplay/datasets/heartbeat"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// Finalize completes the work of tasks. It removes what killed processes left, checks
// that the files of every committed shard exist and have their sizes, writes the derived
// files, and returns the shards of the target that are missing. Make does the same at its
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
func Finalize(root string, asItStands bool) (missing []int, err error) {
	d, err := disk.At(root)
	if err != nil {
		return nil, err
	}
	h, err := plan.Read(d)
	if err != nil {
		return nil, err
	}
	if err := record.CheckFolders(d); err != nil {
		return nil, err
	}
	if err := d.FS.MkdirAll(d.Path(disk.Hidden)); err != nil {
		return nil, err
	}
	l, err := disk.Acquire(d, false)
	if err != nil {
		return nil, err
	}
	defer l.Release()
	d.Owner = l.Owner()
	if err := errors.Join(record.MakeHidden(d), d.Sweep(false)); err != nil {
		return nil, err
	}
	return finalize(d, h, asItStands)
}

// finalize is Finalize under the lock.
func finalize(d disk.Dir, h *plan.File, asItStands bool) (missing []int, err error) {
	before, targetErr := record.ReadStoredTarget(d)
	known, err := derived.Read(d, h, true)
	if err != nil {
		return nil, err
	}
	records := known.Records
	if len(records.List) == 0 {
		return nil, fmt.Errorf("finalize %s: %w", d, record.NoShards(d))
	}
	if err := record.CheckManifest(d, h, known.Stored, records); err != nil {
		return nil, err
	}
	if err := record.CheckAllSizes(d, h.Plan, records.List); err != nil {
		return nil, err
	}
	target := records.End(h.Plan)
	if !asItStands {
		target = max(target, before.Games)
	}
	switch {
	case targetErr != nil && (d.IsStore() || !asItStands):
		return nil, targetErr
	case d.IsStore():
		err = finalTarget(d, h, before, records, target)
	default:
		err = record.SetTarget(d, target, false)
	}
	if err != nil {
		return nil, err
	}
	if err := errors.Join(record.FinishSuperseding(d, h.Plan), journal.Sweep(d, records.Committed()), known.Write(d, h), checkFinal(d, target)); err != nil {
		return nil, err
	}
	if missing = records.Missing(h.Plan, target); len(missing) == 0 {
		_ = heartbeat.Clear(d) // the tasks are done; old heartbeats do no harm
	}
	return missing, nil
}
