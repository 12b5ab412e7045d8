package report

import (
	"html/template"

	"selfplay/cmd/internal/board"
	"selfplay/cmd/internal/human"
)

// scale is the legend of a heat map: strips of colours over numbers.
type scale struct {
	Strips []template.HTML
	Ticks  []string // of the left end, the middle and the right end
	Unit   string
}

// newScale returns the legend of heat maps up to a share, with a strip for each lean.
func (r *Report) newScale(most float64, unit string, leans ...float64) *scale {
	s := &scale{Ticks: []string{human.Percent(0), human.Percent(most / 2), human.Percent(most)}, Unit: unit}
	for _, lean := range leans {
		s.Strips = append(s.Strips, template.HTML(board.Scale(&r.game.Board, lean)))
	}
	return s
}
