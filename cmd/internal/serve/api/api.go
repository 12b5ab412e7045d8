// Package api answers programs in JSON: which datasets there are, their files, games and
// positions. openapi.json describes all routes of the server; a test compares it with them and
// with answers.
//
//	api.go        API: its routes, and their description
//	datasets.go   datasets and their state
//	files.go      files of a dataset
//	games.go      games by a query
//	histogram.go  how often values occur, and next moves
//	game.go       one game
//
// Games are found by package games, which the pages of the server use, too.
package api

import (
	_ "embed"
	"net/http"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/games"
	"selfplay/cmd/internal/serve/web"
)

// API answers questions about the datasets of a catalog. Its methods may be called by several
// goroutines.
type API struct {
	Catalog *catalog.Catalog
	Games   *games.Games
}

// Routes returns the routes of the API.
func (a *API) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /api/openapi.json", Handle: getOpenAPI},
		{Pattern: "GET /api/datasets", Handle: web.JSON(a.getDatasets)},
		{Pattern: "GET /api/datasets/{dataset}", Handle: about(a, a.getDataset)},
		{Pattern: "GET /api/datasets/{dataset}/files", Handle: about(a, a.getFiles)},
		{Pattern: "GET /api/datasets/{dataset}/games", Handle: about(a, a.getGames)},
		{Pattern: "GET /api/datasets/{dataset}/histogram", Handle: about(a, a.getHistogram)},
		{Pattern: "GET /api/datasets/{dataset}/openings", Handle: about(a, a.getOpenings)},
		{Pattern: "GET /api/datasets/{dataset}/games/{game}", Handle: about(a, a.getGame)},
	}
}

// question is a request about a dataset. Its parameters are not read yet.
type question struct {
	*http.Request
	*catalog.Dataset
	*web.Params
}

// about returns the handler of questions about the dataset that the path of a request names.
func about[T any](a *API, answer func(q question) (T, error)) func(http.ResponseWriter, *http.Request) error {
	return web.JSON(func(r *http.Request) (v T, err error) {
		d, err := a.Catalog.Find(r.PathValue("dataset"))
		if err != nil {
			return v, err
		}
		return answer(question{r, d, web.ParamsOf(r)})
	})
}

// noParams refuses parameters.
func noParams(r *http.Request) error { return web.ParamsOf(r).Err() }

// openAPI describes all routes of the server, OpenAPI 3.1.
//
//go:embed openapi.json
var openAPI []byte

// OpenAPI returns the description of all routes of the server, OpenAPI 3.1.
func OpenAPI() []byte { return openAPI }

func getOpenAPI(w http.ResponseWriter, r *http.Request) error {
	if err := noParams(r); err != nil {
		return err
	}
	web.Write(w, http.StatusOK, "application/json", openAPI)
	return nil
}
