package download

import (
	"bytes"
	"context"
	"strings"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/serve/games"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/gameindex"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/engine"
)

// games writes the games that match a query: all of them, or those that a search for a position or a
// material returns at once.
func (d *Downloads) games(ctx context.Context, q *request, out *bytes.Buffer) (string, error) {
	wanted := games.ParseQuery(q.Params, &q.shape.Game)
	if err := q.Err(); err != nil {
		return "", err
	}
	found, err := d.find(ctx, q, &wanted)
	if err != nil {
		return "", err
	}
	if q.format.texts {
		return "games", d.writeTexts(ctx, q, found, out)
	}
	ds, err := q.dataset.Data()
	if err != nil {
		return "", err
	}
	t, err := found.table()
	if err != nil {
		return "", err
	}
	return "games", q.format.writeTable(out, ds, tablefile.Spec{Columns: t.Columns, Without: []string{"selfplay.table"}}, t)
}

// matching is games, and with a search where the position or the material occurs first.
type matching struct {
	index *gameindex.Index
	games []gameindex.Game
	plies []int
}

// find returns the games of a query, or refuses it if there are too many.
func (d *Downloads) find(ctx context.Context, q *request, wanted *games.Query) (*matching, error) {
	if wanted.Position != "" || wanted.Material != "" {
		index, found, err := d.Games.Find(ctx, q.dataset, wanted)
		if err != nil {
			return nil, err
		}
		m := &matching{index: index, plies: []int{}}
		for _, h := range found.Hits {
			m.games, m.plies = append(m.games, h.Game), append(m.plies, h.Ply)
		}
		return m, nil
	}
	most := Most(q.format.name)
	wanted.Offset, wanted.Limit = 0, most
	page, err := d.Games.List(ctx, q.dataset, wanted, false)
	switch {
	case err != nil:
		return nil, err
	case page.Status.Indexed < page.Status.Shards:
		return nil, web.TryAgain("%d of %d shards are indexed", page.Status.Indexed, page.Status.Shards)
	case page.Total > most:
		return nil, web.BadRequest("%s match, and %s takes %s at most: filter them, or use export convert --where",
			human.Count(page.Total, "game"), q.format.name, human.Number(most))
	}
	return &matching{index: page.Index, games: page.Games}, nil
}

// gameColumns are the columns of the table, as the page of games has them.
var gameColumns = []encode.Column{
	{Name: "game", Kind: encode.Uint64, Doc: "number of the game in the dataset, from 0"},
	{Name: "player_first", Kind: encode.String, Len: encode.Var, Doc: "player of side 0"},
	{Name: "player_second", Kind: encode.String, Len: encode.Var, Doc: "player of side 1"},
	{Name: "result", Kind: encode.String, Len: encode.Var, Doc: "the side that won, draw, or none for a game that was cut off"},
	{Name: "reason", Kind: encode.String, Len: encode.Var, Doc: "how the game ended"},
	{Name: "plies", Kind: encode.Uint32, Doc: "decisions of the game"},
	{Name: "drop", Kind: encode.Int16, Doc: "largest loss of expected result from a ply to the next or from the last one to the result, in 10,000ths; -1 if unknown"},
	{Name: "drop_ply", Kind: encode.Uint32, Doc: "ply of that loss; 0 if there is none"},
	{Name: "lead_first", Kind: encode.Int16, Doc: "largest lead in material of the side that moves first; -1 in a game without material"},
	{Name: "lead_second", Kind: encode.Int16, Doc: "the same of the other side"},
	{Name: "opening", Kind: encode.String, Len: encode.Var, Doc: "the first moves, with blanks between them"},
}

// plyColumn is the column of a search.
var plyColumn = encode.Column{Name: "ply", Kind: encode.Uint32, Doc: "first ply at which the position or the material occurs"}

// table returns the games as a table.
func (m *matching) table() (*encode.Table, error) {
	columns := gameColumns
	if m.plies != nil {
		columns = append(columns[:len(columns):len(columns)], plyColumn)
	}
	t := encode.NewTable(columns)
	for i := range m.games {
		if err := m.add(t, i); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// add adds a game to the table.
func (m *matching) add(t *encode.Table, i int) error {
	g, rules := &m.games[i], &m.index.Shape().Game
	opening, err := m.index.OpeningTexts(g.Opening)
	if err != nil {
		return err
	}
	result := games.NoResult
	if g.Result != engine.NoResult {
		result = rules.Results()[g.Result]
	}
	t.AddUint64(0, g.Game)
	t.AddString(1, g.Players[engine.First])
	t.AddString(2, g.Players[engine.Second])
	t.AddString(3, result)
	t.AddString(4, rules.ReasonName(g.Reason))
	t.AddUint32(5, uint32(g.Plies))
	t.AddUint16(6, uint16(int16(g.Drop)))
	t.AddUint32(7, uint32(max(0, g.DropPly)))
	t.AddUint16(8, uint16(int16(g.Leads[0])))
	t.AddUint16(9, uint16(int16(g.Leads[1])))
	t.AddString(10, strings.Join(opening, " "))
	if m.plies != nil {
		t.AddUint32(11, uint32(m.plies[i]))
	}
	t.Rows++
	return nil
}
