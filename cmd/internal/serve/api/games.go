package api

import (
	"strconv"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/games"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets"
	"selfplay/datasets/gameindex"
	"selfplay/encode"
)

// Index says how far the index of a dataset is. Answers are about the games that it has.
type Index struct {
	Shards  int   `json:"shards"` // committed
	Indexed int   `json:"indexed"`
	Failed  []int `json:"failed,omitempty"` // shards that cannot be read
}

// Game is what the index knows of a game.
type Game struct {
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

// Search says how far a search for a position or a material is.
type Search struct {
	Shards   int    `json:"shards"`
	Searched int    `json:"searched"`
	Next     string `json:"next,omitempty"`   // the parameter cursor that continues the search
	Failed   []int  `json:"failed,omitempty"` // shards that cannot be read
}

// GameList is a page of games.
type GameList struct {
	Index  Index   `json:"index"`
	Total  *int    `json:"total,omitempty"` // games that match; missing in a search
	Games  []Game  `json:"games"`
	Search *Search `json:"search,omitempty"`
}

// query reads the query of games.
func (q question) query() (*games.Query, error) {
	shape, err := q.Shape()
	if err != nil {
		return nil, err
	}
	wanted := games.ParseQuery(q.Params, &shape.Game)
	return &wanted, q.Err()
}

// getGames returns the games that match a query.
func (a *API) getGames(q question) (*GameList, error) {
	wanted, err := q.query()
	if err != nil {
		return nil, err
	}
	if wanted.Position != "" || wanted.Material != "" {
		return a.search(q, wanted)
	}
	page, err := a.Games.List(q.Context(), q.Dataset, wanted, false)
	if err != nil {
		return nil, err
	}
	b := builder{q.Dataset, page.Index}
	list := &GameList{Index: b.status(), Total: &page.Total, Games: []Game{}}
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
func (a *API) search(q question, wanted *games.Query) (*GameList, error) {
	index, found, err := a.Games.Find(q.Context(), q.Dataset, wanted)
	if err != nil {
		return nil, err
	}
	b := builder{q.Dataset, index}
	list := &GameList{
		Index: b.status(), Games: []Game{},
		Search: &Search{found.Shards, found.Searched, found.Next, shardsOf(found.Failed)},
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

// builder turns numbers of an index into texts.
type builder struct {
	d     *catalog.Dataset
	index *gameindex.Index
}

func (b builder) rules() *encode.Game { return &b.index.Shape().Game }

func (b builder) status() Index {
	s := b.index.Status()
	return Index{s.Shards, s.Indexed, shardsOf(s.Failed)}
}

func shardsOf(failed []*datasets.ShardError) (shards []int) {
	for _, f := range failed {
		shards = append(shards, f.Shard)
	}
	return shards
}

func (b builder) game(g gameindex.Game) (Game, error) {
	opening, err := b.index.OpeningTexts(g.Opening)
	if err != nil {
		return Game{}, err
	}
	return Game{
		Game: g.Game, URL: GameURL(b.d, g.Game), Shard: g.Shard, Row: g.Row, Players: g.Players,
		Result: b.result(int(g.Result)), Reason: b.rules().ReasonName(g.Reason), Plies: g.Plies,
		Drop: g.Drop, DropPly: g.DropPly, LeadFirst: g.Leads[0], LeadSecond: g.Leads[1], Opening: append([]string{}, opening...),
	}, nil
}

// result returns the name of a result, "" for none.
func (b builder) result(n int) string { return nameOf(b.rules().Results(), n) }

// nameOf returns the name of a number, or its digits if it has none.
func nameOf(names []string, n int) string {
	if n >= 0 && n < len(names) {
		return names[n]
	}
	return strconv.Itoa(n)
}

// GameURL returns where a game of a dataset is.
func GameURL(d *catalog.Dataset, game uint64) string {
	return web.Path("api", "datasets", d.Name, "games", strconv.FormatUint(game, 10))
}
