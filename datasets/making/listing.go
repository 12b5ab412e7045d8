package making

import (
	"errors"
	"fmt"
	"io/fs"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/goroutine"
)

// Listings of an object store may lag behind its objects. So a listing never decides that a shard
// is missing where the answer is written down: the record is asked for by its name. That of a short shard is
// read again, because another run may have extended the shard.

// recordChecks is the number of records that are asked for at once.
const recordChecks = 32

// checkListing returns an error if a shard of a dataset in a store has a record that is not among
// records, up to the shards of target games, or one with other games.
func checkListing(d disk.Dir, h *plan.File, records *record.Set, target uint64) error {
	if !d.IsStore() {
		return nil
	}
	g := goroutine.New()
	g.SetLimit(recordChecks)
	for s := range h.Plan.Shards(target) {
		known := records.Games(s)
		if known == uint64(h.Plan.ShardGames) {
			continue
		}
		g.Go(func() error {
			c, err := record.Read(d, h, s)
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
func checkWritten(d disk.Dir, h *plan.File, records *record.Set, target uint64) error {
	err := checkListing(d, h, records, target)
	if err != nil {
		err = errors.Join(err, record.DropManifest(d))
	}
	return err
}
