package positions

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
)

// newTestCrew returns a crew that ends with the test.
func newTestCrew(t *testing.T, size int) *crew {
	t.Helper()
	c := newCrew(size)
	t.Cleanup(c.close)
	return c
}

// TestBytesDoNotDependOnTheGoroutines that step.
func TestBytesDoNotDependOnTheGoroutines(t *testing.T) {
	for _, g := range encode.Games() {
		for _, flags := range []uint32{flagRestart | flagMover | flagPlanes, flagMover, flagPlanes} {
			const n = 5*partSize + 3
			one, several := newBatch(t, g, n, flags), newBatchOn(t, newTestCrew(t, 3), g, n, flags)
			if len(one.parts) != 1 || len(several.parts) != 5 {
				t.Fatalf("%d and %d parts", len(one.parts), len(several.parts))
			}
			for draw := range 60 {
				step := drawStep(one, nil, draw)
				mustStep(t, one, step)
				mustStep(t, several, step)
				if !bytes.Equal(bytesOf(one), bytesOf(several)) {
					t.Fatalf("%s, flags %d, step %d: other bytes", g.Name, flags, draw)
				}
			}
		}
	}
}

// TestPartsPlayTogetherOrNotAtAll: the first illegal action is refused, and no part has played.
func TestPartsPlayTogetherOrNotAtAll(t *testing.T) {
	b := newBatchOn(t, newTestCrew(t, 2), encode.Chess(), 4*partSize, flagMover)
	before, step := bytesOf(b), drawStep(b, nil, 1)
	for _, i := range []int{3*partSize + 1, partSize + 5} {
		binary.LittleEndian.PutUint16(step[2*i:], 1)
	}
	refused, err := b.step(step)
	if err != nil || refused == nil || refused.index != partSize+5 || !bytes.Equal(bytesOf(b), before) {
		t.Error(refused, err)
	}
	mustStep(t, b, drawStep(b, nil, 1))
}

func TestStepsOfPartsAllocateNothing(t *testing.T) {
	b := newBatchOn(t, newTestCrew(t, 2), encode.Contrast(), 4*partSize, flagRestart|flagMover|flagPlanes)
	var step []byte
	draw := 0
	play := func() {
		step, draw = drawStep(b, step, draw), draw+1
		mustStep(t, b, step)
		b.observe()
	}
	for range 2 * encode.Contrast().MaxPlies {
		play()
	}
	if n := testing.AllocsPerRun(100, play); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// TestPanicsOfPartsAreErrors, whichever goroutine has them.
func TestPanicsOfPartsAreErrors(t *testing.T) {
	c := newTestCrew(t, 2)
	for _, wrong := range []int{0, 5} {
		var done [6]bool
		err := c.run(func(i int) {
			done[i] = true
			if i == wrong {
				panic("no such part")
			}
		}, len(done))
		if err == nil || !strings.Contains(err.Error(), "no such part") || slices.Contains(done[:], false) {
			t.Errorf("part %d: %v, %v", wrong, err, done)
		}
	}
}
