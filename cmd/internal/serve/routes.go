package serve

import (
	"net/http"
	"slices"

	"selfplay/cmd/internal/serve/api"
	"selfplay/cmd/internal/serve/feed"
	"selfplay/cmd/internal/serve/web"
)

// routes returns all routes of the server.
func (s *Server) routes() []web.Route {
	return slices.Concat(
		(&api.API{Catalog: s.catalog}).Routes(),
		(&feed.Feed{Catalog: s.catalog, Log: s.o.Log}).Routes(),
		[]web.Route{{Pattern: "GET /", Handle: notFound}},
	)
}

// notFound answers paths that no other route has.
func notFound(_ http.ResponseWriter, r *http.Request) error {
	return web.NotFound("nothing at %.200q", r.URL.Path)
}
