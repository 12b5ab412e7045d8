package report

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/stats"
	"selfplay/engine"
)

// chart is a chart that page.js draws, with labels on one axis and numbers on the other.
type chart struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Note    string   `json:"-"` // under the title
	Kind    string   `json:"kind"`
	X       string   `json:"x"` // titles of the axes, with units
	Y       string   `json:"y"`
	Percent bool     `json:"percent"`
	Stacked bool     `json:"stacked"`
	Legend  bool     `json:"legend"`
	Labels  []string `json:"labels"`
	Series  []series `json:"series"`
}

// Kinds of charts.
const (
	bars  = "bars"
	flat  = "flat" // horizontal bars
	lines = "lines"
	areas = "areas"
)

// series is a line, or the bars of one colour.
type series struct {
	Name   string `json:"name"`
	Colour string `json:"colour"` // a name of page.js
	Dashed bool   `json:"dashed,omitempty"`
	Points points `json:"points"`
}

// points are the numbers of a series. NaN stands for a missing point.
type points []float64

// MarshalJSON writes five significant digits, and NaN as null.
func (p points) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range p {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) {
			b = append(b, "null"...)
			continue
		}
		b = strconv.AppendFloat(b, v, 'g', 5, 64)
	}
	return append(b, ']'), nil
}

var _ json.Marshaler = points(nil)

// resultNames returns the names of the results, indexed by engine.Result.
func (r *Report) resultNames() [4]string {
	return [4]string{
		engine.NoResult: "cut off", engine.FirstWins: r.Sides[0] + " wins",
		engine.SecondWins: r.Sides[1] + " wins", engine.Draw: "drawn",
	}
}

// resultColours are the colours of the results, indexed by engine.Result.
var resultColours = [4]string{engine.NoResult: "none", engine.FirstWins: "first", engine.SecondWins: "second", engine.Draw: "draw"}

// resultOrder is the order of results in stacked charts, from the bottom.
var resultOrder = [...]engine.Result{engine.FirstWins, engine.Draw, engine.NoResult, engine.SecondWins}

// datasetColours are the colours of the first and the second dataset.
var datasetColours = [...]string{"a", "b"}

// overlay returns one chart with a series per dataset, none without data. The names of one
// dataset must be a prefix of those of the other.
func (r *Report) overlay(c chart, get func(*Dataset) (names []string, values []float64)) []chart {
	c.Legend = len(r.Datasets) > 1
	for i := range r.Datasets {
		names, values := get(&r.Datasets[i])
		if len(names) > len(c.Labels) {
			c.Labels = names
		}
		if slices.ContainsFunc(values, func(v float64) bool { return !math.IsNaN(v) }) {
			c.Series = append(c.Series, series{Name: r.label(i), Colour: datasetColours[i], Points: values})
		}
	}
	if len(c.Series) == 0 {
		return nil
	}
	return []chart{c}
}

// beside returns a chart per dataset.
func (r *Report) beside(c chart, get func(*Dataset) (names []string, list []series)) (charts []chart) {
	c.Legend = true
	for i := range r.Datasets {
		one := c
		one.Labels, one.Series = get(&r.Datasets[i])
		if len(one.Labels) == 0 {
			continue
		}
		if len(r.Datasets) > 1 {
			one.ID += "-" + datasetColours[i]
			one.Title += ", " + r.label(i)
		}
		charts = append(charts, one)
	}
	return charts
}

// label returns the legend of a dataset. The letters tell directories of one name apart.
func (r *Report) label(i int) string {
	if len(r.Datasets) == 1 {
		return "share"
	}
	return [...]string{"A", "B"}[i] + ": " + r.Datasets[i].Name
}

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
	names := r.resultNames()
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
		list = append(list, series{Name: r.resultNames()[result], Colour: resultColours[result]})
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
			text += fmt.Sprintf("A sample of %s of %s games, because listing moves is slow.", app.Number(l.Games), app.Number(d.Stats.Games))
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

// searchCharts returns the charts about scores and policies.
func (r *Report) searchCharts() (list []chart) {
	list = append(list, r.overlay(chart{
		ID: "scores", Title: "Scores", Kind: bars, X: "root score in centi-units, from the view of the side to move", Y: "share of the scores", Percent: true,
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
		ID: "calibration", Title: "Results by score", Kind: lines, X: "root score in centi-units", Y: "share of the plies", Percent: true,
		Note: "Solid: results of the games. Dashed: prediction of the game's model of wins, draws and losses.",
	}, calibrationOf)...)
	scoresByPly := func(of func(stats.ScoreAt) float64) func(d *Dataset) ([]string, []float64) {
		return func(d *Dataset) (names []string, values []float64) {
			if d.Stats.Scores == nil {
				return nil, nil
			}
			return byPly(d, d.Stats.Scores.ByPly, func(s stats.ScoreAt) (int, float64) { return s.From, of(s) })
		}
	}
	list = append(list, r.overlay(chart{ID: "ahead", Title: "Absolute score by ply", Kind: lines, X: "ply", Y: "mean absolute score in centi-units"},
		scoresByPly(func(s stats.ScoreAt) float64 { return s.Ahead }))...)
	list = append(list, r.overlay(chart{ID: "means", Title: "Score by ply", Kind: lines, X: "ply", Y: "mean score of " + r.Sides[0] + " in centi-units"},
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
		list = append(list, seen, model)
	}
	for _, b := range d.Stats.Scores.Buckets {
		names = append(names, fmt.Sprintf("%d to %d", b.Low, b.High))
	}
	return names, list
}

// span names a range of numbers.
func span(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}

// ranges returns the names and the shares of ranges.
func ranges(list []stats.Range, all uint64) (names []string, values []float64) {
	for _, r := range list {
		names = append(names, span(r.Low, r.High))
		values = append(values, share(r.Plies, all))
	}
	return names, values
}

// means returns the means over ranges of plies.
func means(d *Dataset, list []stats.MeanAt) ([]string, []float64) {
	return byPly(d, list, func(m stats.MeanAt) (int, float64) { return m.From, m.Mean })
}

// byPly returns the names and values of all ranges of plies, NaN for ranges that are not in
// the list.
func byPly[T any](d *Dataset, list []T, get func(T) (from int, v float64)) (names []string, values []float64) {
	spans := d.Stats.Lengths.Spans
	at := map[int]int{}
	for i, s := range spans {
		at[s.From] = i
		names, values = append(names, strconv.Itoa(s.From)), append(values, math.NaN())
	}
	for _, x := range list {
		from, v := get(x)
		values[at[from]] = v
	}
	return names, values
}
