package chess

import (
	"math/bits"
	"testing"
)

// TestSlotTargets: the slots of a piece hold its targets on the empty board, each
// once.
func TestSlotTargets(t *testing.T) {
	for _, c := range []struct {
		name    string
		reach   [64]uint64
		targets [64][16]uint8
		slots   int
	}{
		{"knight", knightReach, knightTargets, knightSlots},
		{"bishop", diagonals, bishopTargets, bishopSlots},
		{"rook", straights, rookTargets, rookSlots},
	} {
		most := 0
		for cell, set := range c.reach {
			most = max(most, bits.OnesCount64(set))
			for _, to := range c.targets[cell][:c.slots] {
				if int(to) != cell && set>>to&1 == 0 {
					t.Errorf("%s on %s: target %s is repeated or out of reach", c.name, cellName(cell), cellName(int(to)))
				}
				set &^= 1 << to
			}
			if set != 0 {
				t.Errorf("%s on %s: targets %x have no slot", c.name, cellName(cell), set)
			}
		}
		if most != c.slots {
			t.Errorf("%s: %d slots, want the maximum number of targets %d", c.name, c.slots, most)
		}
	}
}
