package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"selfplay/datasets/disk"
)

// ErrNested means that a directory lies inside a dataset, where a dataset of its own would
// damage the outer one.
var ErrNested = errors.New("inside another dataset")

// CheckNested returns ErrNested if dir, which need not exist, lies inside a dataset. It
// follows links.
func CheckNested(dir string) error {
	full, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for parent := resolve(full); parent != filepath.Dir(parent); {
		parent = filepath.Dir(parent)
		if isDataset(parent) {
			return fmt.Errorf("make %s: %w: %s", dir, ErrNested, parent)
		}
	}
	return nil
}

// resolve follows the links in a path as far as it exists.
func resolve(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) && path != filepath.Dir(path) {
		return filepath.Join(resolve(filepath.Dir(path)), filepath.Base(path))
	}
	if err != nil {
		return path
	}
	return real
}

// isDataset reports whether a folder has the plan of a dataset, and bookkeeping or a
// manifest.
func isDataset(dir string) bool {
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	return has(PlanName) && (has(disk.Hidden) || has(manifestName))
}
