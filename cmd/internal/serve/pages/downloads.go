package pages

import (
	"cmp"
	"fmt"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/serve/download"
	"selfplay/cmd/internal/serve/games"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/rows"
)

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
func gameDownloads(dataset string, game uint64, s *rows.Shape) (list []link) {
	for _, f := range download.Formats(s) {
		list = append(list, link{formatNames[f], web.Path("api", "datasets", dataset, "games", fmt.Sprint(game), "download") + "?format=" + f})
	}
	return list
}

// listDownloads returns the links to the games of a query, as far as they are few enough. Those of a
// search are.
func listDownloads(dataset string, q *games.Query, total int, s *rows.Shape) (d downloads) {
	values := q.Values()
	if values.Del("offset"); q.Position == "" && q.Material == "" {
		values.Del("limit")
	} else {
		total = 0
	}
	for _, f := range download.Formats(s) {
		if most := download.Most(f); total > most {
			d.Note = cmp.Or(d.Note, fmt.Sprintf("%s: %s games at most, so filter them or use export convert --where", formatNames[f], human.Number(most)))
			continue
		}
		values.Set("format", f)
		d.Links = append(d.Links, link{formatNames[f], web.Path("api", "datasets", dataset, "games", "download") + "?" + values.Encode()})
	}
	return d
}
