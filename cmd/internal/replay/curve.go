package replay

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine"
)

// curveHeight is the height of a curve in units. A ply is one unit wide.
const curveHeight = 40

// Curve draws the expected result of side 0, by ply, with marks for random moves
// and a line "now" that a script moves. It returns nothing for games with fewer than two scores.
// other is the model of a game whose files have none: the curve has no scale.
func (game *Game) Curve(other *encode.WDL) template.HTML {
	var line, random strings.Builder
	searched, model := 0, game.Model
	if model == nil {
		model = other
	}
	for ply, s := range game.Steps {
		if s.Rank == engine.RankRandom {
			fmt.Fprintf(&random, "M%d %dv-5", ply+1, curveHeight)
		}
		if !s.Searched {
			continue
		}
		_, expected := chances(model, s.Score)
		if s.Side == engine.Second {
			expected = 1 - expected
		}
		command := "L"
		if searched == 0 {
			command = "M"
		}
		fmt.Fprintf(&line, "%s%d %s", command, ply, strconv.FormatFloat(curveHeight*(1-expected), 'f', 1, 64))
		searched++
	}
	if searched < 2 {
		return ""
	}
	label := "Expected result of " + game.Sides[0] + " by ply, estimated from the scores: the top is a win. Marks below: random moves."
	return template.HTML(fmt.Sprintf(`<svg class="curve" role="img" aria-label="%[1]s" viewBox="0 0 %[2]d %[3]d" preserveAspectRatio="none"><title>%[1]s</title>`+
		`<path class="middle" d="M0 %[4]dH%[2]d"/><path class="drawn" d="%[5]s"/><path d="%[6]s"/><path class="now" d="M0 0v%[3]d"/></svg>`,
		template.HTMLEscapeString(label), len(game.Steps), curveHeight, curveHeight/2, random.String(), line.String()))
}

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
