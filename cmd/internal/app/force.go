package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"selfplay/datasets/output"
)

// ForceFlag returns --force, for commands that write one file or one folder. CheckOutput
// reads it.
func ForceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Category: Output, Usage: "replace the output if it already exists; never a dataset"}
}

// CheckOutput refuses an output path that already exists, before the work begins. If
// --force is given it accepts an old output that output.CheckReplaceable accepts. It
// removes nothing: package output replaces the old output when the new one is complete, so
// that a failure does not lose the old one. The path "-" means stdout and is always
// accepted.
func CheckOutput(c *cli.Context, path string) error {
	if path == "-" {
		return nil
	}
	if err := RefuseURL(path); err != nil {
		return err
	}
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("check output: %w", err)
	case !c.Bool("force"):
		return Usage("%s already exists (use --force to replace it)", path)
	}
	if err := output.CheckReplaceable(path); err != nil {
		return Usage("replace %s: %v", path, err)
	}
	return nil
}
