package bitboard_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
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
	"selfplay/internal/must"
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
	for _, i := range []int{0, 5, 2} {
		for _, g := range growth(t) {
			printRow(t, operations[i].name+", "+g.name, operations[i], g.texts)
		}
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

// growth returns random positions with more and more lone pieces, and with more and more
// cargo on as many stacks.
func growth(t *testing.T) (list []sample) {
	t.Helper()
	for _, stacks := range []int{8, 16, 32, 64} {
		list = append(list, sample{fmt.Sprintf("%d lone pieces", stacks), scattered(t, stacks, 0)})
	}
	for _, withCargo := range []int{0, 8, 16, 24} {
		list = append(list, sample{fmt.Sprintf("24 stacks, %d with cargo", withCargo), scattered(t, 24, withCargo)})
	}
	return list
}

// scattered returns the texts of positions with stacks of both sides at random places, and
// the commanders at their ends of the board.
func scattered(t *testing.T, stacks, withCargo int) (texts []string) {
	t.Helper()
	lone, cargo := codesWithoutCommander()
	r, p := rand.New(rand.NewPCG(uint64(stacks), uint64(withCargo))), cotulenh.New()
	for range 60 {
		must.Do(t, p.Set("6c4/11/11/11/11/11/11/11/11/11/11/4C6 r - - 0 1"))
		for i := range stacks {
			codes := lone[i%2]
			if i < withCargo {
				codes = cargo[i%2]
			}
			placeNear(p, r, square(t, "f6"), 11, codes[r.IntN(len(codes))])
		}
		texts = append(texts, p.String())
	}
	return texts
}

// codesWithoutCommander returns the codes of each side's lone pieces and stacks with cargo
// that have no heroic member.
func codesWithoutCommander() (lone, cargo [2][]cotulenh.Stack) {
	for code := cotulenh.Stack(1); code < cotulenh.NumStacks; code++ {
		members := code.Members()
		if slices.ContainsFunc(members, func(m cotulenh.Member) bool { return m.Heroic || m.Type == cotulenh.Commander }) {
			continue
		}
		list := &lone[code.Side()]
		if len(members) > 1 {
			list = &cargo[code.Side()]
		}
		*list = append(*list, code)
	}
	return lone, cargo
}
