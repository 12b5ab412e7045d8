package report

import (
	"fmt"
	"strings"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/replay"
)

// titleOf names the reasons why a game was chosen: First and longest game.
func titleOf(g *Game) string {
	names := map[string]string{FirstGame: "first", LongestGame: "longest", SurprisingGame: "most surprising"}
	var list []string
	for _, c := range g.Choices {
		list = append(list, names[c])
	}
	title := list[len(list)-1] + " game"
	if n := len(list) - 1; n > 0 {
		title = strings.Join(list[:n], ", ") + " and " + title
	}
	return strings.ToUpper(title[:1]) + title[1:]
}

// noteOf describes a game.
func (r *Report) noteOf(g *Game) string {
	text := fmt.Sprintf("Game %s, %s: %s.", human.Number(g.Game), human.Count(g.Plies, "ply"), replay.End(r.game, g.played.Outcome))
	if g.Players[0] != g.Players[1] {
		text += fmt.Sprintf(" %s: %s, %s: %s.", r.Sides[0], g.Players[0], r.Sides[1], g.Players[1])
	}
	if m := g.Missed; m != nil {
		text += fmt.Sprintf(" At ply %s %s had %s and did not win.", human.Number(m.Ply+1), m.Side, replay.ScoreText(g.played.Model, m.Score))
	}
	return text
}
