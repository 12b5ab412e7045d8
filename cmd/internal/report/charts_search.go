package report

import (
	"fmt"
	"strconv"

	"selfplay/datasets/stats"
	"selfplay/engine"
)

// searchCharts returns the charts about scores and policies.
func (r *Report) searchCharts() (list []chart) {
	list = append(list, r.overlay(chart{
		ID: "scores", Title: "Scores", Kind: bars, X: "root score, from the view of the side to move", Y: "share of the scores", Percent: true,
		Note: "Without proven ends. The outermost bars include all scores beyond them.",
	}, func(d *Dataset) (names []string, values []float64) {
		if d.Stats.Scores == nil {
			return nil, nil
		}
		s := d.Stats.Scores
		for _, h := range s.Histogram {
			names = append(names, strconv.Itoa((max(h.Low, -engine.MaxStatic)+h.High+1)/2))
			values = append(values, share(h.Plies, s.Plies-s.Proven))
		}
		if n := len(names); n > 2 { // the outermost ranges are open
			names[0], names[n-1] = fmt.Sprint("to ", s.Histogram[0].High), fmt.Sprint("from ", s.Histogram[n-1].Low)
		}
		return names, values
	})...)
	list = append(list, r.beside(chart{
		ID: "calibration", Title: "Results by score", Kind: lines, X: "root score", Y: "share of the plies", Percent: true,
		Note: "Solid: results of the games. Dashed: prediction of the files' model of wins, draws and losses, if they have one.",
	}, calibrationOf)...)
	scoresByPly := func(of func(stats.ScoreAt) float64) func(d *Dataset) ([]string, []float64) {
		return func(d *Dataset) (names []string, values []float64) {
			if d.Stats.Scores == nil {
				return nil, nil
			}
			return byPly(d, d.Stats.Scores.ByPly, func(s stats.ScoreAt) (int, float64) { return s.From, of(s) })
		}
	}
	list = append(list, r.overlay(chart{ID: "ahead", Title: "Absolute score by ply", Kind: lines, X: "ply", Y: "mean absolute score"},
		scoresByPly(func(s stats.ScoreAt) float64 { return s.Ahead }))...)
	list = append(list, r.overlay(chart{ID: "means", Title: "Score by ply", Kind: lines, X: "ply", Y: "mean score of " + r.Sides[0]},
		scoresByPly(func(s stats.ScoreAt) float64 { return s.Mean }))...)
	list = append(list, r.overlay(chart{ID: "policy", Title: "Entropy of policies", Kind: bars, X: "entropy in bits", Y: "share of the policies", Percent: true},
		func(d *Dataset) (names []string, values []float64) {
			if d.Stats.Policy == nil {
				return nil, nil
			}
			_, values = ranges(d.Stats.Policy.Spread, d.Stats.Policy.Plies)
			for _, s := range d.Stats.Policy.Spread {
				names = append(names, strconv.FormatFloat(float64(s.Low)/1000, 'g', -1, 64))
			}
			return names, values
		})...)
	return append(list, r.overlay(chart{ID: "policy-by-ply", Title: "Entropy of policies by ply", Kind: lines, X: "ply", Y: "mean entropy in bits"},
		func(d *Dataset) ([]string, []float64) {
			if d.Stats.Policy == nil {
				return nil, nil
			}
			return means(d, d.Stats.Policy.ByPly)
		})...)
}

// calibrationOf returns the observed and the predicted shares by score.
func calibrationOf(d *Dataset) (names []string, list []series) {
	if d.Stats.Scores == nil || len(d.Stats.Scores.Buckets) == 0 {
		return nil, nil
	}
	for i, outcome := range [3]string{"won", "drawn", "lost"} {
		colour := [3]string{"won", "draw", "lost"}[i]
		seen, model := series{Name: outcome, Colour: colour}, series{Name: outcome + ", predicted", Colour: colour, Dashed: true}
		for _, b := range d.Stats.Scores.Buckets {
			seen.Points = append(seen.Points, b.Seen[i])
			model.Points = append(model.Points, b.Predicted[i])
		}
		list = append(list, seen)
		if d.Stats.Scores.Model != nil {
			list = append(list, model)
		}
	}
	for _, b := range d.Stats.Scores.Buckets {
		names = append(names, fmt.Sprintf("%d to %d", b.Low, b.High))
	}
	return names, list
}
