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
	"selfplay/cmd/internal/human"
)

//go:embed page.tmpl
var pageText string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

//go:embed replay.js
var replayScript string

//go:embed scroll.js
var scrollScript string

//go:embed chartjs/chart.umd.min.js
var chartLibrary string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent": human.Percent, "number": human.Number[uint64], "count": human.Count[uint64],
	"table": func(p *page, facts []fact) factTable { return factTable{p.Letters, facts} },
}).Parse(pageText))

// page is the data of the template.
type page struct {
	*Report
	Policy  string // content security policy
	Style   template.CSS
	Library template.JS
	Script  template.JS // draws charts
	Replay  template.JS // steps through games
	Scroll  template.JS // says which tables scroll
	Letters []string    // of the datasets; "" for a single one
	Head    []fact
	Front   *picture // next to Head, for a single dataset
	Checks  []checkRow
	Counts  map[string]int // of checks, by worst state
	Parts   []part
	Charts  []chart
	Legend  template.HTML // of the board
	Figures template.HTML // of the replays
	Replays []stepper
}

// part is a section of the page.
type part struct {
	ID, Title string
	Facts     []fact
	Charts    []chart
	Columns   []column // one per dataset
}

// column holds the pictures of one dataset.
type column struct {
	Letter  string
	Trees   []tree
	Boards  []picture
	Kinds   []picture // small
	Shown   []picture
	Replays []stepper
}

// picture is a drawn board with a title and a note.
type picture struct {
	Title string
	Note  string
	handBoard
	Scale *scale // of a heat map
}

// handBoard is a drawn board with the pieces in hand above and below it.
type handBoard struct{ Above, SVG, Below template.HTML }

// factTable is a table of facts with the letters of the datasets.
type factTable struct {
	Letters []string
	Facts   []fact
}

// checkRow is a check with its result for each dataset.
type checkRow struct {
	What, Warning, Alarm, Advice string
	Results                      []checkCell
	Worst                        State
}

type checkCell struct {
	State               State
	Text, Measured, Why string
}

// HTML writes the report as a page. Equal reports give equal bytes.
func (r *Report) HTML(w io.Writer) error {
	library := library()
	p := r.page()
	p.Style = template.CSS(board.Style(&r.game.Board) + pageStyle)
	p.Library, p.Script = template.JS(library), template.JS(pageScript)
	p.Replay, p.Scroll = template.JS(replayScript), template.JS(scrollScript)
	p.Policy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s' '%s' '%s' '%s'", hash(string(p.Style)),
		hash(library), hash(pageScript), hash(replayScript), hash(scrollScript))
	return pageTemplate.Execute(w, p)
}

// Sections writes what the page has between its header and its footer, with the data of its
// scripts, for a page that loads Files.
func (r *Report) Sections(w io.Writer) error {
	p := r.page()
	if err := pageTemplate.ExecuteTemplate(w, "sections", p); err != nil {
		return err
	}
	return pageTemplate.ExecuteTemplate(w, "data", p)
}

// library returns the chart library.
func library() string {
	text, _, _ := strings.Cut(chartLibrary, "\n//# sourceMappingURL") // developer tools would load it
	return text
}

// Files returns what a page with Sections loads, by name: the style sheet, without that of boards, the
// chart library, the script that draws charts with it, the one that steps through games, and the one
// that says which tables scroll.
func Files() map[string]string {
	return map[string]string{"report.css": pageStyle, "chart.js": library(), "charts.js": pageScript, "replay.js": replayScript, "scroll.js": scrollScript}
}

// page returns the data of the template, without style and scripts.
func (r *Report) page() *page {
	p := &page{
		Report: r, Head: r.facts(head), Checks: r.checkRows(), Counts: map[string]int{},
	}
	for _, row := range p.Checks {
		p.Counts[string(row.Worst)]++
	}
	p.Legend = template.HTML(board.Legend(&r.game.Board, r.Sides))
	boards := r.boards()
	p.Parts = []part{
		{ID: "games", Title: "Games", Facts: r.facts(gameFacts), Charts: r.gameCharts()},
		{ID: "search", Title: "Search", Facts: r.facts(searchFacts), Charts: r.searchCharts()},
		{ID: "moves", Title: "Moves", Facts: r.facts(moveFacts), Charts: r.moveCharts()},
		{ID: "replay", Title: "Replay", Columns: r.replays()},
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
		for _, c := range part.Columns {
			p.Replays = append(p.Replays, c.Replays...)
		}
	}
	p.Figures = r.figures()
	return p
}

// hash returns the name of a style or a script in a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// letter returns the letter of a dataset if there are two.
func (r *Report) letter(i int) string {
	if len(r.Datasets) == 1 {
		return ""
	}
	return [...]string{"A", "B"}[i]
}

// checkRows returns the checks, the worst first.
func (r *Report) checkRows() (rows []checkRow) {
	for i := range checks {
		c := &checks[i]
		row := checkRow{What: c.what, Warning: c.threshold(c.warning), Alarm: c.threshold(c.alarm), Advice: c.advice, Worst: OK}
		for _, d := range r.Datasets {
			result := d.Checks[i]
			cell := checkCell{result.State, c.unit.value(result.Value), result.Measured, result.Why}
			if result.State == Unknown {
				cell.Text = string(result.State)
			}
			row.Results = append(row.Results, cell)
			row.Worst = worse(row.Worst, result.State)
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b checkRow) int { return slices.Index(states, a.Worst) - slices.Index(states, b.Worst) })
	return rows
}

// states lists all states, the worst first: what one of two datasets has not measured is not ok.
var states = []State{Alarm, Warning, Unknown, OK}

// worse returns the worse of two states.
func worse(a, b State) State {
	return states[min(slices.Index(states, a), slices.Index(states, b))]
}
