package pages

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/encode"
)

// copyText is a query for another tool.
type copyText struct{ ID, Name, Text string }

// maxCopied is the number of files that a text names. A larger dataset is named by its first files.
const maxCopied = 20

// copies returns the query as DuckDB and pandas, for datasets of Parquet files.
func (p *Pages) copies(r *http.Request, d *catalog.Dataset, q *catalog.Query, shape *rows.Shape) ([]copyText, error) {
	if shape.Format != plan.Parquet {
		return nil, nil
	}
	files, err := d.Files("games", q.Split)
	if err != nil {
		return nil, err
	}
	var urls []string
	for _, f := range files[:min(len(files), maxCopied)] {
		urls = append(urls, fmt.Sprintf("'%s%s'", origin(r), f.URL))
	}
	note := ""
	if len(files) > maxCopied {
		note = fmt.Sprintf("the first %d of %d files", maxCopied, len(files))
	}
	return []copyText{
		{"copy-duckdb", "DuckDB", duckDB(q, &shape.Game, urls, note)},
		{"copy-pandas", "pandas", pandas(q, &shape.Game, urls, note)},
	}, nil
}

// origin returns the beginning of the URLs of this server as the client knows it.
func origin(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// term is a condition of a query in SQL and in Python.
type term struct{ sql, python string }

// terms returns the conditions on columns of the games table, and the names of the parameters that
// no column has.
func terms(q *catalog.Query, g *encode.Game) (list []term, others []string) {
	add := func(sql, python string, args ...any) {
		list = append(list, term{fmt.Sprintf(sql, args...), fmt.Sprintf(python, args...)})
	}
	if q.Result != "" {
		add("result = %d", "games.result == %d", q.ResultNumber(g))
	}
	if q.Reason != "" {
		reason, _ := g.Reason(q.Reason) // the query was parsed for the game
		add("reason = %d", "games.reason == %d", reason)
	}
	if q.Plies.Given {
		add("len(action) BETWEEN %d AND %d", "games.action.str.len().between(%d, %d)", q.Plies.Min, q.Plies.Max)
	}
	if q.Games.Given {
		add("game BETWEEN %d AND %d", "games.game.between(%d, %d)", q.Games.Min, q.Games.Max)
	}
	if q.Player != "" {
		add("%[1]s IN (player_first, player_second)", "(games[['player_first', 'player_second']] == %[1]s).any(axis=1)", quote(q.Player))
	}
	if q.First != "" {
		add("player_first = %s", "games.player_first == %s", quote(q.First))
	}
	if q.Second != "" {
		add("player_second = %s", "games.player_second == %s", quote(q.Second))
	}
	for _, name := range []string{"drop", "lead_first", "lead_second", "opening", "shards", "position", "material"} {
		if q.Values().Has(name) {
			others = append(others, name)
		}
	}
	return list, others
}

// quote writes a text as SQL and Python both read it. Names of players have no quotes.
func quote(text string) string {
	return "'" + strings.NewReplacer("'", "", "\\", "", "\n", " ").Replace(text) + "'"
}

func duckDB(q *catalog.Query, g *encode.Game, urls []string, note string) string {
	list, others := terms(q, g)
	var b strings.Builder
	comments(&b, "--", note, others)
	b.WriteString("SELECT game, result, reason, len(action) AS plies, player_first, player_second\n")
	fmt.Fprintf(&b, "FROM read_parquet([%s])\n", strings.Join(urls, ",\n  "))
	for i, t := range list {
		fmt.Fprintf(&b, "%s %s\n", []string{"WHERE", "  AND"}[min(i, 1)], t.sql)
	}
	name, descending := strings.CutPrefix(cmp.Or(q.Sort, "game"), "-")
	if slices.Contains([]string{"game", "result", "reason", "plies", "player_first", "player_second"}, name) {
		b.WriteString("ORDER BY " + name)
		if descending {
			b.WriteString(" DESC")
		}
		b.WriteString(", game\n")
	}
	fmt.Fprintf(&b, "LIMIT %d OFFSET %d;\n", q.Limit, q.Offset)
	return b.String()
}

func pandas(q *catalog.Query, g *encode.Game, urls []string, note string) string {
	list, others := terms(q, g)
	var b strings.Builder
	comments(&b, "#", note, others)
	fmt.Fprintf(&b, "import pandas as pd\n\nfiles = [%s]\ngames = pd.concat(map(pd.read_parquet, files))\n", strings.Join(urls, ",\n  "))
	for _, t := range list {
		fmt.Fprintf(&b, "games = games[%s]\n", t.python)
	}
	return b.String()
}

// comments writes what a text lacks.
func comments(b *strings.Builder, sign, note string, others []string) {
	if note != "" {
		fmt.Fprintf(b, "%s %s\n", sign, note)
	}
	if len(others) > 0 {
		fmt.Fprintf(b, "%s without the filter by %s, which no column of the games has\n", sign, strings.Join(others, ", "))
	}
}

// downloads are the links to files of what a page shows.
type downloads struct {
	Links []link
	Note  string // why there are no links, or fewer
}

// link is a link and its text.
type link struct{ Name, URL string }

// formatNames are the names of formats for people.
var formatNames = map[string]string{"csv": "CSV", "parquet": "Parquet", "pgn": "PGN", "moves": "JSON lines"}

// gameDownloads returns the links to the rows and the text of a game.
func (p *Pages) gameDownloads(dataset string, game uint64, s *rows.Shape) (list []link) {
	for _, f := range p.Formats(s) {
		list = append(list, link{formatNames[f.Name], catalog.Path("api", "datasets", dataset, "games", fmt.Sprint(game), "download") + "?format=" + f.Name})
	}
	return list
}

// listDownloads returns the links to the games of a query, as far as they are few enough. Those of a
// search are.
func (p *Pages) listDownloads(dataset string, q *catalog.Query, total int, s *rows.Shape) (d downloads) {
	values := q.Values()
	if values.Del("offset"); q.Position == "" && q.Material == "" {
		values.Del("limit")
	} else {
		total = 0
	}
	for _, f := range p.Formats(s) {
		if total > f.Most {
			d.Note = cmp.Or(d.Note, fmt.Sprintf("%s: %s games at most, so filter them or use selfplay convert --where", formatNames[f.Name], human.Number(f.Most)))
			continue
		}
		values.Set("format", f.Name)
		d.Links = append(d.Links, link{formatNames[f.Name], catalog.Path("api", "datasets", dataset, "games", "download") + "?" + values.Encode()})
	}
	return d
}
