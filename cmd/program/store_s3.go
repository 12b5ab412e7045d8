//go:build !nos3

package program

import (
	"context"

	"selfplay/cmd/internal/s3store"
	"selfplay/datasets/disk"
)

// openStore returns the directory of a dataset in an object store, whose requests end with ctx.
func openStore(ctx context.Context, url, endpoint, scratch string) (disk.Dir, error) {
	return s3store.Open(url, s3store.Settings{Endpoint: endpoint, Scratch: scratch, Context: ctx})
}
