package api

import (
	"net/http"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/internal/goroutine"
)

// Summary describes a dataset in a list.
type Summary struct {
	Name     string       `json:"name"`
	URL      string       `json:"url"` // of its Dataset
	Title    string       `json:"title,omitempty"`
	Game     string       `json:"game,omitempty"`
	State    status.State `json:"state,omitempty"`
	Complete bool         `json:"complete"`
	Games    uint64       `json:"games"`      // committed, as Rows and Bytes
	Done     uint64       `json:"games_done"` // committed or in journals
	Target   uint64       `json:"target"`
	Rows     uint64       `json:"rows"`
	Bytes    int64        `json:"bytes"`
	Error    string       `json:"error,omitempty"` // why the dataset cannot be read
}

// maxSummaries is the number of datasets that a list asks for their state at once.
const maxSummaries = 64

// Datasets returns all datasets, by name. The state of one whose store is silent is an error of
// that dataset alone.
func (a *API) Datasets() ([]Summary, error) {
	known := a.Catalog.List()
	list := make([]Summary, len(known))
	asking := goroutine.New()
	asking.SetLimit(maxSummaries)
	for i, d := range known {
		asking.Go(func() error { list[i] = Summarize(d); return nil })
	}
	return list, asking.Wait()
}

// Summarize describes a dataset.
func Summarize(d *catalog.Dataset) Summary {
	s := Summary{Name: d.Name, URL: web.Path("api", "datasets", d.Name)}
	ds, err := d.Data()
	if err == nil {
		s.Title, s.Game = ds.About().Title, ds.Plan().Game
	}
	var now *status.Status
	if err == nil {
		now, err = d.Status()
	}
	if err != nil {
		s.Error = web.Message(err)
		return s
	}
	s.State, s.Complete, s.Games, s.Done = now.State, now.Complete, now.Games, now.GamesDone
	s.Target, s.Rows, s.Bytes = now.Target, now.Rows, now.Bytes
	return s
}

// datasetList is the JSON of a list of datasets.
type datasetList struct {
	Datasets []Summary `json:"datasets"`
}

func (a *API) getDatasets(r *http.Request) (list datasetList, err error) {
	if err = noParams(r); err == nil {
		list.Datasets, err = a.Datasets()
	}
	return list, err
}

// Dataset describes a dataset.
type Dataset struct {
	Name        string               `json:"name"`
	About       plan.About           `json:"about"`
	Status      *status.Status       `json:"status"`
	Plan        plan.Plan            `json:"plan"`
	Splits      map[string]SplitSize `json:"splits"`
	Description Description          `json:"description"`
}

// SplitSize is the size of the committed shards of a split.
type SplitSize struct {
	Shards int    `json:"shards"`
	Games  uint64 `json:"games"`
	Rows   uint64 `json:"rows"`
}

// Description says what the numbers of a dataset mean.
type Description struct {
	Sides   [2]string `json:"sides"`
	Results []string  `json:"results"` // by number
	Reasons []string  `json:"reasons"` // by number; "" for those that the game does not use
	// OwnReasons names the reasons from 128 on, which only this game has.
	OwnReasons []Reason `json:"own_reasons,omitempty"`
	Actions    int      `json:"actions"`
	Columns    []Column `json:"columns"` // of the positions
}

// Reason is the number and the name of a reason.
type Reason struct {
	Number uint8  `json:"number"`
	Name   string `json:"name"`
}

// Column describes a column of the positions.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Len  int    `json:"len"` // values of an array; 0 for a scalar, -1 for a list
	Doc  string `json:"doc"`
}

// Describe returns the description of a dataset.
func (a *API) Describe(d *catalog.Dataset) (*Dataset, error) {
	ds, err := d.Data()
	if err != nil {
		return nil, err
	}
	now, err := d.Status()
	if err != nil {
		return nil, err
	}
	commits, err := d.Commits()
	if err != nil {
		return nil, err
	}
	return &Dataset{
		Name: d.Name, About: ds.About(), Status: now, Plan: ds.Plan(),
		Splits: splitSizes(commits), Description: describe(ds.Description()),
	}, nil
}

func splitSizes(commits []*record.Commit) map[string]SplitSize {
	sizes := map[string]SplitSize{plan.Train: {}, plan.Validation: {}}
	for _, p := range record.PartsOf(commits) {
		s := sizes[p.Split]
		s.Shards++
		s.Games += p.Games
		s.Rows += p.Rows
		sizes[p.Split] = s
	}
	return sizes
}

func describe(d plan.Description) Description {
	out := Description{Sides: d.Sides, Results: d.Results, Reasons: d.Reasons, Actions: d.Actions}
	for _, own := range d.OwnReasons {
		out.OwnReasons = append(out.OwnReasons, Reason{uint8(own.Reason), own.Name})
	}
	for _, c := range d.Columns {
		out.Columns = append(out.Columns, Column{c.Name, c.Kind.String(), c.Len, c.Doc})
	}
	return out
}

func (a *API) getDataset(q question) (*Dataset, error) {
	if err := q.Err(); err != nil {
		return nil, err
	}
	return a.Describe(q.Dataset)
}
