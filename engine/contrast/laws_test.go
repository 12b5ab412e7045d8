package contrast_test

import (
	"testing"

	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// TestLaws starts games from every tenth state of the data, from the states with the
// longest lists (full and empty hands, reached goals and blocked sides among them),
// and from boards that no game leads to.
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
	// Black has one piece with one target.
	nearlyBlocked = "0,0,0,0,0,0,0,0,0,0,3,6,0,0,0,6,0,0,0,0,0,0,0,0,0,3,1,1,0 x"
	// Every piece stands on a gray tile, and most other cells have one.
	crowded = "5,5,5,5,5,2,0,2,0,2,2,2,2,2,2,2,0,2,0,2,8,8,8,8,8,3,1,3,1 o"
)
