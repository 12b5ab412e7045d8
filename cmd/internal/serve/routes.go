package serve

import (
	"net/http"
	"slices"

	"selfplay/cmd/internal/networks"
	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/analysis"
	"selfplay/cmd/internal/serve/api"
	"selfplay/cmd/internal/serve/boardarray"
	"selfplay/cmd/internal/serve/feed"
	"selfplay/cmd/internal/serve/web"
)

// routes returns all routes of the server.
func (s *Server) routes() []web.Route {
	return slices.Concat(
		(&api.API{Catalog: s.catalog, Games: s.games}).Routes(),
		(&feed.Feed{Catalog: s.catalog, Log: s.o.Log}).Routes(),
		(&boardarray.Handler{Games: boardarray.NewStore(boardarray.DefaultGames, boardarray.DefaultAge), Find: s.position}).Routes(),
		analysis.New(analysis.DefaultLimits, networks.Stored(s.dirs)).Routes(),
		[]web.Route{{Pattern: "GET /", Handle: notFound}},
	)
}

// position returns a position of a game of a dataset.
func (s *Server) position(ref boardarray.Ref) (state boardarray.State, err error) {
	d, err := s.catalog.Find(ref.Dataset)
	if err != nil {
		return state, err
	}
	shape, err := d.Shape()
	if err != nil {
		return state, err
	}
	r, _, err := s.games.Record(d, ref.Game)
	if err != nil {
		return state, err
	}
	if ref.Ply == boardarray.Last {
		ref.Ply = len(r.Actions)
	}
	if ref.Ply > len(r.Actions) {
		return state, web.NotFound("no ply %d in game %d: it has %d", ref.Ply, ref.Game, len(r.Actions))
	}
	p, err := replay.At(shape, r, ref.Ply)
	if err != nil {
		return state, err
	}
	return boardarray.State{Game: shape.Game, Variant: shape.Variant, Text: p.Position}, nil
}

// dirs returns the directories of all datasets.
func (s *Server) dirs() (list []string) {
	for _, d := range s.catalog.List() {
		list = append(list, d.Dir)
	}
	return list
}

// notFound answers paths that no other route has.
func notFound(_ http.ResponseWriter, r *http.Request) error {
	return web.NotFound("nothing at %.200q", r.URL.Path)
}
