package pages

import (
	"strings"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/games"
	"selfplay/datasets/rows"
)

// openingMove is a move of the opening of the filter.
type openingMove struct{ Text, URL string }

// nextMove is a continuation of the opening.
type nextMove struct {
	Text  string
	URL   string
	Games int
	Share string
	Bar   string // width in percent of the longest
}

// addOpening adds the opening of the filter and its continuations.
func (page *listPage) addOpening(q *games.Query, shape *rows.Shape, found *games.Page) {
	page.NoOpening = q.With("opening", "")
	for i, s := range stepsOf(shape, q.Opening) {
		page.Opening = append(page.Opening, openingMove{withNumber(&s), q.With("opening", games.JoinOpening(q.Opening[:i+1]))})
	}
	moves, err := found.Index.Opening(q.Opening)
	if err != nil {
		return
	}
	for _, c := range found.Continuations {
		texts, err := found.Index.OpeningTexts(append(moves[:len(moves):len(moves)], c.Action))
		if err != nil { // a forged record
			continue
		}
		steps := stepsOf(shape, texts)
		if len(steps) == 0 {
			continue
		}
		page.Next = append(page.Next, nextMove{
			Text: steps[len(steps)-1].Move, URL: q.With("opening", games.JoinOpening(texts)), Games: c.Games,
			Share: human.Percent(float64(c.Games) / float64(max(1, found.Total))), Bar: width(c.Games, found.Continuations[0].Games),
		})
	}
}

// stepsOf returns the first moves of a game, which are given in wire form, with their numbers.
func stepsOf(shape *rows.Shape, moves []string) []replay.Step {
	g := &shape.Game
	steps, _ := playMoves(g, g.New(shape.Variant), moves) // those before an error are right
	return steps
}

// withNumber writes a move with its number, if it has one: 1. e4.
func withNumber(s *replay.Step) string { return strings.TrimPrefix(s.Number()+" "+s.Move, " ") }

// numberedMoves writes the first moves of a game as players do: 1. e4 e5 2. Nf3.
func numberedMoves(shape *rows.Shape, moves []string) string {
	var list []string
	for _, s := range stepsOf(shape, moves) {
		list = append(list, withNumber(&s))
	}
	return strings.Join(list, " ")
}
