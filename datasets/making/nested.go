package making

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

// ErrNested means that a directory lies inside a dataset, where a dataset of its own would
// damage the outer one.
var ErrNested = errors.New("inside another dataset")

// CheckNested returns ErrNested if a directory, which need not exist, lies inside a dataset. It
// follows links. In an object store it asks for the plan below each shorter prefix.
func CheckNested(dir string) error {
	if disk.IsURL(dir) {
		return checkNestedURL(dir)
	}
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

// checkNestedURL is CheckNested in an object store. Datasets in other buckets are no matter.
func checkNestedURL(url string) error {
	d, err := disk.At(url)
	if err != nil {
		return err
	}
	scheme, rest, _ := strings.Cut(d.URL, "://")
	for parent := path.Dir(rest); parent != "."; parent = path.Dir(parent) {
		outer, err := disk.At(scheme + "://" + parent)
		if err != nil {
			return err
		}
		found, err := isStoredDataset(outer)
		if err != nil {
			return err
		}
		if found {
			return fmt.Errorf("make %s: %w: %s", d, ErrNested, outer)
		}
	}
	return nil
}

// isStoredDataset is isDataset in an object store. It reads the plan, because the answer to a read says
// what is wrong with credentials.
func isStoredDataset(d disk.Dir) (bool, error) {
	if _, err := d.ReadFile(plan.FileName); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return false, err
	}
	for _, name := range []string{plan.TargetName, plan.ManifestName} {
		if found, err := d.Exists(name); found || err != nil {
			return found, err
		}
	}
	return false, nil
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
	return has(plan.FileName) && (has(disk.Hidden) || has(plan.ManifestName))
}
