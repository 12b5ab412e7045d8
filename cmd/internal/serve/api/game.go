package api

import (
	"bytes"
	"encoding/json"
	"strconv"

	"selfplay/cmd/internal/serve/web"
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

// getGame returns the game that the path of a request names.
func (a *API) getGame(q question) (answer Record, err error) {
	if err := q.Err(); err != nil {
		return answer, err
	}
	shape, err := q.Shape()
	if err != nil {
		return answer, err
	}
	number, err := strconv.ParseUint(q.PathValue("game"), 10, 64)
	if err != nil {
		return answer, web.BadRequest("game %.40q: want its number", q.PathValue("game"))
	}
	record, commit, err := a.Games.Record(q.Dataset, number)
	if err != nil {
		return answer, err
	}
	answer = Record{Dataset: q.Name, Shard: commit.Shard, Split: q.Dataset.SplitOf(number)}
	answer.Record, err = line(shape, record)
	return answer, err
}

// line returns a game as `export convert --format moves` writes it.
func line(shape *rows.Shape, record *engine.Record) ([]byte, error) {
	form, _ := movetext.Find("moves") // every game has it
	var b bytes.Buffer
	w, err := form.New(&b, movetext.Source{Game: shape.Game, Variant: shape.Variant})
	if err == nil {
		err = w.Write(record)
	}
	return bytes.TrimSpace(b.Bytes()), err
}
