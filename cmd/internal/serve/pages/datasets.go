package pages

import (
	"net/http"

	"selfplay/cmd/internal/serve/api"
	"selfplay/cmd/internal/serve/reports"
	"selfplay/datasets/plan"
)

// datasetPage is the data of the page of a dataset.
type datasetPage struct {
	datasetRow
	About  string
	Splits []split
	Report reports.State
	Files  []api.File // the first
	More   int        // further files
}

// split is a split of a dataset.
type split struct {
	Name string
	api.SplitSize
}

// maxFiles is the number of files on the page.
const maxFiles = 8

func (p *Pages) dataset(w http.ResponseWriter, r *http.Request) error {
	d, err := p.API.Catalog.Find(r.PathValue("dataset"))
	if err != nil {
		return err
	}
	about, err := p.API.Describe(d)
	if err != nil {
		return err
	}
	page := datasetPage{datasetRow: p.newDatasetRow(api.Summarize(d)), About: about.About.Title}
	for _, name := range []string{plan.Train, plan.Validation} {
		page.Splits = append(page.Splits, split{name, about.Splits[name]})
	}
	if page.Report, err = p.Reports.Of(d); err != nil {
		return err
	}
	if page.Files, err = p.API.Files(d, "", ""); err != nil {
		return err
	}
	page.More = max(0, len(page.Files)-maxFiles)
	page.Files = page.Files[:min(len(page.Files), maxFiles)]
	f := &frame{
		Title: d.Name, Crumbs: []crumb{{"Datasets", "/"}, {d.Name, ""}}, Charts: page.Report.Made,
		Modules: []string{"/static/live.js"}, Page: &page,
	}
	if _, err := p.Known.Games.Find(about.Plan.Game); err == nil {
		f.Styles = append(f.Styles, boardStyle(about.Plan.Game))
	}
	return write(w, http.StatusOK, "dataset", f)
}

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
		row.Percent = int(100 * min(s.Done, s.Target) / s.Target)
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
