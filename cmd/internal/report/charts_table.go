package report

import (
	"math"
	"strconv"

	"selfplay/cmd/internal/human"
)

// tableRow is a row of the table beside a chart: the numbers of all series at a label.
type tableRow struct {
	Name   string
	Values []string
}

// Rows returns the numbers of the chart as a table, for readers who cannot see it.
func (c chart) Rows() (rows []tableRow) {
	for i, name := range c.Labels {
		row := tableRow{Name: name}
		for _, s := range c.Series {
			row.Values = append(row.Values, c.number(s.Points, i))
		}
		rows = append(rows, row)
	}
	return rows
}

// number formats a number of a series. A series may be shorter than the labels.
func (c chart) number(list points, i int) string {
	switch {
	case i >= len(list) || math.IsNaN(list[i]):
		return "–"
	case c.Percent:
		return human.Percent(list[i])
	}
	return strconv.FormatFloat(list[i], 'g', 4, 64)
}

// NameTitle returns the title of the labels.
func (c chart) NameTitle() string {
	title := c.X
	if c.Kind == flat {
		title = c.Y
	}
	if title == "" {
		return "name"
	}
	return title
}
