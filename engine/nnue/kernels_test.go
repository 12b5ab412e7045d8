package nnue

import (
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
)

// extremes are values of accumulators at which clipping changes, and their limits.
var extremes = []int16{-32767, -32766, -256, -255, -2, -1, 0, 1, 2, 127, 128, 254, 255, 256, 257, 511, 512, 16384, 32766, 32767}

// packValues packs accumulators.
func packValues(values []int16) []uint64 {
	words := packRows(values)
	for i := range words {
		words[i] += zeroLanes
	}
	return words
}

func TestLanesHoldTheValues(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 1))
	values := make([]int16, 4*1000)
	for i := range values {
		values[i] = extremes[src.IntN(len(extremes))]
	}
	for i, word := range packValues(values) {
		for lane := range lanes {
			if got := int16(word>>(16*lane) - 1<<15); got != values[lanes*i+lane] {
				t.Fatalf("word %d, lane %d: %d, want %d", i, lane, got, values[lanes*i+lane])
			}
		}
	}
}

func TestClip(t *testing.T) {
	for value := -32767; value <= 32767; value++ {
		for lane := range lanes {
			values := []int16{-1, 255, 256, 0}
			values[lane] = int16(value)
			got := clip(packValues(values)[0])
			for i, v := range values {
				if want := min(max(v, 0), QA); uint16(got>>(16*i)) != uint16(want) {
					t.Fatalf("%v, lane %d: %d, want %d", values, i, uint16(got>>(16*i)), want)
				}
			}
		}
	}
}

// randomNetwork returns a network without a file, with weights up to the limits.
func randomNetwork(src *rand.Rand, hidden int) *Network {
	n := &Network{hidden: hidden, words: hidden / lanes}
	rows, output := make([]int16, 40*hidden), make([]int16, 2*hidden)
	for i := range rows {
		rows[i] = int16(src.IntN(801) - 400)
	}
	for i := range output {
		output[i] = int16(src.IntN(2*maxOutputWeight+1) - maxOutputWeight)
	}
	if src.IntN(4) == 0 { // all at one limit
		for i := range output {
			output[i] = maxOutputWeight * (1 - 2*int16(src.IntN(2)))
		}
	}
	n.rows, n.outputWeights, n.outputPairs = packRows(rows), output, packPairs(output)
	return n
}

// TestKernelsAgree: plain Go and vectors, where the processor has them, give what the
// definitions say, bit for bit.
func TestKernelsAgree(t *testing.T) {
	if !hasVectors {
		t.Log("no vectors here")
	}
	src := rand.New(rand.NewPCG(1, 2))
	for _, hidden := range []int{16, 32, 48, 64, 80, 128, 240, 256, 496, 512} {
		for range 200 {
			n := randomNetwork(src, hidden)
			own, other := make([]int16, hidden), make([]int16, hidden)
			for i := range own {
				own[i], other[i] = int16(src.IntN(601)-150), int16(src.IntN(601)-150)
				if src.IntN(4) == 0 {
					own[i] = extremes[src.IntN(len(extremes))]
				}
				if src.IntN(3) == 0 {
					other[i] = QA
				}
			}
			checkOutput(t, n, own, other)
			checkUpdate(t, n, src)
			checkOutputAfter(t, n, src, packValues(own), packValues(other))
		}
	}
}

func checkOutput(t *testing.T, n *Network, own, other []int16) {
	t.Helper()
	want := int64(0)
	for i := range own {
		x, y := int64(min(max(own[i], 0), QA)), int64(min(max(other[i], 0), QA))
		want += x*x*int64(n.outputWeights[i]) + y*y*int64(n.outputWeights[n.hidden+i])
	}
	a, b := packValues(own), packValues(other)
	if got := outputPlain(a, n.outputPairs[:n.hidden/2]) + outputPlain(b, n.outputPairs[n.hidden/2:]); got != want {
		t.Fatalf("H=%d: plain output %d, want %d", n.hidden, got, want)
	}
	if got := n.output(a, b, 0); got != want {
		t.Fatalf("H=%d: output %d, want %d", n.hidden, got, want)
	}
}

func checkUpdate(t *testing.T, n *Network, src *rand.Rand) {
	t.Helper()
	start, want := make([]int16, n.hidden), make([]int16, n.hidden)
	for i := range start {
		start[i] = int16(src.IntN(2001) - 1000)
	}
	copy(want, start)
	var added, removed []engine.Feature
	weight := func(row, i int) int16 { return int16(n.sumOf(row, i)) }
	for range src.IntN(7) {
		row := src.IntN(40)
		added = append(added, engine.NewFeature(0, uint16(row)))
		for i := range want {
			want[i] += weight(row, i)
		}
	}
	for range src.IntN(7) {
		row := src.IntN(40)
		removed = append(removed, engine.NewFeature(0, uint16(row)))
		for i := range want {
			want[i] -= weight(row, i)
		}
	}
	for name, update := range map[string]func(dst, src []uint64, added, removed []engine.Feature, side engine.Side){"plain": n.updatePlain, "update": n.update} {
		dst := make([]uint64, n.words)
		update(dst, packValues(start), added, removed, engine.Second)
		if !slices.Equal(dst, packValues(want)) {
			t.Fatalf("H=%d, %d rows added, %d removed: %s differs", n.hidden, len(added), len(removed), name)
		}
	}
}

// checkOutputAfter compares the output after changes with that of views which were changed.
func checkOutputAfter(t *testing.T, n *Network, src *rand.Rand, own, other []uint64) {
	t.Helper()
	var lists [2][]engine.Feature
	for range src.IntN(9) {
		i := src.IntN(2)
		lists[i] = append(lists[i], engine.NewFeature(uint16(src.IntN(40)), uint16(src.IntN(40))))
	}
	a, b := make([]uint64, n.words), make([]uint64, n.words)
	n.updatePlain(a, own, lists[0], lists[1], engine.Second)
	n.updatePlain(b, other, lists[0], lists[1], engine.First)
	want := outputPlain(a, n.outputPairs[:n.hidden/2]) + outputPlain(b, n.outputPairs[n.hidden/2:])
	if got := n.outputAfter(own, other, lists[0], lists[1], engine.Second, 0); got != want {
		t.Fatalf("H=%d, %d rows added, %d removed: output %d, want %d", n.hidden, len(lists[0]), len(lists[1]), got, want)
	}
}

// sumOf returns the weight of a row: what the row adds to an accumulator of 0.
func (n *Network) sumOf(row, i int) int64 {
	return int64(uint16((n.rows[row*n.words+i/lanes]+zeroLanes)>>(16*(i%lanes)))) - 1<<15
}
