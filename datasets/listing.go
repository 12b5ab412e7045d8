package datasets

import (
	"fmt"

	"selfplay/datasets/disk"
	"selfplay/internal/goroutine"
)

// Listings of an object store may lag behind its objects. So a listing never decides that a shard
// is missing where the answer is written down: the record is asked for by its name.

// asking is the number of records that are asked for at once.
const asking = 32

// checkListing returns an error if one of the missing shards of a dataset in a store has a record.
func checkListing(d disk.Dir, missing []int) error {
	if !d.IsStore() || len(missing) == 0 {
		return nil
	}
	g := goroutine.New()
	g.SetLimit(asking)
	for _, s := range missing {
		g.Go(func() error {
			found, err := d.Exists(commitName(s))
			if found {
				err = fmt.Errorf("finalize %s: %s exists, but the store does not list it yet; try again later", d, commitName(s))
			}
			return err
		})
	}
	return g.Wait()
}
