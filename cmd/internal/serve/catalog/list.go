package catalog

import (
	"context"
	"errors"
	"time"

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

// HistogramBars is the largest number of bars of a histogram, unless a request asks for another one.
const HistogramBars = 30

// histogramColumns are the columns that a page has histograms of.
var histogramColumns = []gameindex.Column{
	gameindex.Result, gameindex.Reason, gameindex.Plies, gameindex.Drop, gameindex.LeadFirst, gameindex.LeadSecond, gameindex.PlayerFirst, gameindex.PlayerSecond,
}

// MaxContinuations is the largest number of next moves.
const MaxContinuations = 12

// List returns a page of the games that match a query, of a dataset that is indexed or is being
// indexed. full adds histograms and continuations.
func (g *Games) List(ctx context.Context, d *Dataset, q *Query, full bool) (*Page, error) {
	ix, s, err := g.selectGames(ctx, d, q)
	if err != nil {
		return nil, err
	}
	p := &Page{Index: ix, Status: ix.Status(), Total: s.Total()}
	if p.Games, err = s.Page(ctx, q.order(), q.Offset, q.Limit); err != nil || !full {
		return p, err
	}
	if p.Continuations, err = s.Continuations(ctx, MaxContinuations); err != nil {
		return nil, err
	}
	for _, c := range histogramColumns {
		h, err := s.Histogram(ctx, c, HistogramBars)
		if err != nil {
			return nil, err
		}
		p.Histograms = append(p.Histograms, h)
	}
	return p, nil
}

// selectGames returns the index of a dataset, and the games that match a query, positions and
// material aside.
func (g *Games) selectGames(ctx context.Context, d *Dataset, q *Query) (*gameindex.Index, *gameindex.Selection, error) {
	ix, err := g.Index(d)
	if err != nil {
		return nil, nil, err
	}
	f, err := q.filter(ix)
	if err != nil {
		return nil, nil, err
	}
	s, err := ix.Select(ctx, f)
	return ix, s, err
}

// Histogram counts the values of a column among the games that match the other conditions of a
// query. It has at most bars bars.
func (g *Games) Histogram(ctx context.Context, d *Dataset, q *Query, by gameindex.Column, bars int) (*gameindex.Index, gameindex.Histogram, error) {
	ix, s, err := g.selectGames(ctx, d, q)
	if err != nil {
		return nil, gameindex.Histogram{}, err
	}
	h, err := s.Histogram(ctx, by, bars)
	return ix, h, err
}

// Continuations counts the next moves after the opening of a query, the most frequent first and
// at most limit.
func (g *Games) Continuations(ctx context.Context, d *Dataset, q *Query, limit int) (*gameindex.Index, []gameindex.Continuation, error) {
	ix, s, err := g.selectGames(ctx, d, q)
	if err != nil {
		return nil, nil, err
	}
	list, err := s.Continuations(ctx, limit)
	return ix, list, err
}

// searchTime is how long a request searches for a position. It then returns what it has found, and
// where to continue.
const searchTime = 4 * time.Second

// Find returns the games that match a query with a position or a material.
func (g *Games) Find(ctx context.Context, d *Dataset, q *Query) (*gameindex.Index, *gameindex.Found, error) {
	ix, s, err := g.selectGames(ctx, d, q)
	if err != nil {
		return nil, nil, err
	}
	var target *gameindex.Target
	if q.Position != "" {
		target, err = ix.Position(q.Position)
	} else {
		target, err = ix.Material(q.Material)
	}
	if err != nil {
		return nil, nil, BadRequest("%v", err)
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	found, err := ix.Find(ctx, gameindex.Search{Target: target, Within: s, Cursor: q.Cursor, Limit: q.Limit})
	if errors.Is(err, gameindex.ErrCursor) {
		err = BadRequest("parameter cursor: %v", err)
	}
	return ix, found, err
}
