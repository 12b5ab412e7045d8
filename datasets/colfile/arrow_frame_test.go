package colfile

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"selfplay/datasets/internal/fault"
	"selfplay/internal/must"
)

// TestArrowFrameCoversEverythingAroundTheBatches flips a bit of every byte of a file
// outside the batches and their blocks. The frame must accept the file, for any number
// of batches, and reject each flip before Arrow parses it.
func TestArrowFrameCoversEverythingAroundTheBatches(t *testing.T) {
	s := everyColumnSpec(Arrow, List)
	frame := must.Get(newArrowFrame(s))(t)
	table := randomTable(rand.New(rand.NewPCG(1, 2)), s.Columns, 60)
	for _, batch := range []int{1, 7, 30, 60, 100} {
		t.Run(fmt.Sprintf("batches of %d rows", batch), func(t *testing.T) {
			data := writeIn(t, s, table, batch)
			must.Get(frame.check(bytes.NewReader(data)))(t)
			footer := must.Get(readArrowFooter(bytes.NewReader(data), int64(len(data))))(t)
			start := len(data) - arrowTrailer - len(footer)
			blocks := start + arrowBlocks
			afterBlocks := blocks + (table.Rows+batch-1)/batch*arrowBlockSize
			for _, part := range [][2]int{{0, len(frame.head)}, {start, blocks}, {afterBlocks, len(data)}} {
				for i := part[0]; i < part[1]; i++ {
					data[i] ^= 1 << (i % 8)
					if _, err := frame.check(bytes.NewReader(data)); !errors.Is(err, fault.ErrCorrupt) {
						t.Fatalf("byte %d of %d flipped: %v, want ErrCorrupt", i, len(data), err)
					}
					data[i] ^= 1 << (i % 8)
				}
			}
		})
	}
}
