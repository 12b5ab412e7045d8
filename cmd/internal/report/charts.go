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
