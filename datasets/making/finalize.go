package making

import (
	"errors"
	"fmt"
	"io/fs"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/internal/goroutine"
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
	file, err := plan.Read(d)
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
	return finalize(d, file, asItStands)
}

// finalize is Finalize under the lock.
func finalize(d disk.Dir, file *plan.File, asItStands bool) (f Final, err error) {
	before, targetErr := record.ReadStoredTarget(d)
	known, err := record.ReadDerivation(d, file, true)
	if err != nil {
		return f, err
	}
	records := known.Records
	if len(records.List) == 0 {
		return f, fmt.Errorf("finalize %s: %w", d, record.NoShards(d))
	}
	if err := record.CheckManifest(d, file, known.Stored, records); err != nil {
		return f, err
	}
	if err := record.CheckAllSizes(d, file.Plan, records.List); err != nil {
		return f, err
	}
	target := records.End(file.Plan)
	if !asItStands {
		target = max(target, before.Games)
	}
	if targetErr != nil && (d.IsStore() || !asItStands) {
		return f, targetErr
	}
	f.Abandoned, err = records.Abandoned(d, file.Plan, known.Stored, before.Games, target)
	if err != nil {
		return f, err
	}
	if d.IsStore() {
		err = finalTarget(d, file, before, records, target)
	} else if err = record.DropFiles(d, f.Abandoned); err == nil {
		f.Abandoned = nil
		err = record.SetTarget(d, target, false)
	}
	if err != nil {
		return f, err
	}
	complete := records.Complete(file.Plan, target)
	if err := errors.Join(records.DropReplaced(d, file.Plan), journal.Sweep(d, complete), known.Write(d, file)); err != nil {
		return f, err
	}
	if err := errors.Join(checkFinal(d, target), checkWritten(d, file, records, target)); err != nil {
		return f, err
	}
	f.Missing = records.Missing(file.Plan, target)
	if len(f.Missing) == 0 {
		_ = status.ClearBeats(d) // the tasks are done; old heartbeats do no harm
		d.DropRemoved()
	}
	return f, nil
}

// Listings of an object store may lag behind its objects. So a listing never decides that a shard
// is missing where the answer is written down: the record is asked for by its name. That of a short shard is
// read again, because another run may have extended the shard.

// recordChecks is the number of records that are asked for at once.
const recordChecks = 32

// checkListing returns an error if a shard of a dataset in a store has a record that is not among
// records, up to the shards of target games, or one with other games.
func checkListing(d disk.Dir, file *plan.File, records *record.Set, target uint64) error {
	if !d.IsStore() {
		return nil
	}
	g := goroutine.New()
	g.SetLimit(recordChecks)
	for s := range file.Plan.Shards(target) {
		known := records.Games(s)
		if known == uint64(file.Plan.ShardGames) {
			continue
		}
		g.Go(func() error {
			c, err := record.Read(d, file, s)
			switch {
			case errors.Is(err, fs.ErrNotExist) && known == 0:
				return nil
			case err != nil || c.Games == known:
				return err
			case known > 0:
				return fmt.Errorf("finalize %s: %s has %d games, and had %d: a run has just extended its shard; try again when all runs have ended",
					d, plan.CommitName(s), c.Games, known)
			}
			return fmt.Errorf("finalize %s: %s exists, but was not in the listing: a run has just committed it, "+
				"or the store lists it late; try again when all runs have ended", d, plan.CommitName(s))
		})
	}
	return g.Wait()
}

// checkWritten is checkListing after the manifest was written. Another run removes a manifest when it has extended a
// shard, and may have done so before this one was written.
func checkWritten(d disk.Dir, file *plan.File, records *record.Set, target uint64) error {
	err := checkListing(d, file, records, target)
	if err != nil {
		err = errors.Join(err, record.DropManifest(d))
	}
	return err
}

// In an object store no lock keeps tasks of other machines away while Finalize lowers the target.
// This order of requests keeps every committed shard below the target:
//
//   - Finalize stores the lower target, then asks for the records of the shards beyond it. If there
//     is one, it restores the target and fails.
//   - A task looks at the target before it publishes a shard, and fails if the shard lies beyond it.
//     It looks once more after it has published the record. If the target was lowered in between, it
//     raises the target to the end of the shard and fails.
//
// One of the two always sees what the other has written, because a store shows an object as soon as
// it has confirmed its PUT.

// ErrTargetLowered means that Finalize has lowered the target while a task was making shards beyond it.
var ErrTargetLowered = errors.New("the target was lowered")

// checkBelowTarget returns ErrTargetLowered if a shard that ends before game end is no longer wanted.
func checkBelowTarget(d disk.Dir, end uint64) error {
	if !d.IsStore() {
		return nil
	}
	games, err := record.ReadTarget(d)
	if err == nil && games < end {
		err = fmt.Errorf("%w to %d games while this run makes more; repeat its command to extend the dataset again", ErrTargetLowered, games)
	}
	return err
}

// keepBelowTarget is checkBelowTarget for a shard that is committed: it has to stay below the target.
func keepBelowTarget(d disk.Dir, end uint64) error {
	err := checkBelowTarget(d, end)
	if !errors.Is(err, ErrTargetLowered) {
		return err
	}
	if raiseErr := record.RaiseTarget(d, end); raiseErr != nil {
		return errors.Join(err, raiseErr)
	}
	return fmt.Errorf("%w; it is %d games again, because the shard was committed at that moment", err, end)
}

// finalTarget replaces the stored target by that of a finalized dataset, and returns an error if runs of
// other machines work on it. before was read before the records.
func finalTarget(d disk.Dir, file *plan.File, before record.StoredTarget, records *record.Set, games uint64) error {
	if err := checkListing(d, file, records, before.Games); err != nil {
		return err
	}
	if games == before.Games {
		return nil
	}
	if err := before.Replace(d, games); err != nil {
		return explainChanged(d, err)
	}
	if games > before.Games {
		return nil
	}
	if err := checkListing(d, file, records, before.Games); err != nil {
		return errors.Join(err, record.RaiseTarget(d, before.Games))
	}
	return nil
}

// checkFinal returns an error if the target of a dataset in a store was changed since it was set.
func checkFinal(d disk.Dir, games uint64) error {
	if !d.IsStore() {
		return nil
	}
	stored, err := record.ReadTarget(d)
	if err == nil && stored != games {
		err = explainChanged(d, &fault.FileError{Op: "read", Path: plan.TargetName, Err: disk.ErrChanged})
	}
	return err
}

// explainChanged adds to disk.ErrChanged what to do. It returns other errors unchanged.
func explainChanged(d disk.Dir, err error) error {
	if !errors.Is(err, disk.ErrChanged) {
		return err
	}
	return fmt.Errorf("finalize %s: %w: a run works on the dataset; try again when all runs have ended", d, err)
}
