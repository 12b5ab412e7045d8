package replay

import (
	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine"
)

// WinChance returns the probability of a win, from the view of the side with the score.
// Without a model it is 0, except for proven ends.
func WinChance(model *encode.WDL, score int) float64 {
	if model == nil && score <= engine.MaxStatic {
		return 0
	}
	win, _ := chances(model, score)
	return win
}

// chances returns the probability of a win and the expected share of the point.
func chances(model *encode.WDL, score int) (win, expected float64) {
	switch {
	case score > engine.MaxStatic:
		return 1, 1
	case score < -engine.MaxStatic:
		return 0, 0
	}
	win, draw, _ := wdl.ModelOf(model).Chances(score)
	return win, win + float64(draw/2)
}
