package report

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"selfplay/datasets/stats"
	"selfplay/engine"
)

// chart is what page.js draws. Every chart has names along one axis and numbers along
// the other.
type chart struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Note    string   `json:"-"` // under the title
	Kind    string   `json:"kind"`
	X       string   `json:"x"` // what the axes show, and in what unit
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
	flat  = "flat" // bars that lie
	lines = "lines"
	areas = "areas"
)

// series is one line, or the bars of one colour.
type series struct {
	Name   string `json:"name"`
	Colour string `json:"colour"` // by its name in page.js
	Dashed bool   `json:"dashed,omitempty"`
	Points points `json:"points"`
}

// points are numbers with as many digits as are seen; what is not there is NaN.
type points []float64

// MarshalJSON writes NaN as null.
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

// resultNames and resultColours tell results apart, by number.
func (r *Report) resultNames() [4]string {
	return [4]string{
		engine.NoResult: "cut off", engine.FirstWins: r.Sides[0] + " wins",
		engine.SecondWins: r.Sides[1] + " wins", engine.Draw: "drawn",
	}
}

var resultColours = [4]string{engine.NoResult: "none", engine.FirstWins: "first", engine.SecondWins: "second", engine.Draw: "draw"}

// resultOrder is that of stacks, from below.
var resultOrder = [...]engine.Result{engine.FirstWins, engine.Draw, engine.NoResult, engine.SecondWins}

// datasetColours are those of the first and the second dataset.
var datasetColours = [...]string{"a", "b"}

// overlay makes a chart of one series a dataset. names and values give a dataset's
// points; the names of the datasets agree as far as both have them.
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

// beside makes a chart for each dataset.
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

// label is the name of a dataset where there are two; directories may have the same.
func (r *Report) label(i int) string {
	if len(r.Datasets) == 1 {
		return "share"
	}
	return [...]string{"A", "B"}[i] + ": " + r.Datasets[i].Name
}

// gameCharts tell how games end.
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
		ID: "outcomes", Title: "How games end that get so far", Kind: areas, X: "ply", Y: "share of these games", Percent: true, Stacked: true,
		Note: "Of the games that are still under way at a ply, how many end in each way.",
	}, r.outcomes)
	for i := range outcomes { // on one axis
		for _, o := range outcomes {
			if len(o.Labels) > len(outcomes[i].Labels) {
				outcomes[i].Labels = o.Labels
			}
		}
	}
	return append(list, outcomes...)
}

func total(games [4]uint64) uint64 { return games[0] + games[1] + games[2] + games[3] }

// endings counts games by result and reason, in the order of the first dataset.
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

// outcomes are the shares of results among the games that reach a ply.
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
	never := func(s series) bool { return !slices.ContainsFunc(s.Points, func(v float64) bool { return v > 0 }) }
	return names, slices.DeleteFunc(list, never)
}

// moveCharts tell how many moves there are and which are played.
func (r *Report) moveCharts() (list []chart) {
	list = append(list, r.overlay(chart{
		ID: "legal", Title: "Legal moves", Kind: bars, X: "legal moves at a decision", Y: "share of the decisions", Percent: true, Note: r.sampled(),
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
		Note: "Numbers of moves on the absolute board, of either side.",
	}, r.commonActions)...)
}

// sampled says how many games the legal moves were listed of.
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
			text += "Of all games."
		} else {
			text += fmt.Sprintf("Listing moves is slow: of %s of %s games, drawn by their numbers.", count(l.Games), count(d.Stats.Games))
		}
	}
	return text
}

// commonActions are the same ones of every dataset.
func (r *Report) commonActions(d *Dataset) (names []string, values []float64) {
	for _, a := range d.Actions {
		names = append(names, actionText(a))
		values = append(values, a.Share)
	}
	return names, values
}

func actionText(a stats.Action) string {
	if a.From == "" {
		return a.Kind
	}
	return a.From + "–" + a.To + " " + a.Kind
}

// searchCharts tell what scores and policies are like.
func (r *Report) searchCharts() (list []chart) {
	list = append(list, r.overlay(chart{
		ID: "scores", Title: "Scores", Kind: bars, X: "root score in centi-units, seen by the side that decides", Y: "share of the scores", Percent: true,
		Note: "Without proven ends; the outermost bars hold what lies beyond them too.",
	}, func(d *Dataset) (names []string, values []float64) {
		if d.Stats.Scores == nil {
			return nil, nil
		}
		s := d.Stats.Scores
		for _, h := range s.Histogram {
			names = append(names, strconv.Itoa((max(h.Low, -engine.MaxStatic)+h.High+1)/2))
			values = append(values, share(h.Plies, s.Plies-s.Proven))
		}
		if n := len(names); n > 2 { // the ends have no middle
			names[0], names[n-1] = fmt.Sprint("to ", s.Histogram[0].High), fmt.Sprint("from ", s.Histogram[n-1].Low)
		}
		return names, values
	})...)
	list = append(list, r.beside(chart{
		ID: "calibration", Title: "What scores are worth", Kind: lines, X: "root score in centi-units", Y: "share of the plies", Percent: true,
		Note: "Dashed: what the game's model of wins, draws and losses says. Drawn through: how the games ended, of those with a result.",
	}, calibrationOf)...)
	scoresByPly := func(of func(stats.ScoreAt) float64) func(d *Dataset) ([]string, []float64) {
		return func(d *Dataset) (names []string, values []float64) {
			if d.Stats.Scores == nil {
				return nil, nil
			}
			return byPly(d, d.Stats.Scores.ByPly, func(s stats.ScoreAt) (int, float64) { return s.From, of(s) })
		}
	}
	list = append(list, r.overlay(chart{ID: "ahead", Title: "How far one side is ahead, by ply", Kind: lines, X: "ply", Y: "mean distance from 0, centi-units"},
		scoresByPly(func(s stats.ScoreAt) float64 { return s.Ahead }))...)
	list = append(list, r.overlay(chart{ID: "means", Title: "Scores by ply", Kind: lines, X: "ply", Y: "seen by " + r.Sides[0] + ", centi-units"},
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

// calibrationOf lays what was seen over what the model says.
func calibrationOf(d *Dataset) (names []string, list []series) {
	if d.Stats.Scores == nil || len(d.Stats.Scores.Buckets) == 0 {
		return nil, nil
	}
	for i, outcome := range [3]string{"won", "drawn", "lost"} {
		colour := [3]string{"won", "draw", "lost"}[i]
		seen, model := series{Name: outcome, Colour: colour}, series{Name: outcome + ", by the model", Colour: colour, Dashed: true}
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

// span names a run of numbers.
func span(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}

// ranges returns names and shares of ranges.
func ranges(list []stats.Range, all uint64) (names []string, values []float64) {
	for _, r := range list {
		names = append(names, span(r.Low, r.High))
		values = append(values, share(r.Plies, all))
	}
	return names, values
}

// means returns means over spans of plies.
func means(d *Dataset, list []stats.MeanAt) ([]string, []float64) {
	return byPly(d, list, func(m stats.MeanAt) (int, float64) { return m.From, m.Mean })
}

// byPly returns names and values of spans of plies, with NaN for those that are not in
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
