// Package pages makes the pages of the server: html/template, style sheets and ES modules that are
// part of the program. They load nothing from elsewhere, have no inline script or style, and work
// without scripts as far as they only show something. Every state of a page is a URL.
//
//	pages.go    Pages: the routes, and how a page is written
//	static.go   style sheets, scripts and icons
//	datasets.go the datasets, and each one: its state, checks and charts
//	list.go     the games of a dataset: table; filters.go the form of its filters; histogram.go bars that filter;
//	            opening.go the first moves of games
//	copy.go     a query as DuckDB and pandas; downloads.go links to files
//	boards.go   boards of pages, with what scripts know of them
//	game.go     a game, ply by ply
//	analysis.go a position and players that search it; line.go the moves that lead to it
//	compare.go  two datasets side by side
//	programs.go the description of the server for programs; openapi.go reads it
package pages

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/serve/api"
	"selfplay/cmd/internal/serve/games"
	"selfplay/cmd/internal/serve/reports"
	"selfplay/cmd/internal/serve/web"
	"selfplay/workers"
)

// Pages answers browsers.
type Pages struct {
	Known   workers.Catalog
	API     *api.API
	Games   *games.Games
	Reports *reports.Reports
}

// Routes returns the routes of the pages.
func (p *Pages) Routes() (list []web.Route) {
	for _, r := range []struct {
		pattern string
		handle  func(http.ResponseWriter, *http.Request) error
	}{
		{"GET /{$}", p.start},
		{"GET /datasets/{dataset}", p.dataset},
		{"GET /datasets/{dataset}/games", p.list},
		{"GET /datasets/{dataset}/games/{game}", p.game},
		{"GET /analysis", p.analysis},
		{"GET /compare", p.compare},
		{"GET /programs", p.programs},
		{"GET /", notFound},
	} {
		list = append(list, web.Route{Pattern: r.pattern, Handle: r.handle, Failed: p.failed})
	}
	return append(list, web.Route{Pattern: "GET /static/{file...}", Handle: p.static()})
}

// notFound answers paths that no other route has.
func notFound(_ http.ResponseWriter, r *http.Request) error {
	return web.NotFound("There is nothing at %.200q.", r.URL.Path)
}

//go:embed templates
var templateFiles embed.FS

// functions are those of the templates.
var functions = template.FuncMap{
	"number": func(n any) string { return formatNumber(n) },
	"count":  human.Count[uint64], "percent": human.Percent, "size": func(n int64) string { return human.Size(float64(n)) },
}

func formatNumber(n any) string {
	switch n := n.(type) {
	case int:
		return human.Number(n)
	case uint64:
		return human.Number(n)
	case int64:
		return human.Number(n)
	}
	return ""
}

// templates returns the templates of a page.
func templates(name string) *template.Template {
	t := template.New("layout.tmpl").Funcs(functions)
	return template.Must(t.ParseFS(templateFiles, "templates/layout.tmpl", "templates/"+name+".tmpl"))
}

var pageTemplates = map[string]*template.Template{
	"start": templates("start"), "dataset": templates("dataset"), "games": templates("games"), "game": templates("game"),
	"analysis": templates("analysis"), "compare": templates("compare"), "programs": templates("programs"), "error": templates("error"),
}

// frame is what all pages have.
type frame struct {
	Title   string
	Crumbs  []crumb
	Styles  []string // besides the style sheet of all pages
	Modules []string // ES modules
	Charts  bool     // the page has charts and games of package report
	Page    any      // the data of the page
}

// crumb is a step of the path to a page.
type crumb struct{ Name, URL string }

// write writes a page.
func write(w http.ResponseWriter, status int, name string, f *frame) error {
	var b bytes.Buffer
	if err := pageTemplates[name].Execute(&b, f); err != nil {
		return err
	}
	web.Write(w, status, "text/html", b.Bytes())
	return nil
}

// failed answers a request whose handler returned an error.
func (p *Pages) failed(w http.ResponseWriter, _ *http.Request, err error) {
	status := web.Status(err)
	_ = write(w, status, "error", &frame{Title: http.StatusText(status), Page: web.Message(err)}) // the template has only texts
}

// datasetURL returns the path of a dataset, or of something below it.
func datasetURL(name string, below ...string) string {
	return web.Path(append([]string{"datasets", name}, below...)...)
}
