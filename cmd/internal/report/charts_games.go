package report

import (
	"fmt"
	"slices"
	"strconv"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/replay"
	"selfplay/datasets/stats"
	"selfplay/engine"
)

// gameCharts returns the charts about the games.
func (r *Report) gameCharts() (list []chart) {
	list = append(list, r.endings()...)
	list = append(list, r.overlay(chart{
		ID: "lengths", Title: "Length of games", Kind: bars, X: "plies", Y: "share of the games", Percent: true,
	}, func(d *Dataset) (names []string, values []float64) {
		for _, s := range d.Stats.Lengths.Spans {
			names = append(names, span(s.From, s.To))
			values = append(values, share(total(s.Games), d.Stats.Games))
		}
		return names, values
	})...)
	outcomes := r.beside(chart{
		ID: "outcomes", Title: "Results of games that reach a ply", Kind: areas, X: "ply", Y: "share of these games", Percent: true, Stacked: true,
		Note: "Games that are still in progress at a ply, by their later result.",
	}, r.outcomes)
	for i := range outcomes { // the charts of two datasets share an axis
		for _, o := range outcomes {
			if len(o.Labels) > len(outcomes[i].Labels) {
				outcomes[i].Labels = o.Labels
			}
		}
	}
	return append(list, outcomes...)
}

func total(games [4]uint64) uint64 { return games[0] + games[1] + games[2] + games[3] }

// endings returns the chart of results and reasons, in the order of the first dataset.
func (r *Report) endings() []chart {
	names := replay.ResultNames(r.Sides)
	text := func(e stats.Ending) string {
		if int(e.Result) >= len(names) || e.Result == engine.NoResult {
			return e.Reason
		}
		return names[e.Result] + ", " + e.Reason
	}
	at := map[string]int{}
	var labels []string
	for _, d := range r.Datasets {
		for _, e := range d.Stats.Endings {
			if _, ok := at[text(e)]; !ok {
				at[text(e)] = len(labels)
				labels = append(labels, text(e))
			}
		}
	}
	return r.overlay(chart{ID: "endings", Title: "Results and reasons", Kind: flat, X: "share of the games", Percent: true}, func(d *Dataset) ([]string, []float64) {
		values := make([]float64, len(labels))
		for _, e := range d.Stats.Endings {
			values[at[text(e)]] = share(e.Games, d.Stats.Games)
		}
		return labels, values
	})
}

// outcomes returns the shares of results among the games that reach a ply.
func (r *Report) outcomes(d *Dataset) (names []string, list []series) {
	for _, result := range resultOrder {
		list = append(list, series{Name: replay.ResultNames(r.Sides)[result], Colour: resultColours[result]})
	}
	for _, s := range d.Stats.Lengths.Spans {
		names = append(names, strconv.Itoa(s.From))
		for i, result := range resultOrder {
			list[i].Points = append(list[i].Points, share(s.Going[result], total(s.Going)))
		}
	}
	empty := func(s series) bool { return !slices.ContainsFunc(s.Points, func(v float64) bool { return v > 0 }) }
	return names, slices.DeleteFunc(list, empty)
}

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
