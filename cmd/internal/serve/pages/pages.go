// Package pages makes the pages of the server: html/template, style sheets and ES modules that are
// part of the program. They load nothing from elsewhere, have no inline script or style, and work
// without scripts as far as they only show something. Every state of a page is a URL.
package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"maps"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"selfplay/cmd/internal/board"
	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/report"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine/nnue/nets"
	"selfplay/workers"
)

// Pages answers browsers.
type Pages struct {
	Known    workers.Catalog
	Datasets *catalog.Catalog
	Games    *catalog.Games
	Reports  *catalog.Reports
	OpenAPI  []byte // the description of all routes for programs
	// Formats returns the formats of files that games of a shape can have.
	Formats func(*rows.Shape) []Format
}

// Format is a format of files, and how many games a file can have.
type Format struct {
	Name string
	Most int
}

// Handlers returns the handlers of the pages, by the patterns of their routes. Failed answers where
// one of them returns an error.
func (p *Pages) Handlers() map[string]func(http.ResponseWriter, *http.Request) error {
	return map[string]func(http.ResponseWriter, *http.Request) error{
		"GET /{$}":                             p.start,
		"GET /datasets/{dataset}":              p.dataset,
		"GET /datasets/{dataset}/games":        p.list,
		"GET /datasets/{dataset}/games/{game}": p.game,
		"GET /analysis":                        p.analysis,
		"GET /compare":                         p.compare,
		"GET /rules/{game}":                    p.rules,
		"GET /programs":                        p.programs,
		"GET /":                                notFound,
	}
}

// notFound answers paths that no other route has.
func notFound(_ http.ResponseWriter, r *http.Request) error {
	return catalog.NotFound("There is nothing at %.200q.", r.URL.Path)
}

//go:embed templates
var templateFiles embed.FS

// functions are those of the templates.
var functions = template.FuncMap{
	"number": func(n any) string { return formatNumber(n) },
	"player": nets.Shown,
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
	"analysis": templates("analysis"), "rules": templates("rules"), "compare": templates("compare"), "programs": templates("programs"), "error": templates("error"),
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
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store") // datasets grow
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the client may be gone
	return nil
}

// Failed answers a request whose handler returned an error.
func (p *Pages) Failed(w http.ResponseWriter, _ *http.Request, err error) {
	status := catalog.Status(err)
	_ = write(w, status, "error", &frame{Title: http.StatusText(status), Page: catalog.Message(err)}) // the template has only texts
}

// datasetURL returns the path of a dataset, or of something below it.
func datasetURL(name string, below ...string) string {
	return catalog.Path(append([]string{"datasets", name}, below...)...)
}

//go:embed static
var staticFiles embed.FS

// boardStyle returns the path of the style sheet of a game's board.
func boardStyle(game string) string { return "/static/board-" + game + ".css" }

// made returns the files that other packages have: the style and the scripts of reports, the
// style of boards, and the pictures of rules.
func made(games encode.Catalog) map[string]string {
	files := report.Files()
	maps.Copy(files, pictures())
	for _, g := range games {
		files["board-"+g.Name+".css"] = board.Style(&g.Board)
	}
	return files
}

// contentTypes are those of static files, by suffix.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// Static returns the handler of GET /static/{file...}: style sheets, scripts and icons.
func (p *Pages) Static() func(http.ResponseWriter, *http.Request) error {
	files := made(p.Known.Games)
	return func(w http.ResponseWriter, r *http.Request) error { return writeFile(w, r, files) }
}

// writeFile answers with a file. A browser asks again each time whether it has changed.
func writeFile(w http.ResponseWriter, r *http.Request, made map[string]string) error {
	name := r.PathValue("file")
	text, known := made[name]
	if !known {
		data, err := staticFiles.ReadFile("static/" + name)
		if err != nil || strings.Contains(name, "/") {
			return catalog.NotFound("no file %.100q", name)
		}
		text = string(data)
	}
	sum := sha256.Sum256([]byte(text))
	w.Header().Set("Content-Type", contentTypes[path.Ext(name)])
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader([]byte(text)))
	return nil
}
