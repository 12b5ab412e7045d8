package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
)

// sumsName is the file that lists every other file of an output folder.
const sumsName = "SHA256SUMS"

// ForceFlag returns --force, for commands that write one file or one folder. CheckOutput
// reads it.
func ForceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Category: Output, Usage: "replace the output if it already exists; never a dataset"}
}

// CheckOutput refuses an output path that already exists, before the work begins. If
// --force is given it accepts an old output that may be replaced. It removes nothing: the
// command replaces the old output when the new one is complete, as package datasets/output
// does, so that a failure does not lose the old one.
//
// A regular file may be replaced, and a folder whose files are all listed in its
// SHA256SUMS. A dataset, a file inside a dataset, or a folder with any other file may not.
// The path "-" means stdout and is always accepted.
func CheckOutput(c *cli.Context, path string) error {
	if path == "-" {
		return nil
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("check output: %w", err)
	case !c.Bool("force"):
		return Usage("%s already exists (use --force to replace it)", path)
	}
	if err := checkReplaceable(path, info); err != nil {
		return Usage("replace %s: %v", path, err)
	}
	return nil
}

// checkReplaceable returns an error that says why --force may not remove path.
func checkReplaceable(path string, info fs.FileInfo) error {
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
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if parent, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(parent, filepath.Base(full))
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

func isDataset(dir string) bool {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return false
	}
	_, err := datasets.Open(dir)
	return !errors.Is(err, datasets.ErrNotDataset)
}

// checkSummed returns an error if the folder holds anything that its SHA256SUMS does not
// list.
func checkSummed(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, sumsName))
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
