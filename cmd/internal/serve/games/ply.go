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
		{Pattern: "GET /api/games/{position}", Handle: g.getPly},
		{Pattern: "GET /api/games/{position}/row", Handle: g.getRow},
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

func (g *Games) getPly(w http.ResponseWriter, r *http.Request) error {
	p, err := g.Position(r.PathValue("position"))
	if err != nil {
		return err
	}
	if err := web.ParamsOf(r).Err(); err != nil {
		return err
	}
	v, err := replay.At(p.Shape, p.Record, p.Ply)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, v)
}

func (g *Games) getRow(w http.ResponseWriter, r *http.Request) error {
	p, err := g.Position(r.PathValue("position"))
	if err != nil {
		return err
	}
	if err := web.ParamsOf(r).Err(); err != nil {
		return err
	}
	v, err := replay.RowAt(p.Shape, p.Record, p.Ply)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, v)
}
