package chess_test

import (
	"testing"

	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

// manyQueens has more material than any game leads to.
const manyQueens = "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/6pp/K4bnk w - - 0 1"

func TestLaws(t *testing.T) {
	enginetest.Run(t, chess.Game(), append(perftTexts(t), manyQueens))
}

func FuzzNotation(f *testing.F) {
	seeds := []string{
		"", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 256 0",
		"QQQQQQQk/8/8/8/8/8/8/K7 b - - 0 1",
	}
	enginetest.FuzzText(f, chess.Game(), append(seeds, perftTexts(f)...))
}
