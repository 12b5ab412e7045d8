package games

import (
	"context"
	"errors"
	"time"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/gameindex"
)

// searchTime is how long a request searches for a position. It then returns what it has found, and
// where to continue.
const searchTime = 4 * time.Second

// Find returns the games that match a query with a position or a material.
func (g *Games) Find(ctx context.Context, d *catalog.Dataset, q *Query) (*gameindex.Index, *gameindex.Found, error) {
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
		return nil, nil, web.BadRequest("%v", err)
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	found, err := ix.Find(ctx, gameindex.Search{Target: target, Within: s, Cursor: q.Cursor, Limit: q.Limit})
	if errors.Is(err, gameindex.ErrCursor) {
		err = web.BadRequest("parameter cursor: %v", err)
	}
	return ix, found, err
}
