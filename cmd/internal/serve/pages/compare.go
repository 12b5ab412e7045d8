package pages

import (
	"net/http"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/reports"
	"selfplay/cmd/internal/serve/web"
)

// comparePage is the data of two datasets side by side.
type comparePage struct {
	Datasets []datasetRow
	A, B     string // names of the chosen datasets
	Chosen   bool
	Problem  string // why they cannot be compared
	Report   reports.State
}

func (p *Pages) compare(w http.ResponseWriter, r *http.Request) error {
	params := web.ParamsOf(r)
	page := comparePage{A: params.String("a"), B: params.String("b")}
	err := params.Err()
	if err == nil {
		page.Datasets, err = p.rows()
	}
	if err != nil {
		return err
	}
	f := &frame{Title: "Compare datasets", Crumbs: []crumb{{"Datasets", "/"}, {"Compare", ""}}, Page: &page}
	if page.A != "" && page.B != "" {
		page.Chosen = true
		if err := p.readPair(&page, f); err != nil {
			return err
		}
	}
	return write(w, http.StatusOK, "compare", f)
}

// readPair adds the report of the chosen datasets.
func (p *Pages) readPair(page *comparePage, f *frame) error {
	var pair [2]*catalog.Dataset
	var played [2]string
	for i, name := range []string{page.A, page.B} {
		d, err := p.API.Catalog.Find(name)
		if err != nil {
			return err
		}
		ds, err := d.Data()
		if err != nil {
			return err
		}
		pair[i], played[i] = d, ds.Plan().Game
	}
	switch {
	case page.A == page.B:
		page.Problem = "These are the same dataset: choose two."
		return nil
	case played[0] != played[1]:
		page.Problem = "The games differ, " + played[0] + " and " + played[1] + ": choose two datasets of one game."
		return nil
	}
	var err error
	page.Report, err = p.Reports.Of(pair[0], pair[1])
	f.Charts = page.Report.Made
	f.Styles = append(f.Styles, boardStyle(played[0]))
	if !page.Report.Made {
		f.Modules = append(f.Modules, "/static/live.js")
	}
	return err
}
