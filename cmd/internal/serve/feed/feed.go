// Package feed sends the data of datasets as it is: files, for programs that read Parquet and
// Arrow over HTTP.
//
//	feed.go   Feed: its routes
//	files.go  files of datasets, with ranges
package feed

import (
	"log/slog"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
)

// Feed sends the data of the datasets of a catalog.
type Feed struct {
	Catalog *catalog.Catalog
	Log     *slog.Logger
}

// Routes returns the routes of the feed.
func (f *Feed) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /files/{dataset}/{name...}", Handle: f.getFile},
	}
}
