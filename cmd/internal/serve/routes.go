package serve

import (
	"slices"

	"selfplay/cmd/internal/networks"
	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/analysis"
	"selfplay/cmd/internal/serve/api"
	"selfplay/cmd/internal/serve/boardarray"
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
