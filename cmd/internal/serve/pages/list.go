package pages

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets/gameindex"
	"selfplay/datasets/rows"
)

// listPage is the data of the games of a dataset.
type listPage struct {
	filterForm
	Name       string
	Problem    string // why the query has no answer; then the page has the form only
	Query      catalog.Query
	Opening    []openingMove // moves of the filter
	Next       []nextMove
	Columns    []columnHead
	Games      []gameRow
	HasPlayers bool // several players played the games
	Total      int
	All        int // games of the index
	First      int // number of the first game of the page, from 1
	Last       int
	Earlier    string // URL of the page before, "" if there is none
	Later      string
	Beyond     string // URL of the first page, if this one begins after the last game
	Histograms []*histogram
	Indexing   string // how far the index is, "" when it is complete
	Search     *searchState
	Filtered   bool
	NoOpening  string // URL without the filter by opening
	Copies     []copyText
	Downloads  downloads
}

// columnHead is the head of a sortable column.
type columnHead struct {
	Name   string
	URL    string // that sorts by it, or the other way round
	Sorted string // ascending, descending or none
	Number bool
}

// gameRow is a game of the table, with what of it is shown as text.
type gameRow struct {
	gameindex.Game
	URL     string
	End     string
	Loss    string // Drop; "" if it is unknown
	DropURL string // of the position before DropPly
	Moves   string // Opening
	Found   string // ply with the position that was searched for
}

// searchState says how far the search for a position or a material is.
type searchState struct {
	*gameindex.Found
	For      string
	Continue string // URL that continues, "" if all shards are done
}

// list answers with the games that match a query. A query that is wrong gets the form back as it was
// filled in, with the error.
func (p *Pages) list(w http.ResponseWriter, r *http.Request) error {
	d, err := p.Datasets.Find(r.PathValue("dataset"))
	if err != nil {
		return err
	}
	shape, err := d.Shape()
	if err != nil {
		return err
	}
	params := catalog.ParamsOf(r)
	q := catalog.ParseQuery(params, &shape.Game)
	page, status := (*listPage)(nil), http.StatusOK
	if err = params.Err(); err == nil {
		page, err = p.listed(r, d, shape, &q)
	}
	if err != nil && catalog.Status(err) == http.StatusBadRequest {
		page, status, err = refusedPage(r, d, shape, &q, err), http.StatusBadRequest, nil
	}
	if err != nil {
		return err
	}
	return write(w, status, "games", &frame{
		Title:   "Games of " + d.Name,
		Crumbs:  []crumb{{"Datasets", "/"}, {d.Name, datasetURL(d.Name)}, {"Games", ""}},
		Modules: []string{"/static/copy.js", "/static/live.js"}, Page: page,
	})
}

// listed returns the page of the games that match a query.
func (p *Pages) listed(r *http.Request, d *catalog.Dataset, shape *rows.Shape, q *catalog.Query) (*listPage, error) {
	found, err := p.Games.List(r.Context(), d, q, true)
	if err != nil {
		return nil, err
	}
	page := newListPage(d, shape, q, found)
	if q.Position != "" || q.Material != "" {
		if err := p.search(r, d, q, page, shape); err != nil {
			return nil, err
		}
	}
	if len(page.Games) > 0 && page.Indexing == "" {
		page.Downloads = p.listDownloads(d.Name, q, page.Total, shape)
	}
	page.Copies, err = p.copies(r, d, q, shape)
	return page, err
}

func newListPage(d *catalog.Dataset, shape *rows.Shape, q *catalog.Query, found *catalog.Page) *listPage {
	page := &listPage{
		filterForm: newFilterForm(d, shape, q, q.Values()), Name: d.Name, Query: *q,
		HasPlayers: severalPlayers(found), Total: found.Total, Filtered: isFiltered(q),
	}
	page.Columns = heads(q, page.HasDrops, page.HasPlayers)
	for i := range found.Games {
		page.Games = append(page.Games, newRow(d, shape, found.Index, &found.Games[i]))
	}
	page.All = int(min(found.Status.Games, 1<<40))
	page.turn(q)
	if s := found.Status; s.Indexed < s.Shards {
		page.Indexing = fmt.Sprintf("%s of %s are indexed. The numbers below are of these.",
			human.Number(s.Indexed), human.Count(s.Shards, "shard"))
	}
	page.addOpening(q, shape, found)
	for i := range found.Histograms {
		page.Histograms = append(page.Histograms, newHistogram(q, shape, &found.Histograms[i]))
	}
	return page
}

// turn numbers the games of the page and adds the pages beside it. The page must have its games and
// Total.
func (page *listPage) turn(q *catalog.Query) {
	if q.Offset > 0 && q.Offset >= page.Total {
		page.Beyond = q.With("offset", "")
		return
	}
	page.First, page.Last = min(q.Offset+1, page.Total), q.Offset+len(page.Games)
	at := *q
	if q.Offset > 0 {
		at.Offset = max(0, q.Offset-q.Limit)
		page.Earlier = "?" + at.Values().Encode()
	}
	if at.Offset = q.Offset + q.Limit; at.Offset < page.Total {
		page.Later = "?" + at.Values().Encode()
	}
}

// Heading says which of the games that match are on the page.
func (page *listPage) Heading() string {
	switch {
	case page.Search != nil:
		return "Found"
	case page.Beyond != "":
		return "No games on this page"
	case page.Total == 0:
		return "No games"
	case len(page.Games) == page.Total:
		return human.Count(page.Total, "game")
	}
	return fmt.Sprintf("%s to %s of %s games", human.Number(page.First), human.Number(page.Last), human.Number(page.Total))
}

// isFiltered reports whether a query leaves games out.
func isFiltered(q *catalog.Query) bool {
	for name := range q.Values() {
		switch name {
		case "sort", "offset", "limit", "cursor":
		default:
			return true
		}
	}
	return false
}

// severalPlayers reports whether the games, filtered or not, have more than one player of a side.
func severalPlayers(found *catalog.Page) bool {
	return slices.ContainsFunc(found.Histograms, func(h gameindex.Histogram) bool {
		return (h.Column == gameindex.PlayerFirst || h.Column == gameindex.PlayerSecond) && len(h.Bars) > 1
	})
}

// heads returns the heads of the columns.
func heads(q *catalog.Query, drops, players bool) (list []columnHead) {
	for _, c := range []struct {
		name, column string
		number       bool
	}{{"game", "game", true}, {"players", "player_first", false}, {"end", "result", false}, {"plies", "plies", true}, {"largest drop", "drop", true}} {
		if c.column == "drop" && !drops || c.column == "player_first" && !players {
			continue
		}
		h := columnHead{Name: c.name, Sorted: "none", Number: c.number}
		sort := c.column
		switch by := q.Sort; {
		case by == c.column || by == "" && c.column == "game":
			h.Sorted, sort = "ascending", "-"+c.column
		case by == "-"+c.column:
			h.Sorted = "descending"
		case c.number && c.column != "game": // the largest first
			sort = "-" + c.column
		}
		h.URL = q.With("sort", sort)
		list = append(list, h)
	}
	return list
}

func newRow(d *catalog.Dataset, shape *rows.Shape, ix *gameindex.Index, g *gameindex.Game) gameRow {
	row := gameRow{Game: *g, URL: datasetURL(d.Name, "games", fmt.Sprint(g.Game)), End: replay.End(&shape.Game, g.Outcome)}
	if g.Drop >= 0 {
		row.Loss = human.Percent(float64(g.Drop) / 10_000)
	}
	if g.Drop > 0 {
		row.DropURL = fmt.Sprintf("%s?ply=%d", row.URL, g.DropPly)
	}
	if moves, err := ix.OpeningTexts(g.Opening); err == nil {
		row.Moves = numberedMoves(shape, moves)
	}
	return row
}

// search replaces the table by the games with a position or a material.
func (p *Pages) search(r *http.Request, d *catalog.Dataset, q *catalog.Query, page *listPage, shape *rows.Shape) error {
	ix, found, err := p.Games.Find(r.Context(), d, q)
	if err != nil {
		return err
	}
	page.Games, page.Earlier, page.Later, page.Beyond = nil, "", "", ""
	page.Search = &searchState{Found: found, For: q.Position + q.Material}
	for i := range found.Hits {
		row := newRow(d, shape, ix, &found.Hits[i].Game)
		row.Found = fmt.Sprint(found.Hits[i].Ply)
		row.URL += "?ply=" + row.Found
		page.Games = append(page.Games, row)
	}
	if found.Next != "" {
		next := *q
		next.Cursor = found.Next
		page.Search.Continue = "?" + next.Values().Encode()
	}
	return nil
}

// openingMove is a move of the opening of the filter.
type openingMove struct{ Text, URL string }

// nextMove is a continuation of the opening.
type nextMove struct {
	Text    string
	URL     string
	Games   int
	Share   string
	Bar     string // width in percent of the longest
	Results string // shares of the results
}

// addOpening adds the opening of the filter and its continuations.
func (page *listPage) addOpening(q *catalog.Query, shape *rows.Shape, found *catalog.Page) {
	page.NoOpening = q.With("opening", "")
	for i, s := range stepsOf(shape, q.Opening) {
		page.Opening = append(page.Opening, openingMove{withNumber(&s), q.With("opening", catalog.JoinOpening(q.Opening[:i+1]))})
	}
	moves, err := found.Index.Opening(q.Opening)
	if err != nil {
		return
	}
	for _, c := range found.Continuations {
		texts, err := found.Index.OpeningTexts(append(moves[:len(moves):len(moves)], c.Action))
		if err != nil { // a forged record
			continue
		}
		steps := stepsOf(shape, texts)
		if len(steps) == 0 {
			continue
		}
		page.Next = append(page.Next, nextMove{
			Text: steps[len(steps)-1].Move, URL: q.With("opening", catalog.JoinOpening(texts)), Games: c.Games,
			Share: human.Percent(float64(c.Games) / float64(max(1, found.Total))), Bar: width(c.Games, found.Continuations[0].Games),
			Results: resultShares(shape, &c),
		})
	}
}

// resultShares says how the games with a next move ended, by result.
func resultShares(shape *rows.Shape, c *gameindex.Continuation) string {
	names := replay.ResultNames(shape.Game.Sides)
	var list []string
	for result, n := range c.Results {
		if n > 0 {
			list = append(list, names[result]+" "+human.Percent(float64(n)/float64(c.Games)))
		}
	}
	return strings.Join(list, ", ")
}

// stepsOf returns the first moves of a game, which are given in wire form, with their numbers.
func stepsOf(shape *rows.Shape, moves []string) []replay.Step {
	g := &shape.Game
	steps, _ := playMoves(g, g.New(shape.Variant), moves) // those before an error are right
	return steps
}

// withNumber writes a move with its number, if it has one: 1. e4.
func withNumber(s *replay.Step) string { return strings.TrimPrefix(s.Number()+" "+s.Listed(), " ") }

// numberedMoves writes the first moves of a game as players do: 1. e4 e5 2. Nf3.
func numberedMoves(shape *rows.Shape, moves []string) string {
	var list []string
	for _, s := range stepsOf(shape, moves) {
		if s.TurnStep == 1 {
			list = append(list, withNumber(&s))
		}
	}
	return strings.Join(list, " ")
}
