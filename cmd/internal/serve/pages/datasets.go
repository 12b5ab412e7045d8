package pages

import (
	"maps"
	"net/http"
	"slices"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets/plan"
)

// datasetPage is the data of the page of a dataset.
type datasetPage struct {
	datasetRow
	About  string
	Splits []split
	Report catalog.Report
	Files  []catalog.File // the first
	More   int            // further files
}

// split is a split of a dataset.
type split struct {
	Name string
	catalog.SplitSize
}

// maxFiles is the number of files on the page.
const maxFiles = 8

func (p *Pages) dataset(w http.ResponseWriter, r *http.Request) error {
	d, err := p.Datasets.Find(r.PathValue("dataset"))
	if err != nil {
		return err
	}
	about, err := d.Details()
	if err != nil {
		return err
	}
	page := datasetPage{datasetRow: p.newDatasetRow(d.Summary()), About: about.About.Title}
	for _, name := range []string{plan.Train, plan.Validation} {
		page.Splits = append(page.Splits, split{name, about.Splits[name]})
	}
	if page.Report, err = p.Reports.Of(d); err != nil {
		return err
	}
	if page.Files, err = d.Files("", ""); err != nil {
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
	catalog.Summary
	Page    string // path of its page
	GameOf  string // title of its game
	Percent int    // of the target
}

// rows returns the datasets of the catalog.
func (p *Pages) rows() ([]datasetRow, error) {
	known, err := p.Datasets.Summaries()
	list := make([]datasetRow, len(known))
	for i, s := range known {
		list[i] = p.newDatasetRow(s)
	}
	return list, err
}

func (p *Pages) newDatasetRow(s catalog.Summary) datasetRow {
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

// comparePage is the data of two datasets side by side.
type comparePage struct {
	Forms   []pairForm
	A, B    string // names of the chosen datasets
	Chosen  bool
	Others  bool         // there are datasets of other games
	Failed  []datasetRow // that cannot be read
	Problem string       // why they cannot be compared
	Report  catalog.Report
}

// pairForm chooses two datasets of a game: others cannot be compared.
type pairForm struct {
	Title    string // of the game
	Datasets []datasetRow
	A, B     string // chosen
}

func (p *Pages) compare(w http.ResponseWriter, r *http.Request) error {
	params := catalog.ParamsOf(r)
	page := comparePage{A: params.String("a"), B: params.String("b")}
	err := params.Err()
	if err != nil {
		return err
	}
	known, err := p.rows()
	if err != nil {
		return err
	}
	page.addForms(known)
	f := &frame{Title: "Compare datasets", Crumbs: []crumb{{"Datasets", "/"}, {"Compare", ""}}, Page: &page}
	if page.A != "" && page.B != "" {
		page.Chosen = true
		if err := p.readPair(&page, f); err != nil {
			return err
		}
	}
	return write(w, http.StatusOK, "compare", f)
}

// addForms adds a form for each game, in the order of their titles; only that of the chosen datasets,
// if there are any.
func (page *comparePage) addForms(known []datasetRow) {
	forms := map[string]*pairForm{}
	only := ""
	for _, d := range known {
		if d.Error != "" {
			page.Failed = append(page.Failed, d)
			continue
		}
		if forms[d.GameOf] == nil {
			forms[d.GameOf] = &pairForm{Title: d.GameOf}
		}
		f := forms[d.GameOf]
		f.Datasets = append(f.Datasets, d)
		if d.Name == page.A || only == "" && d.Name == page.B {
			only = d.GameOf
		}
	}
	for _, title := range slices.Sorted(maps.Keys(forms)) {
		if only != "" && title != only {
			page.Others = true
			continue
		}
		forms[title].choose(page.A, page.B)
		page.Forms = append(page.Forms, *forms[title])
	}
}

// choose chooses two datasets: a and b if they are given, else the first others.
func (f *pairForm) choose(a, b string) {
	f.A, f.B = a, b
	for _, d := range f.Datasets {
		switch {
		case f.A == "" && d.Name != f.B:
			f.A = d.Name
		case f.B == "" && d.Name != f.A:
			f.B = d.Name
		}
	}
}

// readPair adds the report of the chosen datasets.
func (p *Pages) readPair(page *comparePage, f *frame) error {
	var pair [2]*catalog.Dataset
	var played [2]string
	for i, name := range []string{page.A, page.B} {
		d, err := p.Datasets.Find(name)
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
