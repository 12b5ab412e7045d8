// Package feed sends the data of datasets: files, for programs that read Parquet and Arrow over
// HTTP, and rows as an Arrow stream, for training.
//
//	feed.go    Feed: its routes
//	files.go   files of datasets, with ranges
//	stream.go  rows of a split as an Arrow stream
//	limits.go  how many streams at once
//
// A stream takes one processor or less: one goroutine decodes rows, and another, which mostly
// waits for the client, sends them.
package feed

import (
	"log/slog"
	"sync"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
)

// Feed sends the data of the datasets of a catalog.
type Feed struct {
	Catalog *catalog.Catalog
	Log     *slog.Logger

	limits    limits
	measuring sync.Mutex // see memory
}

// Routes returns the routes of the feed.
func (f *Feed) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /files/{dataset}/{name...}", Handle: f.getFile},
		{Pattern: "GET /stream", Handle: f.getStream},
	}
}
