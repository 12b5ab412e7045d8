package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/pages"
	"selfplay/datasets"
	"selfplay/datasets/gameindex"
	"selfplay/datasets/movetext"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/engine"
)

// downloads sends what the pages show as files: the games that match a query, and the rows of a game.
// The files are written by the packages that `selfplay convert` uses. A file is made in memory before
// the answer begins: what takes too long or is too large is refused.
type downloads struct {
	catalog *catalog.Catalog
	games   *catalog.Games

	running atomic.Int32
}

// routes returns the routes of the downloads.
func (d *downloads) routes() []route {
	return []route{
		{pattern: "GET /api/datasets/{dataset}/games/download", handle: d.handle(d.sendGames)},
		{pattern: "GET /api/datasets/{dataset}/games/{game}/download", handle: d.handle(d.sendGame)},
	}
}

// Limits of downloads.
const (
	// maxGames is the largest number of games in a table, maxTexts that of games as text: these are read
	// from their shards.
	maxGames = 100_000
	maxTexts = 10_000

	maxDownloads = 4
	downloadTime = 20 * time.Second
)

// fileRequest is a request for a file. Its parameters are not read yet.
type fileRequest struct {
	*http.Request
	*catalog.Params
	dataset *catalog.Dataset
	shape   *rows.Shape
	format  format
}

// handle returns the handler that sends the file that write makes. write returns its name without an
// extension.
func (d *downloads) handle(write func(ctx context.Context, q *fileRequest, out *bytes.Buffer) (name string, err error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := d.read(r)
		if err != nil {
			return err
		}
		if d.running.Add(1) > maxDownloads {
			d.running.Add(-1)
			return catalog.TryAgain("%d files are being made", maxDownloads)
		}
		defer d.running.Add(-1)
		ctx, cancel := context.WithTimeout(r.Context(), downloadTime)
		defer cancel()
		var out bytes.Buffer
		name, err := write(ctx, q, &out)
		if errors.Is(err, context.DeadlineExceeded) {
			return catalog.BadRequest("the games are in too many files to be read in %s: filter them, or use selfplay convert --where", downloadTime)
		}
		if err != nil {
			return err
		}
		sendFile(w, q.format, q.dataset.Name+"-"+name+q.format.ext, out.Bytes())
		return nil
	}
}

// read reads what every download has.
func (d *downloads) read(r *http.Request) (*fileRequest, error) {
	set, err := d.catalog.Find(r.PathValue("dataset"))
	if err != nil {
		return nil, err
	}
	shape, err := set.Shape()
	if err != nil {
		return nil, err
	}
	q := &fileRequest{Request: r, Params: catalog.ParamsOf(r), dataset: set, shape: shape}
	q.format = formatParam(q.Params, shape)
	return q, nil
}

// sendFile answers with a file.
func sendFile(w http.ResponseWriter, f format, name string, data []byte) {
	h := w.Header()
	h.Set("Content-Type", f.mime)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // the client may be gone
}

// format is a format of files: of tables, or of games as text.
type format struct {
	name, ext, mime string
	texts           bool
}

var formats = []format{
	{name: "csv", ext: ".csv", mime: "text/csv; charset=utf-8"},
	{name: plan.Parquet, ext: ".parquet", mime: "application/vnd.apache.parquet"},
	{name: "pgn", ext: ".pgn", mime: "application/x-chess-pgn; charset=utf-8", texts: true},
	{name: "moves", ext: ".jsonl", mime: "application/jsonl; charset=utf-8", texts: true},
}

// most returns the largest number of games of a file.
func (f format) most() int {
	if f.texts {
		return maxTexts
	}
	return maxGames
}

// formatsOf returns the formats that games of a shape can have.
func formatsOf(s *rows.Shape) (list []format) {
	for _, f := range formats {
		if t, ok := movetext.Find(f.name); !f.texts || ok && t.Check(s.Game, s.Variant) == nil {
			list = append(list, f)
		}
	}
	return list
}

// formatsForPages returns the same for the links of pages.
func formatsForPages(s *rows.Shape) (list []pages.Format) {
	for _, f := range formatsOf(s) {
		list = append(list, pages.Format{Name: f.name, Most: f.most()})
	}
	return list
}

// formatParam reads the parameter format: one of those that games of a shape can have.
func formatParam(p *catalog.Params, s *rows.Shape) format {
	list := formatsOf(s)
	var names []string
	for _, f := range list {
		names = append(names, f.name)
	}
	return list[slices.Index(names, p.OneOf("format", names...))]
}

// writeTable writes a table.
func (f format) writeTable(out io.Writer, ds *datasets.Dataset, s tablefile.Spec, t *encode.Table) error {
	form, err := tablefile.Find(f.name)
	if err != nil {
		return err
	}
	s.Source, s.BoardType = ds, ""
	if form.Boards {
		s.BoardType = plan.List
	}
	w, err := form.New(out, s)
	if err == nil {
		err = w.Write(t)
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// newTexts returns a writer of games as text.
func (f format) newTexts(out io.Writer, s *rows.Shape, event string) (*movetext.Writer, error) {
	form, _ := movetext.Find(f.name)
	return form.New(out, movetext.Source{Game: s.Game, Variant: s.Variant, Event: event})
}

// sendGames writes the games that match a query: all of them, or those that a search for a position or a
// material returns at once.
func (d *downloads) sendGames(ctx context.Context, q *fileRequest, out *bytes.Buffer) (string, error) {
	wanted := catalog.ParseQuery(q.Params, &q.shape.Game)
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
func (d *downloads) find(ctx context.Context, q *fileRequest, wanted *catalog.Query) (*matching, error) {
	if wanted.Position != "" || wanted.Material != "" {
		index, found, err := d.games.Find(ctx, q.dataset, wanted)
		if err != nil {
			return nil, err
		}
		m := &matching{index: index, plies: []int{}}
		for _, h := range found.Hits {
			m.games, m.plies = append(m.games, h.Game), append(m.plies, h.Ply)
		}
		return m, nil
	}
	most := q.format.most()
	wanted.Offset, wanted.Limit = 0, most
	page, err := d.games.List(ctx, q.dataset, wanted, false)
	switch {
	case err != nil:
		return nil, err
	case page.Status.Indexed < page.Status.Shards:
		return nil, catalog.TryAgain("%d of %d shards are indexed", page.Status.Indexed, page.Status.Shards)
	case page.Total > most:
		return nil, catalog.BadRequest("%s match, and %s takes %s at most: filter them, or use selfplay convert --where",
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
	{Name: "drop", Kind: encode.Int16, Doc: "largest loss of expected result from a ply to the next or to a result by the last move, in 10,000ths; -1 if unknown"},
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
	result := catalog.NoResult
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

// writeTexts writes games as text, in the order of their numbers.
func (d *downloads) writeTexts(ctx context.Context, q *fileRequest, found *matching, out *bytes.Buffer) error {
	commits, err := q.dataset.Commits()
	if err != nil {
		return err
	}
	list := slices.Clone(found.games)
	slices.SortFunc(list, func(a, b gameindex.Game) int { return cmp.Compare(a.Game, b.Game) })
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(g gameindex.Game) bool { return g.Shard != list[0].Shard })
		if n < 0 {
			n = len(list)
		}
		if err := d.writeShard(ctx, q, commits, list[:n], out); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// writeShard writes games of a shard.
func (d *downloads) writeShard(ctx context.Context, q *fileRequest, commits []*record.Commit, list []gameindex.Game, out *bytes.Buffer) error {
	i := slices.IndexFunc(commits, func(c *record.Commit) bool { return c.Shard == list[0].Shard })
	if i < 0 {
		return catalog.TryAgain("shard %d has been made again since it was indexed", list[0].Shard)
	}
	ds, err := q.dataset.Data()
	if err != nil {
		return err
	}
	begin := out.Len()
	_, err = q.dataset.ReadShard(commits[i], func(c *record.Commit) error {
		out.Truncate(begin) // of an attempt before
		return q.writeGames(ctx, ds, c, list, out)
	})
	return err
}

// writeGames writes the games of a list that a shard has.
func (q *fileRequest) writeGames(ctx context.Context, ds *datasets.Dataset, c *record.Commit, list []gameindex.Game, out *bytes.Buffer) error {
	w, err := q.format.newTexts(out, q.shape, ds.About().Title)
	if err != nil {
		return err
	}
	for r, err := range ds.Games(c.Parts()...) {
		if err == nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if len(list) > 0 && r.Game == list[0].Game {
			list = list[1:]
			if err := w.Write(r); err != nil {
				return err
			}
		}
		if len(list) == 0 {
			return nil
		}
	}
	return nil
}

// sendGame writes a game: its text, or a row for each of its plies, those that the filter of the dataset
// drops included.
func (d *downloads) sendGame(_ context.Context, q *fileRequest, out *bytes.Buffer) (string, error) {
	if err := q.Err(); err != nil {
		return "", err
	}
	number, err := strconv.ParseUint(q.PathValue("game"), 10, 64)
	if err != nil {
		return "", catalog.BadRequest("game %.40q: want its number", q.PathValue("game"))
	}
	r, _, err := d.games.Record(q.dataset, number)
	if err != nil {
		return "", err
	}
	ds, err := q.dataset.Data()
	if err != nil {
		return "", err
	}
	name := "game-" + strconv.FormatUint(number, 10)
	if !q.format.texts {
		return name, q.writeRows(ds, r, out)
	}
	w, err := q.format.newTexts(out, q.shape, ds.About().Title)
	if err == nil {
		err = w.Write(r)
	}
	return name, err
}

// writeRows writes the rows of a game, with texts.
func (q *fileRequest) writeRows(ds *datasets.Dataset, r *engine.Record, out *bytes.Buffer) error {
	view := q.shape.View
	view.Filter = encode.Filter{}
	t := encode.NewTable(view.Columns())
	if err := encode.NewReplayer(q.shape.Game, q.shape.Variant, view).Append(r, t, nil); err != nil {
		return err
	}
	spec := tablefile.Spec{Shape: q.shape, Columns: query.TextColumns(t.Columns), Text: q.shape.HasText(), Filter: []string{}}
	for texts, err := range query.AddTexts(q.shape, t.Columns, one(r), one(t)) {
		if err != nil {
			return err
		}
		return q.format.writeTable(out, ds, spec, texts)
	}
	return nil
}

// one is the sequence of a single value.
func one[T any](v T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) { yield(v, nil) }
}
