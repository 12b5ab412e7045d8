package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets/gameindex"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/engine"
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
func newFilterForm(d *catalog.Dataset, shape *rows.Shape, q *catalog.Query, typed url.Values) filterForm {
	g := &shape.Game
	f := filterForm{
		URL: datasetURL(d.Name, "games"), Typed: map[string]string{}, Results: append(g.Results()[1:], catalog.NoResult),
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
func refusedPage(r *http.Request, d *catalog.Dataset, shape *rows.Shape, q *catalog.Query, err error) *listPage {
	form := newFilterForm(d, shape, q, r.URL.Query())
	return &listPage{filterForm: form, Name: d.Name, Problem: catalog.Message(err), Query: *q, Filtered: true}
}

// drops are the largest drops to choose from, in percent.
var drops = []int{10, 25, 50, 75}

// addDrops adds the largest drops to choose from, and that of the query.
func (f *filterForm) addDrops(q *catalog.Query) {
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

// histogram is a histogram of games whose bars are links that filter.
type histogram struct {
	Title   string
	ID      string
	Names   bool // the bars have names: they are drawn one below the other
	Bars    []bar
	Unknown int
	Axis    [2]string // the ends of the axis
	All     string    // URL without the filter of this column, "" if there is none
}

// Shown reports whether the histogram says something: there is a choice, or a filter.
func (h *histogram) Shown() bool { return len(h.Bars) > 1 || h.All != "" && len(h.Bars) > 0 }

// bar is a bar. Coordinates are those of a drawing of 100 by 40 units.
type bar struct {
	Name   string
	Games  int
	URL    string
	Chosen bool
	X, Y   string
	Width  string
	Height string
	Bar    string // width in percent of the longest, of a bar with a name
}

// newHistogram draws a histogram of an index.
func newHistogram(q *catalog.Query, shape *rows.Shape, h *gameindex.Histogram) *histogram {
	name := h.Column.String()
	now := q.Values().Get(name)
	out := &histogram{Title: h.Column.Title(), ID: "histogram-" + name, Unknown: h.Unknown}
	if c := h.Column; c == gameindex.LeadFirst || c == gameindex.LeadSecond {
		out.Title = "Largest lead of " + shape.Game.Sides[c-gameindex.LeadFirst]
	}
	if now != "" {
		out.All = q.With(name, "")
	}
	most := 0
	for _, b := range h.Bars {
		most = max(most, b.Games)
	}
	for i, b := range h.Bars {
		value, text := barValue(shape, h.Column, b)
		one := bar{Name: text, Games: b.Games, URL: q.With(name, value), Chosen: value == now && now != "", Bar: width(b.Games, most)}
		step := 100 / float64(len(h.Bars))
		height := 0.0
		if b.Games > 0 {
			height = max(0.8, 38*float64(b.Games)/float64(most))
		}
		one.X, one.Width = decimals(float64(i)*step), decimals(step*0.9)
		one.Y, one.Height = decimals(40-height), decimals(height)
		out.Bars = append(out.Bars, one)
	}
	switch h.Column {
	case gameindex.Plies, gameindex.Drop, gameindex.LeadFirst, gameindex.LeadSecond:
		if n := len(h.Bars); n > 0 {
			_, first := barValue(shape, h.Column, h.Bars[0])
			_, last := barValue(shape, h.Column, h.Bars[n-1])
			out.Axis = [2]string{beginOf(first), endOf(last)}
		}
	default:
		out.Names = true
	}
	return out
}

// barValue returns the parameter that a bar stands for, and its name.
func barValue(shape *rows.Shape, c gameindex.Column, b gameindex.Bar) (value, text string) {
	switch c {
	case gameindex.Result:
		if engine.Result(b.Min) == engine.NoResult {
			return catalog.NoResult, "cut off"
		}
		return shape.Game.Results()[b.Min], replay.ResultNames(shape.Game.Sides)[b.Min]
	case gameindex.Reason:
		reason := shape.Game.ReasonName(engine.Reason(b.Min))
		return reason, strings.ReplaceAll(reason, "_", " ")
	case gameindex.PlayerFirst, gameindex.PlayerSecond:
		return b.Player, b.Player
	case gameindex.GameNumber, gameindex.Plies, gameindex.DropPly, gameindex.LeadFirst, gameindex.LeadSecond: // numbers, below
	case gameindex.Drop:
		return catalog.Range{Min: b.Min, Max: b.Max, Given: true}.String(),
			fmt.Sprintf("%s to %s", human.Percent(float64(b.Min)/10_000), human.Percent(min(1, float64(b.Max+1)/10_000)))
	}
	value = catalog.Range{Min: b.Min, Max: b.Max, Given: true}.String()
	if b.Min == b.Max {
		return value, strconv.Itoa(b.Min)
	}
	return value, fmt.Sprintf("%d to %d", b.Min, b.Max)
}

func beginOf(name string) string { begin, _, _ := strings.Cut(name, " to "); return begin }

func endOf(name string) string {
	if _, end, ok := strings.Cut(name, " to "); ok {
		return end
	}
	return name
}

// width returns the width of a bar in percent of the longest. It is visible.
func width(games, most int) string {
	if games == 0 || most == 0 {
		return "0"
	}
	return decimals(max(1.5, 100*float64(games)/float64(most)))
}

func decimals(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
