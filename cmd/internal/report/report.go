// Package report turns what package stats has seen of one dataset, or of two of a game,
// into one HTML page, and into JSON with the same numbers.
//
// The page is one file that loads nothing: its style, its script, a chart library and
// every number stand in it, and a content security policy by hashes forbids all else.
// Every text that comes from a dataset is escaped by html/template. Numbers that need a
// judgement are compared with the thresholds of one table, which stand on the page too.
//
//	report.go   what a report says, and making it
//	checks.go   thresholds, and what to do about what is beyond them
//	heat.go     where pieces stand and go, positions to be drawn
//	charts.go   what the charts show
//	facts.go    the rows of the tables
//	page.go     the page: page.tmpl, page.css, page.js
//	chartjs/    Chart.js 4.5.1 as published, with its licence (MIT)
//
// Chart.js (https://www.chartjs.org) draws in the reader's browser, so that one can
// point at a number; it takes a second dataset, a dark screen and paper without more
// bytes.
package report

import (
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/stats"
	"selfplay/encode"
)

// Report is what is known of one dataset, or of two of the same game.
type Report struct {
	Game     string    `json:"game"`
	Title    string    `json:"title"` // of the game
	Sides    [2]string `json:"sides"`
	Datasets []Dataset `json:"datasets"`
}

// Dataset is what is known of one of them.
type Dataset struct {
	Name    string         `json:"name"` // of its directory
	About   datasets.About `json:"about"`
	Plan    datasets.Plan  `json:"plan"`
	Info    datasets.Info  `json:"info"`
	Checks  []Result       `json:"checks"`
	Stats   stats.Summary  `json:"stats"`
	Overlap *dedup.Overlap `json:"overlap,omitempty"` // if it was asked for
	// Actions are the most common ones of all datasets.
	Actions []stats.Action `json:"actions"`
	Heat    Heat           `json:"heat"`
	Shown   []Shown        `json:"shown"` // positions of one game
}

// Source is what a Dataset is made of.
type Source struct {
	Name    string
	Dataset *datasets.Dataset
	Info    datasets.Info
	Seen    *stats.Collector
	Overlap *dedup.Overlap
	Shown   []Shown
}

// New returns the report of one or two datasets of a game.
func New(g *encode.Game, sources ...Source) (*Report, error) {
	r := &Report{Game: g.Name, Title: g.Title, Sides: g.Sides}
	scale := sources[0].Seen.Scale()
	for _, s := range sources {
		scale = scale.With(s.Seen.Scale())
	}
	for _, s := range sources {
		heat, err := heatOf(g, s.Seen)
		if err != nil {
			return nil, err
		}
		d := Dataset{
			Name: s.Name, About: s.Dataset.About(), Plan: s.Dataset.Plan(), Info: s.Info,
			Stats: s.Seen.Summary(scale), Overlap: s.Overlap, Heat: heat, Shown: s.Shown,
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

// common returns the most common actions, those of the first dataset first.
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

// searches reports whether a player of the dataset was meant to search.
func (d *Dataset) searches() bool { return slices.Contains(d.Plan.Columns, encode.PolicyActionColumn) }

// rows returns how many rows a split has.
func (d *Dataset) rows(split string) uint64 {
	for _, s := range d.Info.Splits {
		if s.Split == split {
			return s.Rows
		}
	}
	return 0
}

// games returns how many games ended with one of these results.
func (d *Dataset) games(of func(stats.Ending) bool) (n uint64) {
	for _, e := range d.Stats.Endings {
		if of(e) {
			n += e.Games
		}
	}
	return n
}

// share returns n of all, 0 of nothing.
func share(n, all uint64) float64 {
	if all == 0 {
		return 0
	}
	return float64(n) / float64(all)
}
