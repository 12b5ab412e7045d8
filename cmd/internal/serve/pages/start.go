package pages

import (
	"net/http"

	"selfplay/cmd/internal/serve/api"
)

// startPage is the data of the list of datasets.
type startPage struct {
	Datasets []datasetRow
}

// datasetRow is a dataset in the list.
type datasetRow struct {
	api.Summary
	Page    string // path of its page
	GameOf  string // title of its game
	Percent int    // of the target
}

// rows returns the datasets of the catalog.
func (p *Pages) rows() ([]datasetRow, error) {
	known, err := p.API.Datasets()
	list := make([]datasetRow, len(known))
	for i, s := range known {
		list[i] = p.newDatasetRow(s)
	}
	return list, err
}

func (p *Pages) newDatasetRow(s api.Summary) datasetRow {
	row := datasetRow{Summary: s, Page: datasetURL(s.Name), GameOf: s.Game}
	if g, err := p.Known.Games.Find(s.Game); err == nil {
		row.GameOf = g.Title
	}
	if s.Target > 0 {
		row.Percent = int(100 * min(s.Games, s.Target) / s.Target)
	}
	return row
}

func (p *Pages) start(w http.ResponseWriter, _ *http.Request) error {
	list, err := p.rows()
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, "start", &frame{
		Title: "Datasets", Modules: []string{"/static/live.js"}, Page: startPage{list},
	})
}
