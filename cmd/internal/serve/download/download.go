// Package download sends what the pages show as files: the games that match a query, and the rows
// of a game. The files are written by the packages that `export convert` uses.
//
//	download.go  Downloads: its routes, and how much it does at once
//	forms.go     the formats of files
//	games.go     games that match, as a table; texts.go as text
//	game.go      one game
//
// A file is made in memory before the answer begins: what takes too long or is too large is refused.
package download

import (
	"bytes"
	"context"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/games"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/rows"
)

// Downloads sends files of the datasets of a catalog.
type Downloads struct {
	Catalog *catalog.Catalog
	Games   *games.Games

	running atomic.Int32
}

// Routes returns the routes of the downloads.
func (d *Downloads) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /api/datasets/{dataset}/games/download", Handle: d.handle(d.games)},
		{Pattern: "GET /api/datasets/{dataset}/games/{game}/download", Handle: d.handle(d.game)},
	}
}

// Limits of downloads.
const (
	// MaxGames is the largest number of games in a table, MaxTexts that of games as text: these are read
	// from their shards.
	MaxGames = 100_000
	MaxTexts = 10_000

	maxRunning = 4
	maxTime    = 20 * time.Second
)

// request is a request for a file. Its parameters are not read yet.
type request struct {
	*http.Request
	*web.Params
	dataset *catalog.Dataset
	shape   *rows.Shape
	format  format
}

// handle returns the handler that sends the file that write makes. write returns its name without an
// extension.
func (d *Downloads) handle(write func(ctx context.Context, q *request, out *bytes.Buffer) (name string, err error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := d.read(r)
		if err != nil {
			return err
		}
		if d.running.Add(1) > maxRunning {
			d.running.Add(-1)
			return web.TryAgain("%d files are being made", maxRunning)
		}
		defer d.running.Add(-1)
		ctx, cancel := context.WithTimeout(r.Context(), maxTime)
		defer cancel()
		var out bytes.Buffer
		name, err := write(ctx, q, &out)
		if errors.Is(err, context.DeadlineExceeded) {
			return web.BadRequest("the games are in too many files to be read in %s: filter them, or use export convert --where", maxTime)
		}
		if err != nil {
			return err
		}
		send(w, q.format, q.dataset.Name+"-"+name+q.format.ext, out.Bytes())
		return nil
	}
}

// read reads what every download has.
func (d *Downloads) read(r *http.Request) (*request, error) {
	set, err := d.Catalog.Find(r.PathValue("dataset"))
	if err != nil {
		return nil, err
	}
	shape, err := set.Shape()
	if err != nil {
		return nil, err
	}
	q := &request{Request: r, Params: web.ParamsOf(r), dataset: set, shape: shape}
	q.format = formatNamed(q.OneOf("format", Formats(shape)...))
	return q, nil
}

// send answers with a file.
func send(w http.ResponseWriter, f format, name string, data []byte) {
	h := w.Header()
	h.Set("Content-Type", f.mime)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // the client may be gone
}
