package catalog

import (
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/internal/goroutine"
)

// Summary describes a dataset in a list.
type Summary struct {
	Name     string       `json:"name"`
	URL      string       `json:"url"` // of its Details
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

// Summaries describes all datasets, by name. The state of one whose store is silent is an error of
// that dataset alone.
func (c *Catalog) Summaries() ([]Summary, error) {
	known := c.List()
	list := make([]Summary, len(known))
	asking := goroutine.New()
	asking.SetLimit(maxSummaries)
	for i, d := range known {
		asking.Go(func() error { list[i] = d.Summary(); return nil })
	}
	return list, asking.Wait()
}

// Summary describes the dataset for a list.
func (d *Dataset) Summary() Summary {
	s := Summary{Name: d.Name, URL: Path("api", "datasets", d.Name)}
	ds, err := d.Data()
	if err == nil {
		s.Title, s.Game = ds.About().Title, ds.Plan().Game
	}
	var now *status.Status
	if err == nil {
		now, err = d.Status()
	}
	if err != nil {
		s.Error = Message(err)
		return s
	}
	s.State, s.Complete, s.Games, s.Done = now.State, now.Complete, now.Games, now.GamesDone
	s.Target, s.Rows, s.Bytes = now.Target, now.Rows, now.Bytes
	return s
}

// Details is all that is said of a dataset.
type Details struct {
	Name        string               `json:"name"`
	About       plan.About           `json:"about"`
	Status      *status.Status       `json:"status"`
	Plan        plan.Plan            `json:"plan"`
	Splits      map[string]SplitSize `json:"splits"`
	Description description          `json:"description"`
}

// SplitSize is the size of the committed shards of a split.
type SplitSize struct {
	Shards int    `json:"shards"`
	Games  uint64 `json:"games"`
	Rows   uint64 `json:"rows"`
}

// description says what the numbers of a dataset mean.
type description struct {
	Sides   [2]string `json:"sides"`
	Results []string  `json:"results"` // by number
	Reasons []string  `json:"reasons"` // by number; "" for those that the game does not use
	// OwnReasons names the reasons from 128 on, which only this game has.
	OwnReasons []reason `json:"own_reasons,omitempty"`
	Actions    int      `json:"actions"`
	Columns    []column `json:"columns"` // of the positions
}

// reason is the number and the name of a reason.
type reason struct {
	Number uint8  `json:"number"`
	Name   string `json:"name"`
}

// column describes a column of the positions.
type column struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Len  int    `json:"len"` // values of an array; 0 for a scalar, -1 for a list
	Doc  string `json:"doc"`
}

// Details describes the dataset.
func (d *Dataset) Details() (*Details, error) {
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
	return &Details{
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

func describe(d plan.Description) description {
	out := description{Sides: d.Sides, Results: d.Results, Reasons: d.Reasons, Actions: d.Actions}
	for _, own := range d.OwnReasons {
		out.OwnReasons = append(out.OwnReasons, reason{uint8(own.Reason), own.Name})
	}
	for _, c := range d.Columns {
		out.Columns = append(out.Columns, column{c.Name, c.Kind.String(), c.Len, c.Doc})
	}
	return out
}

// File is a data file of a committed shard.
type File struct {
	Name   string `json:"name"`
	URL    string `json:"url"`
	Table  string `json:"table"` // positions or games
	Split  string `json:"split"`
	Shard  int    `json:"shard"`
	Rows   uint64 `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Files returns the data files of the committed shards, in shard order. An empty table or
// split means both.
func (d *Dataset) Files(table, split string) (files []File, err error) {
	commits, err := d.Commits()
	if err != nil {
		return nil, err
	}
	for _, p := range record.PartsOf(commits) {
		for i, e := range p.Files {
			if of := plan.Tables[i]; (table == "" || of == table) && (split == "" || p.Split == split) {
				files = append(files, File{e.Name, Path("files", d.Name, e.Name), of, p.Split, p.Shard, e.Rows, e.Bytes, e.SHA256})
			}
		}
	}
	return files, nil
}
