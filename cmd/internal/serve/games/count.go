package games

import (
	"context"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets/gameindex"
)

// Histogram counts the values of a column among the games that match the other conditions of a
// query. It has at most bars bars.
func (g *Games) Histogram(ctx context.Context, d *catalog.Dataset, q *Query, by gameindex.Column, bars int) (*gameindex.Index, gameindex.Histogram, error) {
	ix, s, err := g.selectGames(ctx, d, q)
	if err != nil {
		return nil, gameindex.Histogram{}, err
	}
	h, err := s.Histogram(ctx, by, bars)
	return ix, h, err
}

// Continuations counts the next moves after the opening of a query, the most frequent first and
// at most limit.
func (g *Games) Continuations(ctx context.Context, d *catalog.Dataset, q *Query, limit int) (*gameindex.Index, []gameindex.Continuation, error) {
	ix, s, err := g.selectGames(ctx, d, q)
	if err != nil {
		return nil, nil, err
	}
	list, err := s.Continuations(ctx, limit)
	return ix, list, err
}

// selectGames returns the index of a dataset, and the games that match a query, positions and
// material aside.
func (g *Games) selectGames(ctx context.Context, d *catalog.Dataset, q *Query) (*gameindex.Index, *gameindex.Selection, error) {
	ix, err := g.Index(d)
	if err != nil {
		return nil, nil, err
	}
	s, err := q.selection(ctx, ix)
	return ix, s, err
}
