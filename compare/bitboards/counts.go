//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// Most virtual machines hide the processor's counters, so instructions and branches are
// counted by cachegrind, which also simulates a branch predictor. The counts do not depend
// on the load of the machine.

// repetitions returns how often an operation is counted on all positions; one more run warms
// up. A run of some operations is too short for a single count.
func repetitions(o *operation) int {
	switch o.unit {
	case "node", "step", "ply":
		return 4
	case "list":
		return 100
	}
	return 400
}

// printCounts prints instructions, branches and mispredicted branches per unit.
func printCounts(chosen func(name string) bool) error {
	fmt.Println("| operation | instructions, mailbox | bitboard | branches, mailbox | bitboard | mispredicted, mailbox | bitboard |\n|---|---|---|---|---|---|---|")
	for i, o := range operations {
		if !chosen(o.name) {
			continue
		}
		var row [2][3]float64
		for engine := range engines {
			perUnit, err := countPerUnit(i, engine)
			if err != nil {
				return err
			}
			row[engine] = perUnit
		}
		m, b := row[0], row[1]
		fmt.Printf("| %s, a %s | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f |\n", o.name, o.unit, m[0], b[0], m[1], b[1], m[2], b[2])
	}
	return nil
}

// countPerUnit runs the operation under cachegrind once and several times, and returns the
// difference per unit.
func countPerUnit(operation, engine int) (perUnit [3]float64, err error) {
	few, unitsFew, err := cachegrind(operation, engine, 1)
	if err != nil {
		return perUnit, err
	}
	many, unitsMany, err := cachegrind(operation, engine, 1+repetitions(&operations[operation]))
	for i := range perUnit {
		perUnit[i] = float64(many[i]-few[i]) / float64(unitsMany-unitsFew)
	}
	return perUnit, err
}

var (
	cachegrindCounts = regexp.MustCompile(`(?:I +refs|Branches|Mispredicts): +([0-9,]+)`)
	unitsLine        = regexp.MustCompile(`units (\d+)`)
)

// cachegrind runs this command under cachegrind, for one operation.
func cachegrind(operation, engine, times int) (counted [3]int, units int, err error) {
	c := exec.Command("valgrind", "--tool=cachegrind", "--branch-sim=yes", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
		os.Args[0], "-child", fmt.Sprintf("%d,%d,%d", operation, engine, times))
	c.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	out, err := c.CombinedOutput()
	found := cachegrindCounts.FindAllStringSubmatch(string(out), -1)
	unit := unitsLine.FindStringSubmatch(string(out))
	if err != nil || len(found) != 3 || unit == nil {
		return counted, 0, fmt.Errorf("%v: %v\n%s", c, err, out)
	}
	for i, f := range found {
		counted[i], _ = strconv.Atoi(strings.ReplaceAll(f[1], ",", ""))
	}
	units, _ = strconv.Atoi(unit[1])
	return counted, units, nil
}

// runChild runs one operation and prints the number of units.
func runChild(what string) error {
	var operation, engine, times, units int
	if _, err := fmt.Sscanf(what, "%d,%d,%d", &operation, &engine, &times); err != nil {
		return err
	}
	list, err := load(engines[engine].game, samplePositions())
	for range times {
		units += operations[operation].run(list)
	}
	fmt.Println("units", units)
	return err
}
