package pages

import (
	"net/url"
	"slices"
	"strings"

	"selfplay/datasets/gameindex"
	"selfplay/engine"
)

// newLegalMove returns a legal move with the address of the page after it.
func newLegalMove(page *analysisPage, pos engine.Position, m engine.Move) legalMove {
	wire := pos.FormatMove(m)
	text := wire
	if p, ok := pos.(engine.Algebraic); ok {
		text = p.SAN(m)
	}
	v := url.Values{"game": {page.Game}, "position": {page.Position}, "play": {wire}, "player": {page.Player}}
	if page.Variant != "" {
		v.Set("variant", page.Variant)
	}
	return legalMove{text, "/analysis?" + v.Encode()}
}

func sortMoves(list []legalMove) {
	slices.SortFunc(list, func(a, b legalMove) int { return strings.Compare(a.Text, b.Text) })
}

// outcomeOf returns the outcome of a game of an index.
func outcomeOf(g *gameindex.Game) engine.Outcome {
	return engine.Outcome{Result: g.Result, Reason: g.Reason}
}
