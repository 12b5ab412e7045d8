package colfile

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"selfplay/datasets/internal/fault"
	"slices"
	"testing"
)

// TestArrowFrame: a file of any number of batches begins and ends as expected, and a
// flip outside the batches, and outside of where they lie, is found before Arrow's
// parser sees it.
func TestArrowFrame(t *testing.T) {
	s := fuzzSpec(Arrow, List)
	table := randomTable(rand.New(rand.NewPCG(1, 2)), s.Columns, 60)
	batches := []int{7, 1, 30, 60, 100}
	for _, batch := range batches[:1+len(batches[1:])/stride] {
		data := writeIn(t, s, table, batch)
		if err := checkArrowFrame(bytes.NewReader(data), s); err != nil {
			t.Fatalf("batches of %d: %v", batch, err)
		}
		head, _, err := emptyArrowFile(s)
		if err != nil {
			t.Fatal(err)
		}
		footer, err := readArrowFooter(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		start, batches := len(data)-arrowTrailer-len(footer), (table.Rows+batch-1)/batch
		for i := 0; i < len(data); i++ {
			if i == len(head) {
				i = start
			}
			if i == start+arrowBlocks {
				i += batches * arrowBlock
			}
			flipped := slices.Clone(data)
			flipped[i] ^= 1 << (i % 8)
			if err := checkArrowFrame(bytes.NewReader(flipped), s); !errors.Is(err, fault.ErrCorrupt) {
				t.Fatalf("batches of %d: byte %d of %d: %v", batch, i, len(data), err)
			}
		}
	}
}
