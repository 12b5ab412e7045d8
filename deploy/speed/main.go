// Command speed measures the program on this machine: against another commit, or for docs/lab/speed.md.
//
// With -base it builds that commit, in a work tree of its own, and the files of the current folder. Then both
// make the same datasets in turn, one goroutine at a time, the base first in every other pair. A figure of
// another host or day is no baseline; the ratio of two runs that follow each other is little disturbed by
// other work on the machine. It prints the median CPU time of the base in seconds, the median speed of the
// current program as a multiple of the base, and the range in which the true median lies with 95 %
// probability, by order statistics.
//
// With -write it makes the same datasets with the current program alone, and writes tables into a page:
// rows per second of CPU time, and figures of selfplay bench.
//
// Files of this package:
//
//	main.go    flags, programs and the table of two commits
//	jobs.go    what is measured, and how
//	ratio.go   medians and their ranges
//	page.go    the tables of a page
//	machine.go what the machine is
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	base := flag.String("base", "", "compare with this `COMMIT`")
	page := flag.String("write", "", "write the tables of this `PAGE`")
	pairs := flag.Int("pairs", 11, "run each job `N` times with each program")
	only := flag.String("only", "", "measure only jobs with this `TEXT` in their names")
	flag.Parse()
	if (*base == "") == (*page == "") || *pairs < 1 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "speed: want speed -base COMMIT [-pairs N] [-only TEXT], or speed -write PAGE [-pairs N]")
		os.Exit(2)
	}
	err := error(nil)
	if *base != "" {
		err = compare(*base, *pairs, *only)
	} else {
		err = writePage(*page, *pairs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

// compare builds both programs and prints the table.
func compare(base string, pairs int, only string) error {
	dir, err := os.MkdirTemp("", "selfplay-speed-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	old, current := filepath.Join(dir, "old"), filepath.Join(dir, "current")
	if err := buildBase(base, dir, old); err != nil {
		return err
	}
	if err := run("go", "build", "-o", current, "./cmd/selfplay"); err != nil {
		return err
	}
	fmt.Printf("| job | CPU time of %.12s | speed | range |\n|---|---|---|---|\n", base)
	for _, j := range jobs {
		if !strings.Contains(j.name, only) {
			continue
		}
		r, err := j.measure(old, current, filepath.Join(dir, "out"), pairs)
		if err != nil {
			return fmt.Errorf("measure %s: %w", j.name, err)
		}
		fmt.Printf("| %s | %.2f s | %.3f | %.3f to %.3f |\n", j.name, r.base, r.speed, r.low, r.high)
	}
	return nil
}

// buildBase builds the program of a commit, in a work tree that it removes.
func buildBase(commit, dir, program string) error {
	tree := filepath.Join(dir, "tree")
	if err := run("git", "worktree", "add", "--quiet", "--detach", tree, commit); err != nil {
		return err
	}
	build := run("go", "build", "-C", tree, "-o", program, "./cmd/selfplay")
	return errors.Join(build, run("git", "worktree", "remove", "--force", tree))
}

// run runs a command and shows what it prints.
func run(name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("run %s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}
