package making

import (
	"errors"
	"fmt"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

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
func finalTarget(d disk.Dir, h *plan.File, before record.StoredTarget, records *record.Set, games uint64) error {
	if err := checkListing(d, h, records, before.Games); err != nil {
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
	if err := checkListing(d, h, records, before.Games); err != nil {
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
