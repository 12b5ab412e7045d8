package games

import (
	"context"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets/gameindex"
)

// Page is a page of games.
type Page struct {
	Index  *gameindex.Index
	Status gameindex.Status
	Total  int // games that match
	Games  []gameindex.Game
	// Continuations are the next moves of the opening among the games that match.
	Continuations []gameindex.Continuation
	Histograms    []gameindex.Histogram
}

// histogramBars is the largest number of bars of a histogram.
const histogramBars = 30

// histogramColumns are the columns that a page has histograms of.
var histogramColumns = []gameindex.Column{
	gameindex.Result, gameindex.Reason, gameindex.Plies, gameindex.Drop, gameindex.PlayerFirst, gameindex.PlayerSecond,
}

// maxContinuations is the largest number of next moves.
const maxContinuations = 12

// List returns a page of the games that match a query, of a dataset that is indexed or is being
// indexed. full adds histograms and continuations.
func (g *Games) List(ctx context.Context, d *catalog.Dataset, q *Query, full bool) (*Page, error) {
	ix, err := g.Index(d)
	if err != nil {
		return nil, err
	}
	s, err := q.selection(ctx, ix)
	if err != nil {
		return nil, err
	}
	p := &Page{Index: ix, Status: ix.Status(), Total: s.Total()}
	if p.Games, err = s.Page(ctx, q.order(), q.Offset, q.Limit); err != nil || !full {
		return p, err
	}
	if p.Continuations, err = s.Continuations(ctx, maxContinuations); err != nil {
		return nil, err
	}
	for _, c := range histogramColumns {
		h, err := s.Histogram(ctx, c, histogramBars)
		if err != nil {
			return nil, err
		}
		p.Histograms = append(p.Histograms, h)
	}
	return p, nil
}

// selection returns the games that match the query, positions and material aside.
func (q *Query) selection(ctx context.Context, ix *gameindex.Index) (*gameindex.Selection, error) {
	f, err := q.filter(ix)
	if err != nil {
		return nil, err
	}
	return ix.Select(ctx, f)
}
