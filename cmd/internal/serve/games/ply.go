package games

import (
	"net/http"
	"strconv"
	"strings"

	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/rows"
	"selfplay/engine"
)

// Routes returns the routes of single positions of games, which are named DATASET:GAME@PLY.
func (g *Games) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /api/games/{position}", Handle: get(g, replay.At)},
		{Pattern: "GET /api/games/{position}/row", Handle: get(g, replay.RowAt)},
	}
}

// Position is a position of a game of a dataset.
type Position struct {
	Dataset *catalog.Dataset
	Shape   *rows.Shape
	Record  *engine.Record
	Ply     int // plies before the position
}

// Position returns the position with a name: DATASET:GAME@PLY, or DATASET:GAME for the last one.
// The error is one of package web.
func (g *Games) Position(name string) (p Position, err error) {
	at := strings.LastIndexByte(name, ':')
	if at < 0 {
		return p, web.BadRequest("position %.100q: want DATASET:GAME@PLY", name)
	}
	gameText, plyText, hasPly := strings.Cut(name[at+1:], "@")
	game, err := strconv.ParseUint(gameText, 10, 63)
	if err == nil && hasPly {
		p.Ply, err = strconv.Atoi(plyText)
	}
	if err != nil || p.Ply < 0 {
		return p, web.BadRequest("position %.100q: want DATASET:GAME@PLY with numbers", name)
	}
	if p.Dataset, err = g.catalog.Find(name[:at]); err != nil {
		return p, err
	}
	if p.Shape, err = p.Dataset.Shape(); err != nil {
		return p, err
	}
	if p.Record, _, err = g.Record(p.Dataset, game); err != nil {
		return p, err
	}
	plies := len(p.Record.Actions)
	if !hasPly {
		p.Ply = plies
	}
	if p.Ply > plies {
		return p, web.NotFound("no ply %d in game %d: it has %d", p.Ply, game, plies)
	}
	return p, nil
}

// get returns the handler that answers with what of returns of a position.
func get[T any](g *Games, of func(*rows.Shape, *engine.Record, int) (*T, error)) func(http.ResponseWriter, *http.Request) error {
	return web.JSON(func(r *http.Request) (*T, error) {
		p, err := g.Position(r.PathValue("position"))
		if err == nil {
			err = web.ParamsOf(r).Err()
		}
		if err != nil {
			return nil, err
		}
		return of(p.Shape, p.Record, p.Ply)
	})
}
