package report

import (
	"fmt"
	"strings"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
	"selfplay/engine"
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
	text := fmt.Sprintf("Game %s, %s: %s.", app.Number(g.Game), app.Count(g.Plies, "ply"), r.endOf(g))
	if g.Players[0] != g.Players[1] {
		text += fmt.Sprintf(" %s: %s, %s: %s.", r.Sides[0], g.Players[0], r.Sides[1], g.Players[1])
	}
	if m := g.Missed; m != nil {
		text += fmt.Sprintf(" At ply %s %s had %s and did not win.", app.Number(m.Ply+1), m.Side, scoreText(g.model, m.Score))
	}
	return text
}

// endOf says how a game ended: white wins, checkmate.
func (r *Report) endOf(g *Game) string {
	result := r.resultNames()[g.outcome.Result]
	if g.outcome.Result == engine.NoResult {
		return "cut off by the ply limit"
	}
	return result + ", " + strings.ReplaceAll(g.Reason, "_", " ")
}

// scoreText describes a score: a score of +120 (win chance 63 %). Without a model it has no
// win chance.
func scoreText(model *encode.WDL, score int) string {
	switch {
	case score > engine.MaxStatic:
		return fmt.Sprintf("a proven win (score %+d)", score)
	case score < -engine.MaxStatic:
		return fmt.Sprintf("a proven loss (score %+d)", score)
	}
	if model == nil {
		return fmt.Sprintf("a score of %+d", score)
	}
	chance := strings.ReplaceAll(percent(winChance(model, score)), " ", "\u00a0")
	return fmt.Sprintf("a score of %+d (win chance %s)", score, chance)
}

// class returns the style class of a move in the list.
func (s *step) class() string {
	var list []string
	switch {
	case s.rank == engine.RankRandom:
		list = append(list, "random")
	case s.best != "":
		list = append(list, "other")
	}
	if s.turnStep > 1 {
		list = append(list, "more")
	}
	return strings.Join(list, " ")
}

// stepNote says how a move was chosen, and with which score.
func stepNote(model *encode.WDL, s *step) string {
	var list []string
	switch {
	case s.opening && s.rank == engine.RankRandom:
		list = append(list, "random opening move")
	case s.rank == engine.RankRandom:
		list = append(list, "random move")
	case s.searched && s.rank == engine.RankBest:
		list = append(list, "best move of the search")
	case s.searched:
		list = append(list, fmt.Sprintf("move %d of the search", int(s.rank)+1))
	default:
		list = append(list, "move without a search")
	}
	if s.best != "" {
		list = append(list, "the best was "+s.best)
	}
	if s.searched {
		list = append(list, scoreText(model, s.score))
	}
	return strings.Join(list, "; ")
}
