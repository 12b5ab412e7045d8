//go:build !nos3

package app

import (
	"selfplay/cmd/internal/s3store"
	"selfplay/datasets/disk"
)

// openStore returns the directory of a dataset in an object store.
func openStore(url, endpoint, scratch string) (disk.Dir, error) {
	return s3store.Open(url, s3store.Settings{Endpoint: endpoint, Scratch: scratch})
}
