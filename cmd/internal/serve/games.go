package serve

import (
	"strconv"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets"
	"selfplay/datasets/gameindex"
	"selfplay/encode"
	"selfplay/engine"
)

// indexState says how far the index of a dataset is. Answers are about the games that it has.
type indexState struct {
	Shards  int   `json:"shards"` // committed
	Indexed int   `json:"indexed"`
	Failed  []int `json:"failed,omitempty"` // shards that cannot be read
}

// gameInfo is what the index knows of a game.
type gameInfo struct {
	Game    uint64    `json:"game"`
	URL     string    `json:"url"`
	Shard   int       `json:"shard"`
	Row     int       `json:"row"` // in the games file of the shard
	Players [2]string `json:"players"`
	Result  string    `json:"result"` // "" for a game that was cut off
	Reason  string    `json:"reason"`
	Plies   int       `json:"plies"`
	Drop    int       `json:"drop"` // largest loss of expected result, in 10,000ths; -1 if unknown
	DropPly int       `json:"drop_ply"`
	// Leads are the largest ones in material, -1 in a game without.
	LeadFirst  int      `json:"lead_first"`
	LeadSecond int      `json:"lead_second"`
	Opening    []string `json:"opening"`
	Ply        *int     `json:"ply,omitempty"` // of a search: where the position or the material occurs first
}

// searchState says how far a search for a position or a material is.
type searchState struct {
	Shards   int    `json:"shards"`
	Searched int    `json:"searched"`
	Next     string `json:"next,omitempty"`   // the parameter cursor that continues the search
	Failed   []int  `json:"failed,omitempty"` // shards that cannot be read
}

// gameList is a page of games.
type gameList struct {
	Index  indexState   `json:"index"`
	Total  *int         `json:"total,omitempty"` // games that match; missing in a search
	Games  []gameInfo   `json:"games"`
	Search *searchState `json:"search,omitempty"`
}

// query reads the query of games.
func (q question) query() (*catalog.Query, error) {
	shape, err := q.Shape()
	if err != nil {
		return nil, err
	}
	wanted := catalog.ParseQuery(q.Params, &shape.Game)
	return &wanted, q.Err()
}

// getGames returns the games that match a query.
func (a *api) getGames(q question) (*gameList, error) {
	wanted, err := q.query()
	if err != nil {
		return nil, err
	}
	if wanted.Position != "" || wanted.Material != "" {
		return a.search(q, wanted)
	}
	page, err := a.games.List(q.Context(), q.Dataset, wanted, false)
	if err != nil {
		return nil, err
	}
	b := texts{q.Dataset, page.Index}
	list := &gameList{Index: b.status(), Total: &page.Total, Games: []gameInfo{}}
	for _, g := range page.Games {
		out, err := b.game(g)
		if err != nil {
			return nil, err
		}
		list.Games = append(list.Games, out)
	}
	return list, nil
}

// search returns the games with a position or a material.
func (a *api) search(q question, wanted *catalog.Query) (*gameList, error) {
	index, found, err := a.games.Find(q.Context(), q.Dataset, wanted)
	if err != nil {
		return nil, err
	}
	b := texts{q.Dataset, index}
	list := &gameList{
		Index: b.status(), Games: []gameInfo{},
		Search: &searchState{found.Shards, found.Searched, found.Next, shardsOf(found.Failed)},
	}
	for _, hit := range found.Hits {
		out, err := b.game(hit.Game)
		if err != nil {
			return nil, err
		}
		ply := hit.Ply
		out.Ply = &ply
		list.Games = append(list.Games, out)
	}
	return list, nil
}

// texts turns numbers of an index into texts.
type texts struct {
	d     *catalog.Dataset
	index *gameindex.Index
}

func (b texts) rules() *encode.Game { return &b.index.Shape().Game }

func (b texts) status() indexState {
	s := b.index.Status()
	return indexState{s.Shards, s.Indexed, shardsOf(s.Failed)}
}

func shardsOf(failed []*datasets.ShardError) (shards []int) {
	for _, f := range failed {
		shards = append(shards, f.Shard)
	}
	return shards
}

func (b texts) game(g gameindex.Game) (gameInfo, error) {
	opening, err := b.index.OpeningTexts(g.Opening)
	if err != nil {
		return gameInfo{}, err
	}
	return gameInfo{
		Game: g.Game, URL: gameURL(b.d, g.Game), Shard: g.Shard, Row: g.Row, Players: g.Players,
		Result: b.result(int(g.Result)), Reason: b.rules().ReasonName(g.Reason), Plies: g.Plies,
		Drop: g.Drop, DropPly: g.DropPly, LeadFirst: g.Leads[0], LeadSecond: g.Leads[1], Opening: append([]string{}, opening...),
	}, nil
}

// result returns the name of a result, "" for none.
func (b texts) result(n int) string { return nameOf(b.rules().Results(), n) }

// nameOf returns the name of a number, or its digits if it has none.
func nameOf(names []string, n int) string {
	if n >= 0 && n < len(names) {
		return names[n]
	}
	return strconv.Itoa(n)
}

// gameURL returns where a game of a dataset is.
func gameURL(d *catalog.Dataset, game uint64) string {
	return catalog.Path("api", "datasets", d.Name, "games", strconv.FormatUint(game, 10))
}

// maxBars is the largest number of bars that a request may ask for.
const maxBars = 1000

// histogram says how often the values of a column occur among the games that match all other
// parameters.
type histogram struct {
	Index   indexState `json:"index"`
	Column  string     `json:"column"`
	Games   int        `json:"games"`   // that were counted
	Unknown int        `json:"unknown"` // of these, games without a value
	Bars    []bar      `json:"bars"`
}

// bar counts the games with a value from Min to Max, or with a name.
type bar struct {
	Min   int    `json:"min"`
	Max   int    `json:"max"`
	Name  string `json:"name,omitempty"` // of a player, a result or a reason
	Games int    `json:"games"`
}

func (a *api) getHistogram(q question) (out histogram, err error) {
	column := q.OneOf("column", append([]string{""}, gameindex.Columns()...)...)
	bars := q.Int("bars", catalog.HistogramBars, 1, maxBars)
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
	index, h, err := a.games.Histogram(q.Context(), q.Dataset, wanted, by, bars)
	if err != nil {
		return out, err
	}
	b := texts{q.Dataset, index}
	out = histogram{Index: b.status(), Column: column, Games: h.Games, Unknown: h.Unknown, Bars: []bar{}}
	for _, one := range h.Bars {
		out.Bars = append(out.Bars, bar{one.Min, one.Max, b.barName(by, one), one.Games})
	}
	return out, nil
}

// barName returns the name of the value of a bar, "" for numbers.
func (b texts) barName(by gameindex.Column, bar gameindex.Bar) string {
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

// openings says how games go on after an opening.
type openings struct {
	Index indexState `json:"index"`
	Next  []nextMove `json:"next"` // the most frequent first
}

// nextMove is a move that games play after an opening.
type nextMove struct {
	Move    string         `json:"move"`
	Games   int            `json:"games"`
	Results map[string]int `json:"results"` // games by result; "" for games that were cut off
}

func (a *api) getOpenings(q question) (out openings, err error) {
	q.noSearch()
	wanted, err := q.query()
	if err != nil {
		return out, err
	}
	index, next, err := a.games.Continuations(q.Context(), q.Dataset, wanted, catalog.MaxContinuations)
	if err != nil {
		return out, err
	}
	actions, err := index.Opening(wanted.Opening)
	if err != nil {
		return out, err
	}
	b := texts{q.Dataset, index}
	out = openings{b.status(), []nextMove{}}
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
func (b texts) nextMove(opening []uint16, c gameindex.Continuation) (m nextMove, err error) {
	recordLine, err := b.index.OpeningTexts(append(opening[:len(opening):len(opening)], c.Action))
	if err != nil {
		return m, err
	}
	m = nextMove{recordLine[len(recordLine)-1], c.Games, map[string]int{}}
	for result, n := range c.Results {
		m.Results[b.result(result)] = n
	}
	return m, nil
}
