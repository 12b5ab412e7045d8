// Package report turns the statistics of one dataset, or of two datasets of a game, into an
// HTML page and into JSON with the same numbers.
//
// The page is one file that loads nothing: it contains its style, its script, a chart
// library and all numbers. A content security policy with hashes forbids everything else.
// html/template escapes every text that comes from a dataset. Checks compare important
// numbers with the thresholds of one table, which is on the page too.
//
//	report.go   the report and how it is made
//	checks.go   thresholds and advice; checks_values.go the values they judge
//	overlap.go  when the positions of all rows are compared, and how
//	heat.go     counts by cell, and positions to draw
//	game.go     whole games to step through
//	charts.go   what charts share; charts_games.go those of games and moves; charts_search.go;
//	            charts_table.go their numbers as tables
//	facts.go    the rows of the tables
//	page.go     the page: page.tmpl, page.css, page.js; pictures.go its boards and their legends,
//	            openings.go the opening trees
//	replay.go   the games on the page; replay.js steps through them
//	chartjs/    Chart.js 4.5.1 as published, with its licence (MIT)
//
// Chart.js (https://www.chartjs.org) draws in the reader's browser, which gives tooltips and
// redraws for dark screens and paper.
package report

import (
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/plan"
	"selfplay/datasets/stats"
	"selfplay/encode"
	"selfplay/engine"
)

// Report describes one dataset, or two datasets of one game.
type Report struct {
	Game     string    `json:"game"`
	Title    string    `json:"title"` // of the game
	Sides    [2]string `json:"sides"`
	Datasets []Dataset `json:"datasets"`

	game *encode.Game
}

// Dataset describes one dataset.
type Dataset struct {
	Name    string         `json:"name"` // of the directory
	About   plan.About     `json:"about"`
	Plan    plan.Plan      `json:"plan"`
	Info    datasets.Info  `json:"info"`
	Checks  []Result       `json:"checks"`
	Stats   stats.Summary  `json:"stats"`
	Overlap *dedup.Overlap `json:"overlap,omitempty"` // nil if the rows were not compared
	Sampled bool           `json:"sampled,omitempty"` // the statistics are of some of the games
	// Actions are the most common actions of all datasets.
	Actions []stats.Action `json:"actions"`
	Heat    Heat           `json:"heat"`
	Shown   []Shown        `json:"shown"` // positions of the first game
	Games   []Game         `json:"games"` // games to step through
}

// Source is the input for a Dataset.
type Source struct {
	Name    string
	Dataset *datasets.Dataset
	Info    datasets.Info
	Seen    *stats.Collector
	Overlap *dedup.Overlap
	Sampled bool
}

// New returns the report of one or two datasets of a game. It fails if a game does not fit
// the rules.
func New(g *encode.Game, sources ...Source) (*Report, error) {
	r := &Report{Game: g.Name, Title: g.TitleOf(sources[0].Dataset.Plan().Variant), Sides: g.Sides, game: g}
	scale := sources[0].Seen.Scale()
	for _, s := range sources {
		scale = scale.With(s.Seen.Scale())
	}
	for _, s := range sources {
		d := Dataset{
			Name: s.Name, About: s.Dataset.About(), Plan: s.Dataset.Plan(), Info: s.Info,
			Stats: s.Seen.Summary(scale), Overlap: s.Overlap, Sampled: s.Sampled, Heat: heatOf(g, s.Seen),
		}
		if err := d.replay(g, s.Seen.Notable()); err != nil {
			return nil, err
		}
		d.Checks = d.check()
		r.Datasets = append(r.Datasets, d)
	}
	common := r.common()
	for i, s := range sources {
		r.Datasets[i].Actions = s.Seen.Actions(common)
	}
	return r, nil
}

// replay adds the games to step through and the positions of the first one.
func (d *Dataset) replay(g *encode.Game, n stats.Notable) (err error) {
	if d.Games, err = gamesOf(g, d.Plan.Variant, n, d.model()); err != nil || n.First == nil {
		return err
	}
	d.Shown, err = show(g, d.Plan.Variant, n.First)
	return err
}

// model returns the model of scores in the files, nil if they have none.
func (d *Dataset) model() *encode.WDL {
	if d.Stats.Scores == nil {
		return nil
	}
	return d.Stats.Scores.Model
}

// common returns the most common actions of all datasets, the first dataset's first.
func (r *Report) common() (actions []int) {
	for _, d := range r.Datasets {
		for _, a := range d.Stats.Actions.Common[:min(len(d.Stats.Actions.Common), 12/len(r.Datasets))] {
			if !slices.Contains(actions, a.Action) {
				actions = append(actions, a.Action)
			}
		}
	}
	return actions
}

// searches reports whether a player of the dataset searches.
func (d *Dataset) searches() bool { return slices.Contains(d.Plan.Columns, encode.PolicyActionColumn) }

// rows returns the number of rows of a split.
func (d *Dataset) rows(split string) uint64 {
	for _, s := range d.Info.Splits {
		if s.Split == split {
			return s.Rows
		}
	}
	return 0
}

// games returns the sum of a number of games over all endings.
func (d *Dataset) games(of func(stats.Ending) uint64) (n uint64) {
	for _, e := range d.Stats.Endings {
		n += of(e)
	}
	return n
}

// with returns the number of games of an ending with a result.
func with(result engine.Result) func(stats.Ending) uint64 {
	return func(e stats.Ending) uint64 {
		if e.Result != result {
			return 0
		}
		return e.Games
	}
}

// led returns the number of games of an ending that were drawn from a won position.
func led(e stats.Ending) uint64 { return e.Led }

// share returns n / all, 0 if all is 0.
func share(n, all uint64) float64 {
	if all == 0 {
		return 0
	}
	return float64(n) / float64(all)
}
