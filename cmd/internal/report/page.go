package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"selfplay/cmd/internal/board"
	"selfplay/datasets/stats"
)

//go:embed page.tmpl
var pageText string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

//go:embed chartjs/chart.umd.min.js
var chartLibrary string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent": percent, "count": count,
	"table": func(p *page, facts []fact) factTable { return factTable{p.Letters, facts} },
}).Parse(pageText))

// page is what the template sees.
type page struct {
	*Report
	Policy  string // of content security
	Style   template.CSS
	Library template.JS
	Script  template.JS
	Letters []string // of the datasets, "" if there is one
	Head    []fact
	Front   *picture // beside it, of a single dataset
	Checks  []checkRow
	Counts  map[string]int // of checks, by worst state
	Grounds []board.Ground // of the board, where they have names
	Parts   []part
	Charts  []chart
}

// part is a section of the page.
type part struct {
	ID, Title string
	Facts     []fact
	Charts    []chart
	Columns   []column // one a dataset
}

// column is what stands beside the same of another dataset.
type column struct {
	Letter string
	Trees  []stats.Tree
	Boards []picture
	Kinds  []picture // small ones
	Shown  []picture
}

// picture is a board with what stands under it.
type picture struct {
	Title string
	Note  string
	SVG   template.HTML
}

// factTable is facts under the letters of the datasets.
type factTable struct {
	Letters []string
	Facts   []fact
}

// checkRow is a check and what it says of each dataset.
type checkRow struct {
	What, Look, Alarm, Advice string
	Results                   []checkCell
	Worst                     State
}

type checkCell struct {
	State     State
	Text, Why string
}

// HTML writes the report as a page. Equal reports give equal bytes.
func (r *Report) HTML(w io.Writer) error {
	library, _, _ := strings.Cut(chartLibrary, "\n//# sourceMappingURL") // which a browser's tools would load
	p := &page{
		Report: r, Style: template.CSS(board.Style + pageStyle), Library: template.JS(library), Script: template.JS(pageScript),
		Head: r.facts(head), Checks: r.checkRows(), Counts: map[string]int{},
	}
	p.Policy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s' '%s'", hash(string(p.Style)), hash(library), hash(pageScript))
	for _, row := range p.Checks {
		p.Counts[string(row.Worst)]++
	}
	b, err := board.Of(r.Game)
	if err != nil {
		return err
	}
	for _, g := range b.Grounds {
		if g.Name != "" {
			p.Grounds = append(p.Grounds, g)
		}
	}
	boards := r.boards(b)
	p.Parts = []part{
		{ID: "games", Title: "Games", Facts: r.facts(gameFacts), Charts: r.gameCharts()},
		{ID: "search", Title: "Search", Facts: r.facts(searchFacts), Charts: r.searchCharts()},
		{ID: "moves", Title: "Moves", Facts: r.facts(moveFacts), Charts: r.moveCharts()},
		{ID: "board", Title: "Board", Columns: boards},
		{ID: "openings", Title: "Openings", Facts: r.facts(openingFacts), Columns: r.trees()},
	}
	if len(boards) == 1 && len(boards[0].Shown) > 0 {
		p.Front = &boards[0].Shown[len(boards[0].Shown)/2]
		boards[0].Shown = nil
	}
	for i := range r.Datasets {
		p.Letters = append(p.Letters, r.letter(i))
	}
	for _, part := range p.Parts {
		p.Charts = append(p.Charts, part.Charts...)
	}
	return pageTemplate.Execute(w, p)
}

// hash is how a content security policy names a style or a script.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// letter is how a dataset is called where there are two.
func (r *Report) letter(i int) string {
	if len(r.Datasets) == 1 {
		return ""
	}
	return [...]string{"A", "B"}[i]
}

// checkRows lists the checks, the worst first.
func (r *Report) checkRows() (rows []checkRow) {
	for i := range checks {
		c := &checks[i]
		row := checkRow{What: c.what, Look: c.threshold(c.look), Alarm: c.threshold(c.alarm), Advice: c.advice, Worst: Unknown}
		for _, d := range r.Datasets {
			result := d.Checks[i]
			cell := checkCell{result.State, c.text(result.Value), result.Why}
			if result.State == Unknown {
				cell.Text = ""
			}
			row.Results = append(row.Results, cell)
			row.Worst = worse(row.Worst, result.State)
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b checkRow) int { return slices.Index(states, a.Worst) - slices.Index(states, b.Worst) })
	return rows
}

// states are all states, the worst first.
var states = []State{Alarm, Look, OK, Unknown}

// worse returns the worse of two states.
func worse(a, b State) State {
	return states[min(slices.Index(states, a), slices.Index(states, b))]
}

func (r *Report) trees() (columns []column) {
	for i, d := range r.Datasets {
		columns = append(columns, column{Letter: r.letter(i), Trees: d.Stats.Trees})
	}
	return columns
}

// boards draws positions and heat maps.
func (r *Report) boards(b *board.Board) (columns []column) {
	for i := range r.Datasets {
		d := &r.Datasets[i]
		c := column{Letter: r.letter(i)}
		for n, s := range d.Shown {
			if n == 0 && len(r.Datasets) > 1 {
				continue // the beginnings are alike
			}
			c.Shown = append(c.Shown, s.picture(b))
		}
		if d.Stats.Plies == 0 {
			columns = append(columns, c)
			continue
		}
		c.Boards = []picture{
			moved(b, "Where moves begin", d.Heat.From),
			moved(b, "Where moves end", d.Heat.To),
			r.stood(b, d, d.Heat.Sides, "Where the sides stand"),
		}
		for _, k := range d.Heat.Kinds {
			c.Kinds = append(c.Kinds, r.stood(b, d, k, k.Name))
		}
		columns = append(columns, c)
	}
	return columns
}

// picture draws a position.
func (s *Shown) picture(b *board.Board) picture {
	title := fmt.Sprintf("Game %s, ply %d of %d", count(s.Game), s.Ply, s.Of)
	note := s.Turn + " to move"
	if s.Ply == s.Of {
		note = "the end"
	}
	return picture{title, note, template.HTML(b.Draw(board.Drawing{Label: title + ": " + s.Position, Codes: s.Codes}))}
}

// moved draws how many moves begin or end on each cell.
func moved(b *board.Board, title string, plies []uint64) picture {
	most, all := largest(plies), uint64(0)
	for _, n := range plies {
		all += n
	}
	heat := make([]board.Heat, len(plies))
	for cell, n := range plies {
		heat[cell] = board.Heat{Strength: share(n, most), Lean: board.Both, Text: b.Name(cell) + " " + percent(share(n, all))}
	}
	return picture{title, "up to " + percent(share(most, all)) + " of the moves", template.HTML(b.Draw(board.Drawing{Label: title, Heat: heat}))}
}

// stood draws how often things stood on each cell, in the colours of their sides.
func (r *Report) stood(b *board.Board, d *Dataset, s Stood, title string) picture {
	all := make([]uint64, len(s.First))
	for cell := range all {
		all[cell] = s.First[cell] + s.Second[cell]
		if s.Nobody != nil {
			all[cell] += s.Nobody[cell]
		}
	}
	most := largest(all)
	heat := make([]board.Heat, len(all))
	for cell, n := range all {
		h := board.Heat{Strength: share(n, most), Lean: board.Both, Text: b.Name(cell) + " " + percent(share(n, d.Stats.Plies))}
		if owned := s.First[cell] + s.Second[cell]; owned > 0 {
			h.Lean = share(s.Second[cell], owned)
			h.Text = fmt.Sprintf("%s %s %s, %s %s", b.Name(cell), r.Sides[0], percent(share(s.First[cell], d.Stats.Plies)),
				r.Sides[1], percent(share(s.Second[cell], d.Stats.Plies)))
		}
		heat[cell] = h
	}
	return picture{title, "up to " + percent(share(most, d.Stats.Plies)), template.HTML(b.Draw(board.Drawing{Label: title, Heat: heat}))}
}

func largest(list []uint64) (most uint64) {
	for _, n := range list {
		most = max(most, n)
	}
	return most
}
