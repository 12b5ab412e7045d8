//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"selfplay/engine/cotulenh"
	"selfplay/engine/cotulenh/bitboard"
)

// printTimes measures both engines in turns, in CPU time of one thread, and prints medians.
func printTimes(chosen func(name string) bool, turns time.Duration) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	fmt.Printf("memory of a position: mailbox %d bytes, bitboard %d bytes\n\n", unsafe.Sizeof(cotulenh.Position{}), unsafe.Sizeof(bitboard.Position{}))
	fmt.Println("| operation | mailbox, ns | bitboard, ns | bitboard / mailbox |\n|---|---|---|---|")
	row := func(name string, o operation, texts []string) error {
		if !chosen(name) {
			return nil
		}
		return printTime(name, o, texts, turns)
	}
	texts := samplePositions()
	for _, o := range operations {
		if err := row(o.name+", a "+o.unit, o, texts); err != nil {
			return err
		}
	}
	samples, err := growth()
	if err != nil {
		return err
	}
	for _, i := range []int{0, 5, 2} {
		for _, g := range samples {
			if err := row(operations[i].name+", "+g.name, operations[i], g.texts); err != nil {
				return err
			}
		}
	}
	return nil
}

// printTime measures an operation and prints its row.
func printTime(name string, o operation, texts []string, turns time.Duration) error {
	var costs [2][]float64
	var ratios []float64
	var lists [2][]player
	for i := range lists {
		list, err := load(engines[i].game, texts)
		if err != nil {
			return err
		}
		lists[i] = list
		o.run(list) // warm up
	}
	for begin := time.Now(); time.Since(begin) < turns || len(ratios) < 3; {
		var cost [2]float64
		for i, list := range lists {
			cost[i] = nanosecondsPerUnit(o, list)
			costs[i] = append(costs[i], cost[i])
		}
		ratios = append(ratios, cost[1]/cost[0])
	}
	fmt.Printf("| %s | %.1f | %.1f | %.2f |\n", name, median(costs[0]), median(costs[1]), median(ratios))
	return nil
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
	name              string
	stacks, withCargo int
	texts             []string
}

// growth returns random positions with more and more lone pieces, and with more and more
// cargo on as many stacks.
func growth() (list []sample, err error) {
	for _, stacks := range []int{8, 16, 32, 64} {
		list = append(list, sample{name: fmt.Sprintf("%d lone pieces", stacks), stacks: stacks})
	}
	for _, withCargo := range []int{0, 8, 16, 24} {
		list = append(list, sample{name: fmt.Sprintf("24 stacks, %d with cargo", withCargo), stacks: 24, withCargo: withCargo})
	}
	for i := range list {
		if list[i].texts, err = scattered(list[i].stacks, list[i].withCargo); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// scattered returns the texts of positions with stacks of both sides at random places, and
// the commanders at their ends of the board.
func scattered(stacks, withCargo int) (texts []string, err error) {
	lone, cargo := codesWithoutCommander()
	r, p := rand.New(rand.NewPCG(uint64(stacks), uint64(withCargo))), cotulenh.New()
	for range 60 {
		if err := p.Set("6c4/11/11/11/11/11/11/11/11/11/11/4C6 r - - 0 1"); err != nil {
			return nil, err
		}
		for i := range stacks {
			codes := lone[i%2]
			if i < withCargo {
				codes = cargo[i%2]
			}
			place(p, r, codes[r.IntN(len(codes))])
		}
		texts = append(texts, p.String())
	}
	return texts, nil
}

// place puts a stack on a random square that is free and lets it stand there, if it finds one soon.
func place(p *cotulenh.Position, r *rand.Rand, s cotulenh.Stack) {
	for range 30 {
		if sq := cotulenh.SquareOfCell(r.IntN(12 * 11)); p.At(sq) == cotulenh.Empty && p.Put(sq, s) == nil {
			return
		}
	}
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
