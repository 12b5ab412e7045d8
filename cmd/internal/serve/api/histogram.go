package api

import (
	"selfplay/cmd/internal/serve/games"
	"selfplay/datasets/gameindex"
	"selfplay/engine"
)

// maxBars is the largest number of bars that a request may ask for.
const maxBars = 1000

// Histogram says how often the values of a column occur among the games that match all other
// parameters.
type Histogram struct {
	Index   Index  `json:"index"`
	Column  string `json:"column"`
	Games   int    `json:"games"`   // that were counted
	Unknown int    `json:"unknown"` // of these, games without a value
	Bars    []Bar  `json:"bars"`
}

// Bar counts the games with a value from Min to Max, or with a name.
type Bar struct {
	Min   int    `json:"min"`
	Max   int    `json:"max"`
	Name  string `json:"name,omitempty"` // of a player, a result or a reason
	Games int    `json:"games"`
}

func (a *API) getHistogram(q question) (out Histogram, err error) {
	column := q.OneOf("column", append([]string{""}, gameindex.Columns()...)...)
	bars := q.Int("bars", games.HistogramBars, 1, maxBars)
	if column == "" {
		q.Fail("parameter column is missing")
	}
	q.noSearch()
	wanted, err := q.query()
	if err != nil {
		return out, err
	}
	by, err := gameindex.ColumnNamed(column)
	if err != nil {
		return out, err
	}
	index, h, err := a.Games.Histogram(q.Context(), q.Dataset, wanted, by, bars)
	if err != nil {
		return out, err
	}
	b := builder{q.Dataset, index}
	out = Histogram{Index: b.status(), Column: column, Games: h.Games, Unknown: h.Unknown, Bars: []Bar{}}
	for _, bar := range h.Bars {
		out.Bars = append(out.Bars, Bar{bar.Min, bar.Max, b.barName(by, bar), bar.Games})
	}
	return out, nil
}

// barName returns the name of the value of a bar, "" for numbers.
func (b builder) barName(by gameindex.Column, bar gameindex.Bar) string {
	switch by {
	case gameindex.Result:
		return b.result(bar.Min)
	case gameindex.Reason:
		return b.rules().ReasonName(engine.Reason(bar.Min))
	default:
		return bar.Player
	}
}

// noSearch refuses the parameters that only a search can apply.
func (q question) noSearch() {
	if q.Has("position") || q.Has("material") {
		q.Fail("parameters position and material: want the games themselves, which a search returns")
	}
}

// Openings says how games go on after an opening.
type Openings struct {
	Index Index      `json:"index"`
	Next  []NextMove `json:"next"` // the most frequent first
}

// NextMove is a move that games play after an opening.
type NextMove struct {
	Move    string         `json:"move"`
	Games   int            `json:"games"`
	Results map[string]int `json:"results"` // games by result; "" for games that were cut off
}

func (a *API) getOpenings(q question) (out Openings, err error) {
	q.noSearch()
	wanted, err := q.query()
	if err != nil {
		return out, err
	}
	index, next, err := a.Games.Continuations(q.Context(), q.Dataset, wanted, games.MaxContinuations)
	if err != nil {
		return out, err
	}
	actions, err := index.Opening(wanted.Opening)
	if err != nil {
		return out, err
	}
	b := builder{q.Dataset, index}
	out = Openings{b.status(), []NextMove{}}
	for _, c := range next {
		move, err := b.nextMove(actions, c)
		if err != nil {
			return out, err
		}
		out.Next = append(out.Next, move)
	}
	return out, nil
}

// nextMove describes a move after an opening.
func (b builder) nextMove(opening []uint16, c gameindex.Continuation) (m NextMove, err error) {
	line, err := b.index.OpeningTexts(append(opening[:len(opening):len(opening)], c.Action))
	if err != nil {
		return m, err
	}
	m = NextMove{line[len(line)-1], c.Games, map[string]int{}}
	for result, n := range c.Results {
		m.Results[b.result(result)] = n
	}
	return m, nil
}
