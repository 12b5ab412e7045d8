package output

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/disk"
)

// CheckReplaceable returns an error that says why the output at path, which exists, must
// not be replaced. A regular file may be replaced, and a folder whose files are all listed
// in its SHA256SUMS. A dataset, a file inside a dataset, or a folder with any other file
// may not.
func CheckReplaceable(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if err := checkOutsideDatasets(path); err != nil {
		return err
	}
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return checkSummed(path)
	}
	return errors.New("it is neither a regular file nor a folder")
}

// checkOutsideDatasets returns an error if path is a dataset or lies in one. A directory
// with a plan.json counts as a dataset even if the plan is damaged.
func checkOutsideDatasets(path string) error {
	full, err := resolve(path)
	if err != nil {
		return err
	}
	for dir := full; ; dir = filepath.Dir(dir) {
		if isDataset(dir) {
			return fmt.Errorf("%s is a dataset; remove it yourself if you no longer need it", dir)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// resolve returns the absolute path of a file that need not exist, without symbolic links in
// its folder.
func resolve(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if parent, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(parent, filepath.Base(full))
	}
	return full, nil
}

func isDataset(dir string) bool {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return false
	}
	_, err := datasets.Open(dir)
	return !errors.Is(err, datasets.ErrNotDataset)
}

// LiesIn reports whether path is the directory dir or lies in it. path need not exist. Either may
// be the URL of an object store.
func LiesIn(path, dir string) (bool, error) {
	if disk.IsURL(path) || disk.IsURL(dir) {
		return strings.HasPrefix(strings.TrimRight(path, "/")+"/", strings.TrimRight(dir, "/")+"/"), nil
	}
	parent, err := os.Stat(dir)
	if err != nil {
		return false, err
	}
	full, err := resolve(path)
	if err != nil {
		return false, err
	}
	for ; full != filepath.Dir(full); full = filepath.Dir(full) {
		if info, err := os.Stat(full); err == nil && os.SameFile(info, parent) {
			return true, nil
		}
	}
	return false, nil
}

// checkSummed returns an error if the folder holds anything that its SHA256SUMS does not
// list.
func checkSummed(dir string) error {
	data, err := disk.ReadRegular(filepath.Join(dir, sumsName), disk.MaxFile)
	if err != nil {
		return fmt.Errorf("it is a folder without %s, so another program may have written it", sumsName)
	}
	listed := map[string]bool{sumsName: true}
	for line := range strings.Lines(string(data)) {
		if _, name, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "  "); ok {
			listed[name] = true
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !listed[e.Name()] || !e.Type().IsRegular() {
			return fmt.Errorf("it holds %s, which %s does not list", e.Name(), sumsName)
		}
	}
	return nil
}
