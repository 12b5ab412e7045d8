package pages

import (
	"fmt"
	"net/http"
	"net/url"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/games"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/gameindex"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
)

// filterForm is the form of the filters of games.
type filterForm struct {
	URL      string            // of the page, without parameters
	Typed    map[string]string // parameters by name, as the reader gave them
	Results  []string          // names of results to choose from
	Reasons  []string
	Splits   []string
	HasDrops bool
	Drops    []choice
	Leads    []lead  // none in a game without material
	Material string  // an example
	Hidden   []param // of the query, that the form has no field for
}

// choice is a value to choose from.
type choice struct {
	Value, Name string
	Chosen      bool
}

// lead is a field for the largest leads of a side.
type lead struct{ Name, Side, Typed string }

// param is a parameter of a URL.
type param struct{ Name, Value string }

// newFilterForm returns the form of a query, whose parameters the reader gave as typed.
func newFilterForm(d *catalog.Dataset, shape *rows.Shape, q *games.Query, typed url.Values) filterForm {
	g := &shape.Game
	f := filterForm{
		URL: datasetURL(d.Name, "games"), Typed: map[string]string{}, Results: append(g.Results()[1:], games.NoResult),
		Reasons: g.AllReasonNames(), Splits: []string{plan.Train, plan.Validation}, HasDrops: shape.WDL != nil,
	}
	for name := range typed {
		f.Typed[name] = typed.Get(name)
	}
	for side, c := range []gameindex.Column{gameindex.LeadFirst, gameindex.LeadSecond} {
		if g.Board.HasMaterial() {
			f.Leads = append(f.Leads, lead{c.String(), g.Sides[side], f.Typed[c.String()]})
		}
	}
	letters := ""
	for _, k := range g.Board.Kinds[:min(2, len(g.Board.Kinds))] {
		letters += k.Letter
	}
	f.Material = letters + "v" + letters
	f.addDrops(q)
	f.addHidden(q.Values())
	return f
}

// refusedPage returns the page of a query that is wrong.
func refusedPage(r *http.Request, d *catalog.Dataset, shape *rows.Shape, q *games.Query, err error) *listPage {
	form := newFilterForm(d, shape, q, r.URL.Query())
	return &listPage{filterForm: form, Name: d.Name, Problem: web.Message(err), Query: *q, Filtered: true}
}

// drops are the largest drops to choose from, in percent.
var drops = []int{10, 25, 50, 75}

// addDrops adds the largest drops to choose from, and that of the query.
func (f *filterForm) addDrops(q *games.Query) {
	known := !q.Drop.Given
	for _, percent := range drops {
		c := choice{Value: fmt.Sprintf("%d-", 100*percent), Name: fmt.Sprintf("%d %% or more", percent)}
		c.Chosen = c.Value == q.Drop.String()
		known = known || c.Chosen
		f.Drops = append(f.Drops, c)
	}
	if !known {
		f.Drops = append(f.Drops, choice{q.Drop.String(), "as chosen below", true})
	}
}

// addHidden adds the parameters that the form has no field for.
func (f *filterForm) addHidden(v url.Values) {
	for _, name := range []string{"player_first", "player_second", "opening", "shards", "sort", "limit"} {
		if v.Has(name) {
			f.Hidden = append(f.Hidden, param{name, v.Get(name)})
		}
	}
}
