package serve

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"net/http"
	"strconv"

	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets/movetext"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/engine"
)

// api answers questions about the datasets of a catalog. Its methods may be called by several
// goroutines.
type api struct {
	catalog *catalog.Catalog
	games   *catalog.Games
}

// routes returns the routes of the API. Single positions of games are named DATASET:GAME@PLY.
func (a *api) routes() []route {
	return []route{
		{pattern: "GET /api/openapi.json", handle: getOpenAPI},
		{pattern: "GET /api/datasets", handle: answerJSON(a.getDatasets)},
		{pattern: "GET /api/datasets/{dataset}", handle: about(a, a.getDataset)},
		{pattern: "GET /api/datasets/{dataset}/files", handle: about(a, a.getFiles)},
		{pattern: "GET /api/datasets/{dataset}/games", handle: about(a, a.getGames)},
		{pattern: "GET /api/datasets/{dataset}/histogram", handle: about(a, a.getHistogram)},
		{pattern: "GET /api/datasets/{dataset}/openings", handle: about(a, a.getOpenings)},
		{pattern: "GET /api/datasets/{dataset}/games/{game}", handle: about(a, a.getGame)},
		{pattern: "GET /api/games/{position}", handle: positionOf(a, replay.At)},
		{pattern: "GET /api/games/{position}/row", handle: positionOf(a, replay.RowAt)},
	}
}

// question is a request about a dataset. Its parameters are not read yet.
type question struct {
	*http.Request
	*catalog.Dataset
	*catalog.Params
}

// about returns the handler of questions about the dataset that the path of a request names.
func about[T any](a *api, answer func(q question) (T, error)) func(http.ResponseWriter, *http.Request) error {
	return answerJSON(func(r *http.Request) (v T, err error) {
		d, err := a.catalog.Find(r.PathValue("dataset"))
		if err != nil {
			return v, err
		}
		return answer(question{r, d, catalog.ParamsOf(r)})
	})
}

// noParams refuses parameters.
func noParams(r *http.Request) error { return catalog.ParamsOf(r).Err() }

// openAPI describes all routes of the server, OpenAPI 3.1.
//
//go:embed openapi.json
var openAPI []byte

func getOpenAPI(w http.ResponseWriter, r *http.Request) error {
	if err := noParams(r); err != nil {
		return err
	}
	write(w, http.StatusOK, "application/json", openAPI)
	return nil
}

// datasetList is the JSON of a list of datasets.
type datasetList struct {
	Datasets []catalog.Summary `json:"datasets"`
}

func (a *api) getDatasets(r *http.Request) (list datasetList, err error) {
	if err = noParams(r); err == nil {
		list.Datasets, err = a.catalog.Summaries()
	}
	return list, err
}

func (a *api) getDataset(q question) (*catalog.Details, error) {
	if err := q.Err(); err != nil {
		return nil, err
	}
	return q.Details()
}

// Limits of the list of files: 100,000 shards have 40 MB of JSON.
const (
	filesByDefault = 1000
	maxFiles       = 10_000
)

// fileList is the JSON of a list of files.
type fileList struct {
	Total int            `json:"total"` // files that the filter leaves
	Files []catalog.File `json:"files"`
}

func (a *api) getFiles(q question) (list fileList, err error) {
	table := q.OneOf("table", "", "positions", "games")
	split := q.OneOf("split", "", plan.Train, plan.Validation)
	offset := q.Int("offset", 0, 0, 4*plan.MaxShards)
	limit := q.Int("limit", filesByDefault, 1, maxFiles)
	if err := q.Err(); err != nil {
		return list, err
	}
	files, err := q.Files(table, split)
	page := files[min(offset, len(files)):min(offset+limit, len(files))]
	return fileList{len(files), append([]catalog.File{}, page...)}, err
}

// gameRecord is a whole game.
type gameRecord struct {
	Dataset string `json:"dataset"`
	Shard   int    `json:"shard"`
	Split   string `json:"split"`
	// gameRecord is the line that `selfplay convert --format moves` writes.
	Record json.RawMessage `json:"record"`
}

// getGame returns the game that the path of a request names.
func (a *api) getGame(q question) (answer gameRecord, err error) {
	if err := q.Err(); err != nil {
		return answer, err
	}
	shape, err := q.Shape()
	if err != nil {
		return answer, err
	}
	number, err := strconv.ParseUint(q.PathValue("game"), 10, 64)
	if err != nil {
		return answer, catalog.BadRequest("game %.40q: want its number", q.PathValue("game"))
	}
	record, commit, err := a.games.Record(q.Dataset, number)
	if err != nil {
		return answer, err
	}
	answer = gameRecord{Dataset: q.Name, Shard: commit.Shard, Split: q.Dataset.SplitOf(number)}
	answer.Record, err = recordLine(shape, record)
	return answer, err
}

// recordLine returns a game as `selfplay convert --format moves` writes it.
func recordLine(shape *rows.Shape, record *engine.Record) ([]byte, error) {
	form, _ := movetext.Find("moves") // every game has it
	var b bytes.Buffer
	w, err := form.New(&b, movetext.Source{Game: shape.Game, Variant: shape.Variant})
	if err == nil {
		err = w.Write(record)
	}
	return bytes.TrimSpace(b.Bytes()), err
}

// positionOf returns the handler that answers with what of returns of a position.
func positionOf[T any](a *api, of func(*rows.Shape, *engine.Record, int) (*T, error)) func(http.ResponseWriter, *http.Request) error {
	return answerJSON(func(r *http.Request) (*T, error) {
		p, err := a.games.Position(r.PathValue("position"))
		if err == nil {
			err = catalog.ParamsOf(r).Err()
		}
		if err != nil {
			return nil, err
		}
		return of(p.Shape, p.Record, p.Ply)
	})
}
