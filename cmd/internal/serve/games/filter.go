package games

import (
	"strings"

	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/gameindex"
	"selfplay/engine"
)

// filter returns the query as a filter of an index.
func (q *Query) filter(ix *gameindex.Index) (f gameindex.Filter, err error) {
	g := &ix.Shape().Game
	f = gameindex.Filter{
		Plies: q.Plies.limits(), Drop: q.Drop.limits(), Player: q.Player,
		Leads:   [2]*gameindex.Range{q.Leads[0].limits(), q.Leads[1].limits()},
		Players: [2]string{q.First, q.Second}, Games: q.Games.limits(), Shards: q.Shards.limits(), Split: q.Split,
	}
	if q.Result != "" {
		f.Results = []engine.Result{q.ResultNumber(g)}
	}
	if q.Reason != "" {
		reason, _ := g.Reason(q.Reason) // ParseQuery knows all names
		f.Reasons = []engine.Reason{reason}
	}
	if len(q.Opening) > gameindex.OpeningPlies {
		return f, web.BadRequest("an opening of %d plies: the index has the first %d", len(q.Opening), gameindex.OpeningPlies)
	}
	if f.Opening, err = ix.Opening(q.Opening); err != nil {
		return f, web.BadRequest("%v", err)
	}
	return f, nil
}

// limits returns the range for an index, nil for all numbers.
func (r Range) limits() *gameindex.Range {
	if !r.Given {
		return nil
	}
	return &gameindex.Range{Min: r.Min, Max: r.Max}
}

// order returns the order of the query.
func (q *Query) order() gameindex.Order {
	name, descending := strings.CutPrefix(q.Sort, "-")
	by, err := gameindex.ColumnNamed(name)
	if err != nil { // ParseQuery knows all names
		by = gameindex.GameNumber
	}
	return gameindex.Order{By: by, Descending: descending}
}
