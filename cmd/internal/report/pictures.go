package report

import (
	"fmt"
	"html/template"

	"selfplay/cmd/internal/board"
	"selfplay/cmd/internal/human"
)

// boards draws positions and heat maps.
func (r *Report) boards() (columns []column) {
	for i := range r.Datasets {
		d := &r.Datasets[i]
		c := column{Letter: r.letter(i)}
		for n, s := range d.Shown {
			if n == 0 && len(r.Datasets) > 1 {
				continue // the first positions are nearly equal
			}
			c.Shown = append(c.Shown, r.position(&s))
		}
		if d.Stats.Plies == 0 {
			columns = append(columns, c)
			continue
		}
		if d.Heat.From != nil {
			c.Boards = append(c.Boards, r.moves("Origins of moves", d.Heat.From))
		}
		c.Boards = append(c.Boards,
			r.moves("Destinations of moves", d.Heat.To),
			r.occupancy(d, d.Heat.Sides, "Pieces of the sides"),
		)
		for _, k := range d.Heat.Kinds {
			c.Kinds = append(c.Kinds, r.occupancy(d, k, k.Name))
		}
		columns = append(columns, c)
	}
	return columns
}

// draw returns a picture of a drawing.
func (r *Report) draw(title, note string, d board.Drawing) picture {
	return picture{Title: title, Note: note, handBoard: r.handBoard(d, nil)}
}

// handBoard draws a board with the pieces in hand beside it.
func (r *Report) handBoard(d board.Drawing, hands []int) handBoard {
	above, below := board.Beside(&r.game.Board, r.Sides, hands, false)
	return handBoard{template.HTML(above), template.HTML(board.Draw(&r.game.Board, d)), template.HTML(below)}
}

// position draws a position.
func (r *Report) position(s *Shown) picture {
	title := fmt.Sprintf("Game %s, ply %d of %d", human.Number(s.Game), s.Ply, s.Of)
	note := s.Turn + " to move"
	if s.Ply == s.Of {
		note = "final position"
	}
	p := picture{Title: title, Note: note}
	p.handBoard = r.handBoard(board.Drawing{Label: title + ": " + s.Position, Codes: s.Codes, Titles: &r.Sides}, s.Hands)
	return p
}

// moves draws the number of moves that begin or end on each cell.
func (r *Report) moves(title string, plies []uint64) picture {
	most, all := largest(plies), uint64(0)
	for _, n := range plies {
		all += n
	}
	heat := make([]board.Heat, len(plies))
	for cell, n := range plies {
		heat[cell] = board.Heat{Strength: share(n, most), Lean: board.Unsided, Text: r.game.Board.Name(cell) + " " + human.Percent(share(n, all))}
	}
	p := r.draw(title, "", board.Drawing{Label: title + ", heat map", Heat: heat})
	p.Scale = r.newScale(share(most, all), "of the moves", board.Unsided)
	return p
}

// occupancy draws how often pieces stood on each cell, in the colours of their sides.
func (r *Report) occupancy(d *Dataset, o Occupancy, title string) picture {
	all := make([]uint64, len(o.First))
	for cell := range all {
		all[cell] = o.First[cell] + o.Second[cell]
		if o.Neutral != nil {
			all[cell] += o.Neutral[cell]
		}
	}
	most := largest(all)
	leans := []float64{board.Unsided}
	heat := make([]board.Heat, len(all))
	for cell, n := range all {
		h := board.Heat{Strength: share(n, most), Lean: board.Unsided, Text: r.game.Board.Name(cell) + " " + human.Percent(share(n, d.Stats.Plies))}
		if owned := o.First[cell] + o.Second[cell]; owned > 0 {
			h.Lean = share(o.Second[cell], owned)
			leans = []float64{0, 1}
			h.Text = fmt.Sprintf("%s %s %s, %s %s", r.game.Board.Name(cell), r.Sides[0], human.Percent(share(o.First[cell], d.Stats.Plies)),
				r.Sides[1], human.Percent(share(o.Second[cell], d.Stats.Plies)))
		}
		heat[cell] = h
	}
	p := r.draw(title, "", board.Drawing{Label: title + ", heat map", Heat: heat})
	p.Scale = r.newScale(share(most, d.Stats.Plies), "of the plies", leans...)
	return p
}

func largest(list []uint64) (most uint64) {
	for _, n := range list {
		most = max(most, n)
	}
	return most
}

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
