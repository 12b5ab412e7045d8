package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets"
	"selfplay/datasets/movetext"
	"selfplay/datasets/rows"
	"selfplay/engine"
)

// Record is a whole game.
type Record struct {
	Dataset string `json:"dataset"`
	Shard   int    `json:"shard"`
	Split   string `json:"split"`
	// Record is the line that `export convert --format moves` writes.
	Record json.RawMessage `json:"record"`
}

// found is a game that a request names.
type found struct {
	d      *catalog.Dataset
	shape  *rows.Shape
	record *engine.Record
	commit *datasets.Commit
}

// find returns the game that the path of a request names.
func (a *API) find(r *http.Request) (f found, err error) {
	if f.d, err = a.dataset(r); err != nil {
		return f, err
	}
	if err = noParams(r); err != nil {
		return f, err
	}
	if f.shape, err = f.d.Shape(); err != nil {
		return f, err
	}
	number, err := strconv.ParseUint(r.PathValue("game"), 10, 64)
	if err != nil {
		return f, web.BadRequest("game %.40q: want its number", r.PathValue("game"))
	}
	f.record, f.commit, err = a.Games.Record(f.d, number)
	return f, err
}

func (a *API) getGame(w http.ResponseWriter, r *http.Request) error {
	f, err := a.find(r)
	if err != nil {
		return err
	}
	line, err := f.line()
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, Record{f.d.Name, f.commit.Shard, f.commit.Split, line})
}

// line returns the game as `export convert --format moves` writes it.
func (f *found) line() ([]byte, error) {
	form, _ := movetext.Find("moves") // every game has it
	var b bytes.Buffer
	w, err := form.New(&b, movetext.Source{Game: f.shape.Game, Variant: f.shape.Variant})
	if err == nil {
		err = w.Write(f.record)
	}
	return bytes.TrimSpace(b.Bytes()), err
}
