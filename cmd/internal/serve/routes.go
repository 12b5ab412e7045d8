package serve

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"selfplay/cmd/internal/networks"
	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/analysis"
	"selfplay/cmd/internal/serve/api"
	"selfplay/cmd/internal/serve/boardarray"
	"selfplay/cmd/internal/serve/download"
	"selfplay/cmd/internal/serve/feed"
	"selfplay/cmd/internal/serve/pages"
	"selfplay/cmd/internal/serve/reports"
	"selfplay/cmd/internal/serve/web"
)

// routes returns all routes of the server.
func (s *Server) routes() []web.Route {
	of := &api.API{Catalog: s.catalog, Games: s.games}
	return slices.Concat(
		of.Routes(),
		(&feed.Feed{Catalog: s.catalog, Log: s.o.Log}).Routes(),
		(&boardarray.Handler{Known: s.o.Known.Games, Games: boardarray.NewStore(boardarray.DefaultGames, boardarray.DefaultAge), Find: s.position}).Routes(),
		s.games.Routes(),
		(&download.Downloads{Catalog: s.catalog, Games: s.games}).Routes(),
		analysis.New(s.o.Known, analysis.DefaultLimits, networks.Stored(s.dirs)).Routes(),
		(&pages.Pages{Known: s.o.Known, API: of, Games: s.games, Reports: &reports.Reports{Log: s.o.Log}}).Routes(),
	)
}

// position returns a position of a game of a dataset.
func (s *Server) position(name string) (state boardarray.State, err error) {
	at, err := s.games.Position(name)
	if err != nil {
		return state, err
	}
	p, err := replay.At(at.Shape, at.Record, at.Ply)
	if err != nil {
		return state, err
	}
	return boardarray.State{Game: at.Shape.Game, Variant: at.Shape.Variant, Text: p.Position}, nil
}

// dirs returns the directories of all datasets.
func (s *Server) dirs() (list []string) {
	for _, d := range s.catalog.List() {
		list = append(list, d.Dir)
	}
	return list
}

// router passes requests on to routes. Where no route takes one, it answers in JSON: 404 below /api/,
// and 405 where a route takes another method. The other paths that are unknown have a page.
type router struct{ mux *http.ServeMux }

func newRouter(routes []web.Route, log *slog.Logger) *router {
	mux := http.NewServeMux()
	for _, t := range routes {
		mux.Handle(t.Pattern, t.Handler(log))
	}
	return &router{mux}
}

func (t *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if t.takes(r, r.Method) {
		t.mux.ServeHTTP(w, r)
		return
	}
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
		if t.takes(r, method) {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil {
		web.WriteError(w, r, web.NotFound("nothing at %.200q: /api/openapi.json describes what there is", r.URL.Path))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	web.WriteError(w, r, web.Errorf(http.StatusMethodNotAllowed, "method %.20q: want %s", r.Method, strings.Join(allowed, " or ")))
}

// takes reports whether a route takes a request with a method. The page of unknown paths is none of
// /api/.
func (t *router) takes(r *http.Request, method string) bool {
	probe := *r
	probe.Method = method
	_, pattern := t.mux.Handler(&probe)
	_, path, _ := strings.Cut(pattern, " ")
	return path != "" && !(path == "/" && strings.HasPrefix(r.URL.Path, "/api/"))
}
