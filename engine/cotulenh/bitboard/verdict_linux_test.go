package bitboard_test

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"selfplay/engine/cotulenh"
	"selfplay/engine/cotulenh/bitboard"
)

// verdict prints the tables of docs/bitboards.md. "make verdict" sets it.
var (
	verdict  = flag.Duration("verdict", 0, "time for each row of TestVerdict; 0 skips it")
	onlyRows = flag.String("verdict-rows", "", "measure only rows with this text")
)

// TestVerdict measures both engines in turns, in CPU time of one thread, and prints medians.
func TestVerdict(t *testing.T) {
	if *verdict == 0 {
		t.Skip("measures for minutes: set -verdict")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	printSizes()
	fmt.Println("| operation | mailbox, ns | bitboard, ns | bitboard / mailbox |\n|---|---|---|---|")
	texts := samplePositions()
	for _, o := range operations {
		printRow(t, o.name+", a "+o.unit, o, texts)
	}
	for _, g := range growth(t) {
		printRow(t, fmt.Sprintf("list, %s (%d positions)", g.name, len(g.texts)), operations[0], g.texts)
	}
	for _, g := range growth(t) {
		printRow(t, fmt.Sprintf("Do and Undo, %s", g.name), operations[5], g.texts)
	}
}

// printSizes prints the memory of a position, without its history.
func printSizes() {
	fmt.Printf("memory of a position: mailbox %d bytes, bitboard %d bytes\n\n", unsafe.Sizeof(cotulenh.Position{}), unsafe.Sizeof(bitboard.Position{}))
}

// printRow measures an operation and prints its row.
func printRow(t *testing.T, name string, o operation, texts []string) {
	t.Helper()
	if !strings.Contains(name, *onlyRows) {
		return
	}
	var costs [2][]float64
	var ratios []float64
	lists := [2][]player{load(t, benchEngines[0].game, texts), load(t, benchEngines[1].game, texts)}
	for _, list := range lists {
		o.run(list) // warm up
	}
	for begin := time.Now(); time.Since(begin) < *verdict || len(ratios) < 3; {
		var cost [2]float64
		for i, list := range lists {
			cost[i] = nanosecondsPerUnit(o, list)
			costs[i] = append(costs[i], cost[i])
		}
		ratios = append(ratios, cost[1]/cost[0])
	}
	fmt.Printf("| %s | %.1f | %.1f | %.2f |\n", name, median(costs[0]), median(costs[1]), median(ratios))
}

// nanosecondsPerUnit runs an operation for about 5 ms.
func nanosecondsPerUnit(o operation, list []player) float64 {
	units, begin := 0, threadTime()
	for threadTime()-begin < 5*time.Millisecond {
		units += o.run(list)
	}
	return float64(threadTime()-begin) / float64(units)
}

// threadTime returns the CPU time of this thread.
func threadTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// sample is a group of positions.
type sample struct {
	name  string
	texts []string
}

// growth groups conformance states by how many squares are occupied and by how many of
// their stacks have cargo.
func growth(t *testing.T) []sample {
	list := []sample{{name: "under 12 stacks"}, {name: "12 to 23 stacks"}, {name: "24 to 35 stacks"}, {name: "36 stacks or more"},
		{name: "no cargo"}, {name: "1 to 4 stacks with cargo"}, {name: "5 to 9 stacks with cargo"}, {name: "10 or more with cargo"}}
	p := benchEngines[0].game.New("").(player)
	for _, s := range states(t) {
		if len(strings.Fields(s.Position)) > 6 || p.Set(s.Position) != nil {
			continue // an open session lists the steps of one stack only
		}
		stacks, cargo := countStacks(p)
		for _, i := range []int{min(stacks/12, 3), 4 + min((cargo+4)/5, 3)} {
			if len(list[i].texts) < 100 {
				list[i].texts = append(list[i].texts, s.Position)
			}
		}
	}
	return list
}
