package cotulenh_test

import (
	"testing"

	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// TestLaws checks what every game obeys, from the start and from every eighth
// state of the data, the longest lists besides: open sessions, ended games.
func TestLaws(t *testing.T) {
	var starts []string
	for i, s := range states(t) {
		if i%8 == 0 || len(s.Steps) > 400 {
			starts = append(starts, s.Position)
		}
	}
	enginetest.Run(t, cotulenh.Game(), starts)
}
