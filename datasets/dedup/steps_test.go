package dedup

import (
	"testing"

	"selfplay/datasets/scan"
)

// TestStepsReachTheNumberOfGames when all are read and compared, half of it when they are
// read.
func TestStepsReachTheNumberOfGames(t *testing.T) {
	for _, rows := range [][]uint64{{5, 9, 70, 1}, {1}, {0, 3}, {100, 100, 101}} {
		n, total := new(scan.Counter), uint64(0)
		s := steps{n: n}
		for _, r := range rows {
			s.read(r)
			total += r
		}
		want := uint64(len(rows))
		if got, _ := n.Progress(); got != want/2 {
			t.Errorf("%v: %d games after reading", rows, got)
		}
		for range total {
			s.compare()
		}
		if got, plies := n.Progress(); got != want || plies > total {
			t.Errorf("%v: %d games and %d rows at the end", rows, got, plies)
		}
	}
}
