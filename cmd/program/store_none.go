//go:build nos3

package program

import (
	"context"
	"fmt"

	"selfplay/datasets/disk"
)

// openStore refuses: the build tag nos3 leaves object stores out.
func openStore(_ context.Context, url, _, _ string) (disk.Dir, error) {
	return disk.Dir{}, fmt.Errorf("open %s: this program was built without object stores (nos3)", url)
}
