package contrast_test

import (
	"testing"

	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// TestLaws checks what every game obeys, from the start and from every tenth state
// of the data, the longest lists besides: full hands and empty ones, goals reached,
// sides blocked; and from boards that no game leads to.
func TestLaws(t *testing.T) {
	starts := []string{
		nearlyBlocked,
		crowded,
		"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3,1,3,1 x",
		"3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,0,0,0,0,0,0,0,3,1 x",
	}
	for i, s := range states(t) {
		if i%10 == 0 || s.N > 480 {
			starts = append(starts, s.text())
		}
	}
	enginetest.Run(t, contrast.Game(), starts)
}

const (
	// Black has one piece, that can go to one cell.
	nearlyBlocked = "0,0,0,0,0,0,0,0,0,0,3,6,0,0,0,6,0,0,0,0,0,0,0,0,0,3,1,1,0 x"
	// A gray tile under every piece and most other cells.
	crowded = "5,5,5,5,5,2,0,2,0,2,2,2,2,2,2,2,0,2,0,2,8,8,8,8,8,3,1,3,1 o"
)
