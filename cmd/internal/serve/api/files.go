package api

import (
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

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

// Limits of the list of files: 100,000 shards have 40 MB of JSON.
const (
	filesByDefault = 1000
	maxFiles       = 10_000
)

// fileList is the JSON of a list of files.
type fileList struct {
	Total int    `json:"total"` // files that the filter leaves
	Files []File `json:"files"`
}

// FileURL returns where a file of a dataset is served.
func FileURL(d *catalog.Dataset, name string) string { return web.Path("files", d.Name, name) }

// Files returns the data files of the committed shards, in shard order. An empty table or
// split means both.
func (a *API) Files(d *catalog.Dataset, table, split string) (files []File, err error) {
	commits, err := d.Commits()
	if err != nil {
		return nil, err
	}
	for _, p := range record.PartsOf(commits) {
		for i, e := range p.Files {
			if of := plan.Tables[i]; (table == "" || of == table) && (split == "" || p.Split == split) {
				files = append(files, File{e.Name, FileURL(d, e.Name), of, p.Split, p.Shard, e.Rows, e.Bytes, e.SHA256})
			}
		}
	}
	return files, nil
}

func (a *API) getFiles(q question) (list fileList, err error) {
	table := q.OneOf("table", "", "positions", "games")
	split := q.OneOf("split", "", plan.Train, plan.Validation)
	offset := q.Int("offset", 0, 0, 4*plan.MaxShards)
	limit := q.Int("limit", filesByDefault, 1, maxFiles)
	if err := q.Err(); err != nil {
		return list, err
	}
	files, err := a.Files(q.Dataset, table, split)
	page := files[min(offset, len(files)):min(offset+limit, len(files))]
	return fileList{len(files), append([]File{}, page...)}, err
}
