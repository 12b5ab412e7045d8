package bitboard_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// Most virtual machines hide the processor's counters, so instructions and branches are
// counted by cachegrind, which also simulates a branch predictor. The counts do not depend
// on the load of the machine.

var (
	counts      = flag.Bool("verdict-counts", false, "count instructions and branches in TestVerdictCounts; needs valgrind")
	countsChild = flag.String("verdict-child", "", "operation, engine and repetitions of TestVerdictChild, such as 0,1,5")
)

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

// TestVerdictCounts prints instructions, branches and mispredicted branches per unit.
func TestVerdictCounts(t *testing.T) {
	if !*counts {
		t.Skip("takes minutes: set -verdict-counts")
	}
	fmt.Println("| operation | instructions, mailbox | bitboard | branches, mailbox | bitboard | mispredicted, mailbox | bitboard |\n|---|---|---|---|---|---|---|")
	for i, o := range operations {
		if !strings.Contains(o.name, *onlyRows) {
			continue
		}
		var row [2][3]float64
		for engine := range benchEngines {
			row[engine] = countPerUnit(t, i, engine)
		}
		m, b := row[0], row[1]
		fmt.Printf("| %s, a %s | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f |\n", o.name, o.unit, m[0], b[0], m[1], b[1], m[2], b[2])
	}
}

// countPerUnit runs the operation under cachegrind once and several times, and returns the
// difference per unit.
func countPerUnit(t *testing.T, operation, engine int) (perUnit [3]float64) {
	t.Helper()
	few, unitsFew := cachegrind(t, operation, engine, 1)
	many, unitsMany := cachegrind(t, operation, engine, 1+repetitions(&operations[operation]))
	for i := range perUnit {
		perUnit[i] = float64(many[i]-few[i]) / float64(unitsMany-unitsFew)
	}
	return perUnit
}

var (
	cachegrindCounts = regexp.MustCompile(`(?:I +refs|Branches|Mispredicts): +([0-9,]+)`)
	unitsLine        = regexp.MustCompile(`units (\d+)`)
)

// cachegrind runs TestVerdictChild under cachegrind.
func cachegrind(t *testing.T, operation, engine, times int) (counted [3]int, units int) {
	t.Helper()
	child := fmt.Sprintf("%d,%d,%d", operation, engine, times)
	c := exec.Command("valgrind", "--tool=cachegrind", "--branch-sim=yes", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
		os.Args[0], "-test.cpu", "1", "-test.run", "TestVerdictChild", "-verdict-child", child)
	c.Env = append(os.Environ(), "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	out, err := c.CombinedOutput()
	found := cachegrindCounts.FindAllStringSubmatch(string(out), -1)
	unit := unitsLine.FindStringSubmatch(string(out))
	if err != nil || len(found) != 3 || unit == nil {
		t.Fatalf("%v: %v\n%s", c, err, out)
	}
	for i, f := range found {
		counted[i], _ = strconv.Atoi(strings.ReplaceAll(f[1], ",", ""))
	}
	units, _ = strconv.Atoi(unit[1])
	return counted, units
}

// TestVerdictChild runs one operation and prints the number of units.
func TestVerdictChild(t *testing.T) {
	if *countsChild == "" {
		t.Skip("only cachegrind runs it")
	}
	var operation, engine, times, units int
	must.Get(fmt.Sscanf(*countsChild, "%d,%d,%d", &operation, &engine, &times))(t)
	list := load(t, benchEngines[engine].game, samplePositions())
	for range times {
		units += operations[operation].run(list)
	}
	fmt.Println("units", units)
}
