package chess_test

import (
	"testing"

	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

func TestLaws(t *testing.T) {
	enginetest.Run(t, chess.Game(), perftTexts(t))
}
