// Package api answers programs in JSON: which datasets there are, their files, games and
// positions. openapi.json describes the answers; a test compares it with them.
//
//	api.go       API: its routes
//	datasets.go  datasets and their state
//	files.go     files of a dataset
//
// Answers are made by methods of API that the pages of the server use, too.
package api

import (
	"net/http"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
)

// API answers questions about the datasets of a catalog. Its methods may be called by several
// goroutines.
type API struct{ Catalog *catalog.Catalog }

// Routes returns the routes of the API.
func (a *API) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /api/datasets", Handle: a.getDatasets},
		{Pattern: "GET /api/datasets/{dataset}", Handle: a.getDataset},
		{Pattern: "GET /api/datasets/{dataset}/files", Handle: a.getFiles},
	}
}

// dataset returns the dataset that the path of a request names.
func (a *API) dataset(r *http.Request) (*catalog.Dataset, error) {
	return a.Catalog.Find(r.PathValue("dataset"))
}

// noParams refuses parameters.
func noParams(r *http.Request) error { return web.ParamsOf(r).Err() }
