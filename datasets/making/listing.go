package making

import (
	"fmt"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/goroutine"
)

// Listings of an object store may lag behind its objects. So a listing never decides that a shard
// is missing where the answer is written down: the record is asked for by its name.

// recordChecks is the number of records that are asked for at once.
const recordChecks = 32

// checkListing returns an error if a shard of a dataset in a store has a record that is not among
// records, up to the shards of target games.
func checkListing(d disk.Dir, p plan.Plan, records *record.Set, target uint64) error {
	if !d.IsStore() {
		return nil
	}
	g := goroutine.New()
	g.SetLimit(recordChecks)
	for _, s := range records.Missing(p, target) {
		if records.Games(s) > 0 { // it is short
			continue
		}
		g.Go(func() error {
			found, err := d.Exists(plan.CommitName(s))
			if found {
				err = fmt.Errorf("finalize %s: %s exists, but was not in the listing: a run has just committed it, "+
					"or the store lists it late; try again when all runs have ended", d, plan.CommitName(s))
			}
			return err
		})
	}
	return g.Wait()
}
