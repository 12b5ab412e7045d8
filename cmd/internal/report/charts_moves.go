package report

import (
	"fmt"

	"selfplay/cmd/internal/human"
	"selfplay/datasets/stats"
)

// moveCharts returns the charts about moves.
func (r *Report) moveCharts() (list []chart) {
	list = append(list, r.overlay(chart{
		ID: "legal", Title: "Legal moves", Kind: bars, X: "legal moves at a ply", Y: "share of the plies", Percent: true, Note: r.sampled(),
	}, func(d *Dataset) (names []string, values []float64) {
		if d.Stats.Legal == nil {
			return nil, nil
		}
		return ranges(d.Stats.Legal.Spread, d.Stats.Legal.Plies)
	})...)
	list = append(list, r.overlay(chart{
		ID: "legal-by-ply", Title: "Legal moves by ply", Kind: lines, X: "ply", Y: "mean number of legal moves", Note: r.sampled(),
	}, func(d *Dataset) ([]string, []float64) {
		if d.Stats.Legal == nil {
			return nil, nil
		}
		return means(d, d.Stats.Legal.ByPly)
	})...)
	return append(list, r.overlay(chart{
		ID: "actions", Title: "Most common actions", Kind: flat, X: "share of the plies", Percent: true,
		Note: "Action numbers on the absolute board, of both sides.",
	}, r.commonActions)...)
}

// sampled says in how many games the legal moves were listed.
func (r *Report) sampled() (text string) {
	for i, d := range r.Datasets {
		if d.Stats.Legal == nil {
			continue
		}
		if text != "" {
			text += " "
		}
		if len(r.Datasets) > 1 {
			text += [...]string{"A: ", "B: "}[i]
		}
		l := d.Stats.Legal
		if l.Games == d.Stats.Games {
			text += "All games."
		} else {
			text += fmt.Sprintf("A sample of %s of %s games, because listing moves is slow.", human.Number(l.Games), human.Number(d.Stats.Games))
		}
	}
	return text
}

// commonActions returns the shares of the common actions. Both datasets have the same list.
func (r *Report) commonActions(d *Dataset) (names []string, values []float64) {
	for _, a := range d.Actions {
		names = append(names, actionText(a))
		values = append(values, a.Share)
	}
	return names, values
}

// actionText names an action: e2–e4 queen, b3 place, commit.
func actionText(a stats.Action) string {
	switch {
	case a.From != "":
		return a.From + "–" + a.To + " " + a.Kind
	case a.To != "":
		return a.To + " " + a.Kind
	}
	return a.Kind
}
