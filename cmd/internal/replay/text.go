package replay

import (
	"cmp"
	"fmt"
	"strings"

	"selfplay/cmd/internal/human"
	"selfplay/encode"
	"selfplay/engine"
)

// ResultNames returns the names of the results, indexed by engine.Result.
func ResultNames(sides [2]string) [4]string {
	return [4]string{
		engine.NoResult: "cut off", engine.FirstWins: sides[0] + " wins",
		engine.SecondWins: sides[1] + " wins", engine.Draw: "draw",
	}
}

// End says how a game ended: white wins, checkmate.
func End(g *encode.Game, o engine.Outcome) string {
	if o.Result == engine.NoResult {
		return "cut off by the ply limit"
	}
	return ResultNames(g.Sides)[o.Result] + ", " + strings.ReplaceAll(g.ReasonName(o.Reason), "_", " ")
}

// ScoreText describes a score: a score of +120 (win chance 63 %). Without a model it has no
// win chance.
func ScoreText(model *encode.WDL, score int) string {
	switch {
	case score > engine.MaxStatic:
		return fmt.Sprintf("a proven win (score %+d)", score)
	case score < -engine.MaxStatic:
		return fmt.Sprintf("a proven loss (score %+d)", score)
	}
	if model == nil {
		return fmt.Sprintf("a score of %+d", score)
	}
	chance := strings.ReplaceAll(human.Percent(WinChance(model, score)), " ", "\u00a0")
	return fmt.Sprintf("a score of %+d (win chance %s)", score, chance)
}

// Number returns the number that stands before a move in a list, as players write it: 40. before
// that of side 0, 40… before the first move of a game that side 1 begins, "" before
// others.
func (s *Step) Number() string {
	switch {
	case s.TurnStep > 1 || s.Side == engine.Second && !s.First:
		return ""
	case s.Side == engine.Second:
		return fmt.Sprintf("%d…", s.Turn)
	}
	return fmt.Sprintf("%d.", s.Turn)
}

// Listed returns what stands for a ply in a list of moves: the whole turn for its first ply, the move for others.
func (s *Step) Listed() string {
	if s.TurnStep == 1 {
		return cmp.Or(s.Whole, s.Move)
	}
	return s.Move
}

// Text names the side, the number and the move of a ply, and its step of a turn of several.
func (s *Step) Text(sides [2]string) string {
	dots := "."
	if s.Side == engine.Second {
		dots = "…"
	}
	text := fmt.Sprintf("%s: %d%s %s", sides[s.Side], s.Turn, dots, cmp.Or(s.Whole, s.Move))
	if s.TurnSize > 1 {
		text += fmt.Sprintf(" (step %d of %d: %s)", s.TurnStep, s.TurnSize, s.Move)
	}
	return text
}

// Class returns the style classes of the move in a list: random, other for another than the best
// move of the search, and more for a ply that continues a turn.
func (s *Step) Class() string {
	var list []string
	switch {
	case s.Rank == engine.RankRandom:
		list = append(list, "random")
	case s.Best != "":
		list = append(list, "other")
	}
	if s.TurnStep > 1 {
		list = append(list, "more")
	}
	return strings.Join(list, " ")
}

// Note says how a move was chosen, and with which score.
func (s *Step) Note(model *encode.WDL) string {
	var list []string
	switch {
	case s.Opening && s.Rank == engine.RankRandom:
		list = append(list, "random opening move")
	case s.Rank == engine.RankRandom:
		list = append(list, "random move")
	case s.Searched && s.Best == "":
		list = append(list, "best move of the search")
	case s.Searched && s.Rank == engine.RankBest: // the search came after the game
		list = append(list, "not the best move of the search")
	case s.Searched:
		list = append(list, fmt.Sprintf("move %d of the search", int(s.Rank)+1))
	default:
		list = append(list, "move without a search")
	}
	if s.Best != "" {
		list = append(list, "the best was "+s.Best)
	}
	if s.Searched {
		list = append(list, ScoreText(model, s.Score))
	}
	return strings.Join(list, "; ")
}
