//go:build linux

// Command bitboards compares the two engines of CoTuLenh and prints the tables of docs/lab/bitboards.md: the time of each
// operation, or with -counts its instructions and branches.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

func main() {
	turns := flag.Duration("time", 10*time.Second, "`time` for each row")
	rows := flag.String("rows", "", "only rows with this `text`")
	counts := flag.Bool("counts", false, "count instructions and branches; needs valgrind")
	child := flag.String("child", "", "run `OPERATION,ENGINE,TIMES` once and print the units of work; cachegrind does")
	flag.Parse()
	chosen := func(name string) bool { return strings.Contains(name, *rows) }
	err := error(nil)
	switch {
	case *child != "":
		err = runChild(*child)
	case *counts:
		err = printCounts(chosen)
	default:
		err = printTimes(chosen, *turns)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bitboards:", err)
		os.Exit(1)
	}
}
